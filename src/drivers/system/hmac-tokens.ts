// JSON Web Tokens with an HMAC, on the cryptography of Node. Signatures are compared in constant time.

import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { HmacAlgorithm, Tokens } from "../../ports/tokens.ts";

const hashes: Readonly<Record<HmacAlgorithm, string>> = { HS256: "sha256", HS384: "sha384", HS512: "sha512" };

export const hmacTokens: Tokens = {
  verify: (token, key, algorithms) => {
    const [, header = "", payload = "", signature = ""] = compact.exec(token) ?? [];
    const algorithm = algorithms.find((one) => one === algorithmIn(header));
    if (algorithm === undefined) return undefined;
    const expected = mac(algorithm, key, `${header}.${payload}`);
    const given = Buffer.from(signature, "base64url");
    return given.length === expected.length && timingSafeEqual(given, expected) ? parsed(payload) : undefined;
  },
  sign: (claims, key, algorithm) => {
    const parts = [{ alg: algorithm, typ: "JWT" }, claims].map((part) => encoded(JSON.stringify(part)));
    const text = parts.join(".");
    return `${text}.${mac(algorithm, key, text).toString("base64url")}`;
  },
  digest: (bytes) => createHash("sha256").update(bytes).digest("base64url"),
};

const compact = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;

function algorithmIn(header: string): unknown {
  const value = parsed(header);
  return typeof value === "object" && value !== null && "alg" in value ? value.alg : undefined;
}

function mac(algorithm: HmacAlgorithm, key: Uint8Array, text: string): Buffer {
  return createHmac(hashes[algorithm], key).update(text).digest();
}

function encoded(text: string): string {
  return Buffer.from(text).toString("base64url");
}

function parsed(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
