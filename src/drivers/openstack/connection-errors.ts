// Failures without an answer, as OpenStackErrors: no connection, a lost one, a deadline, a caller who gave up.

import { MainstayError } from "../../core/errors.ts";
import { OpenStackError } from "../../core/openstack/openstack-error.ts";
import { errorCode } from "../kube/connection-errors.ts";
import { DeadlineStruck } from "../kube/deadline.ts";
import { type Scrub, scrubError } from "./secrets.ts";
import { describeSubject, operationOf, type Subject } from "./subject.ts";

export interface Attempt {
  /** The request has been written, as far as we know. */
  readonly sent: boolean;
  readonly write: boolean;
  /** The caller's own signal, to tell a caller who gave up from a lost connection. */
  readonly signal?: AbortSignal | undefined;
}

export function errorWithoutAnswer(subject: Subject, error: unknown, attempt: Attempt, scrub: Scrub): MainstayError {
  if (error instanceof MainstayError) return error;
  const about = { service: subject.service, operation: operationOf(subject) };
  const cause = scrubError(error, scrub);
  const given = cause === undefined ? {} : { cause };
  const silence = silenceOf(error, attempt);
  if (silence !== undefined) {
    const effect = attempt.write && attempt.sent ? "; the change may or may not have been made" : "";
    const hint = attempt.write && !attempt.sent ? { hint: "The request was never sent." } : {};
    return new OpenStackError({
      ...about,
      ...given,
      ...hint,
      code: "Timeout",
      message: `${describeSubject(subject)}: ${silence}${effect}`,
    });
  }
  const code = errorCode(error);
  const hint = hintFor(code);
  return new OpenStackError({
    ...about,
    ...given,
    code: "Unreachable",
    message: `${describeSubject(subject)}: ${scrub(describe(error, code))}`,
    ...(hint === undefined ? {} : { hint }),
  });
}

/** Broken by the other side or on the way, after it had once been made. */
export function isLostConnection(error: unknown): boolean {
  const code = errorCode(error);
  return code === "ECONNRESET" || code === "EPIPE" || code === "UND_ERR_SOCKET";
}

/** The connection could not be made at all: nothing has left. A certificate that is not trusted stays so. */
export function isNoConnection(error: unknown): boolean {
  return ["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"].includes(
    errorCode(error) ?? "",
  );
}

function silenceOf(error: unknown, { signal }: Attempt): string | undefined {
  if (error instanceof DeadlineStruck) return `no answer within ${Math.round(error.deadlineMs)} ms`;
  if (signal?.aborted === true) return "the caller gave up";
  return undefined;
}

function describe(error: unknown, code: string | undefined): string {
  const inner = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  const text = inner instanceof Error && inner.message !== "" ? inner.message.split("\n", 1)[0]?.trim() : undefined;
  const said = text ?? "the connection failed";
  return code === undefined || said.includes(code) ? said : `${said} (${code})`;
}

function hintFor(code: string | undefined): string | undefined {
  if (code === undefined) return undefined;
  const exact = hintByCode[code];
  if (exact !== undefined) return exact;
  if (code === "EPROTO" || code.startsWith("ERR_SSL")) return "Check that the address speaks TLS, 1.2 or later.";
  return code.includes("CERT") ? untrusted : undefined;
}

const untrusted = "Put the authority that signed the cloud's certificate beside the clouds.yaml, as cacert.";

const hintByCode: Readonly<Record<string, string>> = {
  ERR_PROXY: "Check HTTPS_PROXY and HTTP_PROXY, or list the cloud in NO_PROXY: it was not reached at all.",
  ERR_PROXY_UNTRUSTED:
    "The proxy's certificate is signed by an authority unknown here: name it in NODE_EXTRA_CA_CERTS.",
  ECONNREFUSED: "Check that the service runs and that its address and port in the catalogue are right.",
  ENOTFOUND: "Check the host name in auth_url or in the catalogue, and DNS.",
  EAI_AGAIN: "DNS did not answer; check the resolver.",
  UND_ERR_CONNECT_TIMEOUT: "Check routes and firewalls between here and the cloud.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_HAS_EXPIRED: "The service's certificate has expired: renew it, or check this machine's clock.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate is for another name: correct auth_url or the catalogue.",
};
