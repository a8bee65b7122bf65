// Removes the secrets of a cloud's credentials from texts, in every encoding that an answer or an address may use, and whatever looks
// like a secret.

import type { CloudAuth } from "../../../core/openstack/cloud-config.ts";
import { redact } from "../../http/redact.ts";

/** Removes secrets from a text. */
export type Redact = (text: string) => string;

export function secretsOf(auth: CloudAuth): readonly string[] {
  if (auth.type === "password") return [auth.password];
  return [auth.type === "token" ? auth.token : auth.secret];
}

// Fernet tokens begin with these letters: version and the first bytes of a time stamp.
const fernet = /\bgAAAA[\w-]{20,}={0,2}/g;

export function redactorOf(secrets: readonly string[]): Redact {
  const spellings = [...new Set(secrets.filter((secret) => secret !== "").flatMap(spellingsOf))];
  return (text) => {
    // Even a very short secret is removed: a garbled text does less harm.
    const named = spellings.reduce((clean, secret) => clean.replaceAll(secret, "[redacted]"), text);
    return redact(named.replace(fernet, "[redacted]"));
  };
}

function spellingsOf(secret: string): readonly string[] {
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString("base64"),
    Buffer.from(secret).toString("base64url"),
  ];
}

/** A copy of an error for `cause` that holds no secret: texts are redacted, everything but a code is left out. */
export function redactError(error: unknown, redactText: Redact, depth = 0): Error | undefined {
  if (!(error instanceof Error) || depth > 3) return undefined;
  const cause = redactError(error.cause, redactText, depth + 1);
  const clean: Error & { code?: string } = new Error(
    redactText(error.message),
    cause === undefined ? undefined : { cause },
  );
  clean.name = error.name;
  if (error.stack !== undefined) clean.stack = redactText(error.stack);
  if ("code" in error && typeof error.code === "string") clean.code = error.code;
  return clean;
}
