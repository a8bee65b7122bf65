// Replies of the agent, in the two forms that it has.

import type { HttpReply } from "../../../../ports/http-service.ts";

export function jsonReply(status: number, value: unknown): HttpReply {
  return { status, headers: { "content-type": "application/json; charset=utf-8" }, body: `${JSON.stringify(value)}\n` };
}

export function textReply(status: number, text: string): HttpReply {
  return { status, headers: { "content-type": "text/plain; charset=utf-8" }, body: text };
}

/** As the reference answers: a status and not a word. */
export function emptyReply(status: number, headers: Readonly<Record<string, string>> = {}): HttpReply {
  return { status, headers, body: "" };
}
