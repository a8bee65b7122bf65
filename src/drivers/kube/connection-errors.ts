// Failures without an answer, as KubeErrors: no connection, a lost one, a deadline, a caller who gave up.

import { MainstayError } from "../../core/errors.ts";
import { KubeError } from "../../core/kube-error.ts";
import { DeadlineStruck } from "./deadline.ts";
import { describeSubject, type Subject } from "./errors.ts";
import { redact } from "./redact.ts";

export interface Attempt {
  /** The request has been written, as far as we know. */
  readonly sent: boolean;
  readonly write: boolean;
  /** The caller's own signal, to tell a caller who gave up from a lost connection. */
  readonly signal?: AbortSignal | undefined;
}

export function errorWithoutAnswer(subject: Subject, error: unknown, attempt: Attempt): MainstayError {
  if (error instanceof MainstayError) return error;
  if (error instanceof DeadlineStruck)
    return timeout(subject, `no answer within ${error.deadlineMs} ms`, error, attempt);
  if (attempt.signal?.aborted === true) return timeout(subject, "the caller gave up", error, attempt);
  const code = errorCode(error);
  if (code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT") {
    return timeout(subject, "the server fell silent", error, attempt);
  }
  const hint = hintFor(code);
  return new KubeError({
    code: "Unreachable",
    message: `${describeSubject(subject)}: ${describe(error, code)}`,
    cause: error,
    ...(hint === undefined ? {} : { hint }),
  });
}

/** Broken by the other side or on the way, after it had once been made. */
export function isLostConnection(error: unknown): boolean {
  const code = errorCode(error);
  return code === "ECONNRESET" || code === "EPIPE" || code === "UND_ERR_SOCKET";
}

function timeout(subject: Subject, what: string, cause: unknown, { sent, write }: Attempt): KubeError {
  const effect = write && sent ? "; the change may or may not have been made" : "";
  const hint = write && !sent ? { hint: "The request was never sent." } : {};
  return new KubeError({ code: "Timeout", message: `${describeSubject(subject)}: ${what}${effect}`, cause, ...hint });
}

function describe(error: unknown, code: string | undefined): string {
  const inner = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  const text = inner instanceof Error && inner.message !== "" ? inOneLine(inner.message) : "the connection failed";
  return redact(code === undefined || text.includes(code) ? text : `${text} (${code})`);
}

/** OpenSSL dumps its error queue, with source files and line numbers; the last word of the first entry is what happened. */
function inOneLine(text: string): string {
  const [, what] = /error:[0-9A-F]{8}:[^:]*:[^:]*:([^:\n]+)/.exec(text) ?? [];
  return what === undefined ? text.trim() : `TLS failed: ${what}`;
}

/** Node hides the code of a failed connection in the cause, or in the first of several attempts. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  if (error instanceof AggregateError) return errorCode(error.errors[0]);
  return errorCode(error.cause);
}

function hintFor(code: string | undefined): string | undefined {
  if (code === undefined) return undefined;
  const exact = hintByCode[code];
  if (exact !== undefined) return exact;
  if (code === "EPROTO" || code.startsWith("ERR_SSL"))
    return "Check that the address speaks TLS and is an API server's.";
  if (code.startsWith("ERR_OSSL"))
    return "Check the certificates and keys in the kubeconfig: one of them cannot be used.";
  return code.includes("CERT") ? untrusted : undefined;
}

const untrusted =
  "Check certificate-authority of the cluster in the kubeconfig: the server's certificate is signed by another.";

const hintByCode: Readonly<Record<string, string>> = {
  ERR_PROXY: "Check proxy-url of the cluster in the kubeconfig, or HTTPS_PROXY: the API server was not reached at all.",
  ERR_PROXY_UNTRUSTED:
    "The proxy's certificate is signed by an authority unknown here: name it in NODE_EXTRA_CA_CERTS.",
  ECONNREFUSED: "Check that the API server runs and that the address and port are right.",
  ENOTFOUND: "Check the host name of the server, and DNS.",
  EAI_AGAIN: "DNS did not answer; check the resolver.",
  UND_ERR_CONNECT_TIMEOUT: "Check routes and firewalls between here and the API server.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_HAS_EXPIRED: "The server's certificate has expired: renew it, or check this machine's clock.",
  CERT_NOT_YET_VALID: "The server's certificate is not valid yet: check this machine's clock.",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "The certificate is for another name: correct the server address or set tls-server-name.",
};
