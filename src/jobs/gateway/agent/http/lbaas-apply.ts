// POST /v1/apply, for controllers of ch-k8s-lbaas: checks in the reference's order, with its statuses and its words. The body is a signed
// token that holds the configuration.

import { isRecord } from "../../../../apis/text/problem.ts";
import type { Clock } from "../../../../ports/clock.ts";
import type { HttpQuestion, HttpReply } from "../../../../ports/http-service.ts";
import type { Tokens } from "../../../../ports/tokens.ts";
import { decodeLbaas } from "../../core/lbaas/decode-lbaas.ts";
import { clockLeewaySeconds } from "../../core/wire/agent-token.ts";
import type { ApplyOutcome } from "../carried.ts";
import type { GatewayAgent } from "../gateway-agent.ts";
import { readBody } from "./read-body.ts";
import { emptyReply, textReply } from "./reply.ts";

export interface LbaasAccess {
  /** Undefined: /v1 is not served. */
  readonly key?: Uint8Array;
  /** `beyond-loopback`: a token that never expires is accepted from this machine only. */
  readonly expiry: "beyond-loopback" | "optional";
  readonly maxBytes: number;
}

export interface LbaasApply {
  answer(question: HttpQuestion): Promise<HttpReply>;
  /** When an authenticated request was last answered with a status, in seconds since 1970. */
  readonly lastAnswers: ReadonlyMap<number, number>;
}

interface LbaasParts {
  readonly agent: Pick<GatewayAgent, "apply">;
  readonly tokens: Tokens;
  readonly clock: Clock;
}

export function lbaasApply({ key, expiry, maxBytes }: LbaasAccess, { agent, tokens, clock }: LbaasParts): LbaasApply {
  const lastAnswers = new Map<number, number>();
  const told = (reply: HttpReply): HttpReply => {
    lastAnswers.set(reply.status, clock.nowMs() / 1_000);
    return reply;
  };
  const answer = async (question: HttpQuestion): Promise<HttpReply> => {
    const early = refusedBeforeBody(question, maxBytes);
    if (early !== undefined) return emptyReply(early);
    const token = await readToken(question, maxBytes);
    if (typeof token === "number") return emptyReply(token);
    const claims = key === undefined ? undefined : tokens.verify(token, key, ["HS256", "HS384", "HS512"]);
    const needsExpiry = expiry === "beyond-loopback" && !question.peer.isLoopback;
    if (!isRecord(claims) || !areGood(claims, clock.nowMs() / 1_000, needsExpiry)) return emptyReply(400);
    const decoded = decodeLbaas(fieldOf(claims, "load-balancer-config"));
    if (!decoded.ok && decoded.problems.length === 0) return emptyReply(400);
    if (!decoded.ok) return told(textReply(400, decoded.problems.join("\n")));
    return told(replyTo(await agent.apply({ kind: "v1", config: decoded.config })));
  };
  return { answer, lastAnswers };
}

const token = "[!#$%&'*+.^_`|~\\w-]+";
const mediaType = new RegExp(`^\\s*(${token}(?:/${token})?)\\s*(?:;\\s*${token}=(?:${token}|"[^"]*")\\s*)*;?\\s*$`);
const mostContentLength = 2 ** 31 - 1;

function refusedBeforeBody({ method, headers }: HttpQuestion, maxBytes: number): number | undefined {
  if (method !== "POST") return 405;
  const type = mediaType.exec(headers["content-type"] ?? "")?.[1]?.toLowerCase();
  if (type === undefined) return 400;
  if (type !== "application/jwt") return 415;
  const length = headers["content-length"] ?? "";
  if (!/^\d+$/.test(length) || Number(length) > mostContentLength) return 400;
  return Number(length) > maxBytes ? 413 : undefined;
}

/** The token, or the status that refuses it. */
async function readToken(question: HttpQuestion, maxBytes: number): Promise<string | number> {
  try {
    const body = await readBody(question, maxBytes);
    return body === "too-long" ? 413 : new TextDecoder().decode(body).trimEnd();
  } catch {
    // It ended before its length, or took too long.
    return 400;
  }
}

/** Numbers and texts of the standard's claims: the reference reads whole seconds, and a single audience. 0 counts as absent. */
function areGood(claims: Readonly<Record<string, unknown>>, now: number, needsExpiry: boolean): boolean {
  const [exp, iat, nbf] = ["exp", "iat", "nbf"].map((name) => fieldOf(claims, name) ?? 0);
  const texts = ["aud", "jti", "iss", "sub"].map((name) => fieldOf(claims, name) ?? "");
  if (!isWhole(exp) || !isWhole(iat) || !isWhole(nbf) || texts.some((text) => typeof text !== "string")) return false;
  if (exp === 0 ? needsExpiry : exp < Math.floor(now) - clockLeewaySeconds) return false;
  return [iat, nbf].every((from) => from <= now + clockLeewaySeconds);
}

function isWhole(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value);
}

/** Names match in any case; the exact one first. */
function fieldOf(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return Object.entries(claims).find(([key]) => key.toLowerCase() === name)?.[1];
}

function replyTo(outcome: ApplyOutcome): HttpReply {
  switch (outcome.kind) {
    case "applied":
      return textReply(200, "success");
    case "failed":
      return textReply(500, `Failed to apply ${outcome.part} config: ${outcome.message}`);
    case "refused":
      return textReply(outcome.why === "stopped" ? 503 : 409, outcome.message);
  }
}
