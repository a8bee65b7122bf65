// Signed tokens for simulated agents: quick to make, and as hard to mistake as a simulation needs. Nothing of the key is in them.

import type { Tokens } from "../../../../ports/tokens.ts";

export const simTokens: Tokens = {
  verify: (token, key) => {
    const [payload = "", signature = ""] = token.split(".");
    return signature === signatureOf(payload, key)
      ? (JSON.parse(atob(payload.replaceAll("_", "="))) as unknown)
      : undefined;
  },
  sign: (claims, key) => {
    // Letters that a header takes.
    const payload = btoa(JSON.stringify(claims)).replaceAll("=", "_");
    return `${payload}.${signatureOf(payload, key)}`;
  },
  digest: (bytes) => hash(bytes, 0x811c9dc5).toString(16),
};

function signatureOf(payload: string, key: Uint8Array): string {
  return hash(new TextEncoder().encode(payload), hash(key, 0x2c1b3c6d)).toString(16);
}

function hash(bytes: Uint8Array, start: number): number {
  let value = start;
  for (const byte of bytes) value = Math.imul(value ^ byte, 0x01000193);
  return value >>> 0;
}
