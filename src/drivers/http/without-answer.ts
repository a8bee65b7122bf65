// Why no answer came: no connection, a lost one, a deadline, or a caller who aborted. Each driver makes its own kind of error from it.

import { DeadlineExceeded } from "./deadline.ts";

export interface Attempt {
  /** The request has been written, as far as we know. */
  readonly sent: boolean;
  readonly write: boolean;
  /** The caller's own signal, to tell a caller who aborted from a lost connection. */
  readonly signal?: AbortSignal | undefined;
}

export interface Timeout {
  readonly what: string;
  readonly hint?: string;
}

/** No answer came in time. Undefined: the connection failed. */
export function timeoutOf(error: unknown, { sent, write, signal }: Attempt): Timeout | undefined {
  const why = whyTimedOut(error, signal);
  if (why === undefined) return undefined;
  if (!write) return { what: why };
  return sent
    ? { what: `${why}; the change may or may not have been made` }
    : { what: why, hint: "The request was not sent." };
}

function whyTimedOut(error: unknown, signal: AbortSignal | undefined): string | undefined {
  if (error instanceof DeadlineExceeded) return `no answer within ${Math.round(error.deadlineMs)} ms`;
  if (signal?.aborted === true) return "the caller aborted the call";
  return ["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"].includes(errorCode(error) ?? "")
    ? "the server stopped answering"
    : undefined;
}

/** The connection was established and then broken, by the other side or on the way. */
export function isLostConnection(error: unknown): boolean {
  return ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].includes(errorCode(error) ?? "");
}

/** The connection could not be made, so that nothing was sent, and may be made later. Not so for an untrusted certificate. */
export function isNoConnection(error: unknown): boolean {
  return ["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"].includes(
    errorCode(error) ?? "",
  );
}

/** Node hides the code of a failed connection in the cause, or in the first of several attempts. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  if (error instanceof AggregateError) return errorCode(error.errors[0]);
  return errorCode(error.cause);
}

/** In one line, with its code. May hold secrets. */
export function describeFailure(error: unknown): string {
  const code = errorCode(error);
  const inner = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  const text = inner instanceof Error && inner.message !== "" ? inOneLine(inner.message) : "the connection failed";
  return code === undefined || text.includes(code) ? text : `${text} (${code})`;
}

/** OpenSSL prints its whole error queue, with source files and line numbers; the last field of the first entry is what happened. */
function inOneLine(text: string): string {
  const [, what] = /error:[0-9A-F]{8}:[^:]*:[^:]*:([^:\n]+)/.exec(text) ?? [];
  return what === undefined ? (text.trim().split("\n", 1)[0] ?? "") : `TLS failed: ${what}`;
}

/** What helps against a failed connection. Each driver has sentences of its own: other files and settings lead to it. */
export interface ConnectionHints {
  readonly byCode: Readonly<Record<string, string>>;
  readonly notTls: string;
  readonly unusableKeys: string;
  readonly untrusted: string;
}

export function hintFor(
  error: unknown,
  { byCode, notTls, unusableKeys, untrusted }: ConnectionHints,
): string | undefined {
  const code = errorCode(error);
  if (code === undefined) return undefined;
  const exact = byCode[code];
  if (exact !== undefined) return exact;
  if (code === "EPROTO" || code.startsWith("ERR_SSL")) return notTls;
  if (code.startsWith("ERR_OSSL")) return unusableKeys;
  return /CERT|SIGNATURE/.test(code) ? untrusted : undefined;
}
