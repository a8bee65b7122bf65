// PUT /v2/config: a whole document, or with `base` a change of the one that the gateway carries. Nothing is touched before all of it has
// been read, authenticated and decoded.

import { z } from "zod";
import type { HttpQuestion, HttpReply } from "../../../../ports/http-service.ts";
import type { ApplyAnswer } from "../../core/model/agent-answers.ts";
import type { ApplyRequest } from "../apply/waiting-request.ts";
import type { ApplyOutcome, Refusal } from "../carried.ts";
import type { Dataplane } from "../dataplane.ts";
import { jsonReply } from "./reply.ts";

export function isJson({ headers }: Pick<HttpQuestion, "headers">): boolean {
  return /^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "");
}

const version = z.object({ epoch: z.int().min(0), generation: z.int().min(0) });
const delta = z.looseObject({ base: version, version });

export function decodeConfig(
  body: Uint8Array,
  dataplane: Pick<Dataplane, "decode">,
): { readonly request: ApplyRequest } | { readonly problems: readonly string[] } {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return { problems: ["the body is no JSON"] };
  }
  if (typeof value === "object" && value !== null && "base" in value) {
    const parsed = delta.safeParse(value);
    if (!parsed.success) return { problems: ["base and version need an epoch and a generation"] };
    return { request: { kind: "delta", base: parsed.data.base, version: parsed.data.version, value } };
  }
  const decoded = dataplane.decode(value);
  if (decoded.kind === "malformed") return { problems: decoded.problems };
  return { request: { kind: "whole", document: decoded.document, unreadable: decoded.unreadable } };
}

export function replyToApply(outcome: ApplyOutcome): HttpReply {
  if (outcome.kind === "applied") {
    const answer: ApplyAnswer = { carries: outcome.carries, problems: outcome.problems };
    return jsonReply(200, answer);
  }
  const { kind, message, ...rest } = outcome;
  return jsonReply(kind === "failed" ? 500 : statusOf[outcome.why], { error: message, ...rest });
}

const statusOf: Readonly<Record<Refusal, number>> = {
  invalid: 400,
  older: 409,
  "other-content": 409,
  "wrong-base": 409,
  superseded: 409,
  "v2-in-use": 409,
  stopped: 503,
};
