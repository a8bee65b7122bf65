// Tokens of service accounts: made on request, good for their audiences, until they expire, and as long as their account lives.
// They read like the real ones (a JWT), and are known by heart instead of signed: nobody else can make one that is accepted.

import type { Clock } from "../../../../ports/clock.ts";
import type { Random } from "../../../../ports/random.ts";
import type { Json } from "../json.ts";
import type { UserInfo } from "./user-info.ts";

/** Who issues tokens, and for whom they are when nobody says otherwise. */
export const issuer = "https://kubernetes.default.svc";

// The library that checks the real server's tokens forgives clocks that differ by a minute.
const leewayMs = 60_000;

export type TokenCheck =
  | { readonly user: UserInfo; readonly audiences: readonly string[] }
  | { readonly problem: string };

export interface TokenRequest {
  readonly namespace: string;
  readonly name: string;
  /** Of the account, which may be made anew under its name. */
  readonly uid: string;
  readonly audiences: readonly string[];
  readonly lastsSeconds: number;
}

interface Issued extends TokenRequest {
  readonly id: string;
  readonly expiresMs: number;
}

export interface AccountTokensOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** The uid of an account that is there. */
  readonly uidOf: (namespace: string, name: string) => string | undefined;
}

export class AccountTokens {
  readonly #options: AccountTokensOptions;
  readonly #issued = new Map<string, Issued>();

  constructor(options: AccountTokensOptions) {
    this.#options = options;
  }

  issue(request: TokenRequest): { readonly token: string; readonly expiresMs: number } {
    const { clock, random } = this.#options;
    this.#forgetExpired();
    const bornSeconds = Math.floor(clock.nowMs() / 1_000);
    const expiresMs = (bornSeconds + request.lastsSeconds) * 1_000;
    const id = random.uuid();
    const token = [header, claimsOf(request, id, bornSeconds), random.uuid()].map(encoded).join(".");
    this.#issued.set(token, { ...request, id, expiresMs });
    return { token, expiresMs };
  }

  /** Undefined: none of ours. */
  check(token: string, wanted: readonly string[]): TokenCheck | undefined {
    const issued = this.#issued.get(token);
    if (issued === undefined) return undefined;
    const problem = this.#problemOf(issued, wanted);
    if (problem !== undefined) return { problem };
    return { user: userOf(issued), audiences: wanted.filter((audience) => issued.audiences.includes(audience)) };
  }

  #problemOf({ namespace, name, uid, audiences, expiresMs }: Issued, wanted: readonly string[]): string | undefined {
    if (this.#isOver(expiresMs)) return "service account token has expired";
    if (!wanted.some((audience) => audiences.includes(audience)))
      return `token audiences ${quoted(audiences)} is invalid for the target audiences ${quoted(wanted)}`;
    const living = this.#options.uidOf(namespace, name);
    if (living === undefined) return `serviceaccounts "${name}" not found`;
    return living === uid ? undefined : `service account UID (${living}) does not match claim (${uid})`;
  }

  #isOver(expiresMs: number): boolean {
    return this.#options.clock.nowMs() > expiresMs + leewayMs;
  }

  #forgetExpired(): void {
    for (const [token, { expiresMs }] of this.#issued) if (this.#isOver(expiresMs)) this.#issued.delete(token);
  }
}

const header = { alg: "RS256", kid: "fake" };

function claimsOf({ namespace, name, uid, audiences, lastsSeconds }: TokenRequest, id: string, bornSeconds: number) {
  return {
    aud: audiences,
    exp: bornSeconds + lastsSeconds,
    iat: bornSeconds,
    iss: issuer,
    jti: id,
    "kubernetes.io": { namespace, serviceaccount: { name, uid } },
    nbf: bornSeconds,
    sub: userNameOf(namespace, name),
  };
}

function userOf({ namespace, name, uid, id }: Issued): UserInfo {
  return {
    username: userNameOf(namespace, name),
    uid,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
    extra: { "authentication.kubernetes.io/credential-id": [`JTI=${id}`] },
  };
}

function userNameOf(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

function quoted(words: readonly string[]): string {
  return `[${words.map((word) => JSON.stringify(word)).join(" ")}]`;
}

function encoded(part: Json): string {
  const bytes = new TextEncoder().encode(typeof part === "string" ? part : JSON.stringify(part));
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
