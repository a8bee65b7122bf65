// Turns answers with an error status, and in-stream errors of a watch, into KubeErrors; this is the only place that does. Failures
// without an answer are in connection-errors.ts.

import { z } from "zod";
import { type FieldCause, KubeError, type KubeErrorCode } from "../../core/kube-error.ts";
import { present } from "../../core/present.ts";
import { firstLine } from "../http/first-line.ts";
import type { HttpAnswer } from "../http/http-answer.ts";
import { redact } from "../http/redact.ts";

/** What a call is about, in words: `get services kube-system/dns`. */
export interface Subject {
  readonly verb: string;
  /** `services`, `leases.coordination.k8s.io`, or `raw`. */
  readonly resource: string;
  /** The object's name with its namespace, or the namespace of a collection. */
  readonly name?: string;
}

// Every field may be absent: proxies and load balancers answer too, and the API server itself leaves most out.
const statusSchema = z.object({
  kind: z.literal("Status"),
  message: z.string().catch(""),
  reason: z.string().optional().catch(undefined),
  code: z.number().optional().catch(undefined),
  metadata: z.object({ continue: z.string().optional() }).optional().catch(undefined),
  details: z
    .object({
      name: z.string().optional(),
      retryAfterSeconds: z.number().optional(),
      causes: z
        .array(z.object({ field: z.string().catch(""), reason: z.string().catch(""), message: z.string().catch("") }))
        .optional(),
    })
    .optional()
    .catch(undefined),
});

type Status = z.infer<typeof statusSchema>;

export function describeSubject({ verb, resource, name }: Subject): string {
  return name === undefined ? `${verb} ${resource}` : `${verb} ${resource} ${name}`;
}

export function errorFromAnswer(subject: Subject, answer: HttpAnswer): KubeError {
  return build(subject, answer.status, decodeStatus(answer.text), answer.text, retryAfterMs(answer.headers));
}

/** An ERROR event: the stream itself answered 200. */
export function errorFromEvent(subject: Subject, object: unknown): KubeError {
  const status = statusSchema.safeParse(object).data;
  return build(subject, status?.code ?? 500, status, "the server sent an error without a status", undefined);
}

/** The delay that the server asked for. Only seconds: the API server never sends a date. */
export function retryAfterMs(headers: Readonly<Record<string, string>>): number | undefined {
  const value = headers["retry-after"]?.trim();
  return value !== undefined && /^\d+$/.test(value) ? Number(value) * 1000 : undefined;
}

function build(
  subject: Subject,
  httpStatus: number,
  status: Status | undefined,
  text: string,
  headerRetryMs: number | undefined,
): KubeError {
  const code = codeOf(httpStatus, status);
  const detailRetry = status?.details?.retryAfterSeconds;
  const retry = headerRetryMs ?? (detailRetry === undefined || detailRetry === 0 ? undefined : detailRetry * 1000);
  const message = status?.message || firstLine(text) || `HTTP ${httpStatus}`;
  const hint = hints[code];
  const causes: readonly FieldCause[] = status?.details?.causes ?? [];
  return new KubeError({
    code,
    message: `${describeSubject(subject)}: ${redact(message)}`,
    status: httpStatus,
    causes,
    ...(status?.reason === undefined ? {} : { statusReason: status.reason }),
    ...(retry === undefined ? {} : { retryAfterMs: retry }),
    ...(status?.metadata?.continue ? { continueToken: status.metadata.continue } : {}),
    ...present({ hint }),
  });
}

function codeOf(httpStatus: number, status: Status | undefined): KubeErrorCode {
  switch (status?.reason) {
    case "AlreadyExists":
      return "AlreadyExists";
    case "Expired":
    case "Gone":
      return "Gone";
    case "Timeout":
    case "ServerTimeout":
      return "Timeout";
    case "Invalid":
      return "Invalid";
    default:
  }
  // An absent object is named in the details; a path that nothing serves is answered without any.
  if (httpStatus === 404) return status?.details?.name ? "NotFound" : "KindNotServed";
  return codeByStatus[httpStatus] ?? (httpStatus >= 400 && httpStatus < 500 ? "BadRequest" : "ServerError");
}

const codeByStatus: Readonly<Record<number, KubeErrorCode>> = {
  401: "Unauthorized",
  403: "Forbidden",
  408: "Timeout",
  409: "Conflict",
  410: "Gone",
  422: "Invalid",
  429: "TooManyRequests",
  504: "Timeout",
};

const hints: Readonly<Partial<Record<KubeErrorCode, string>>> = {
  KindNotServed: "Install the CustomResourceDefinition, or check the version that the server serves.",
  Unauthorized: "Check the credentials of the kubeconfig's user: a token or certificate may have expired.",
  Forbidden: "Grant the verb on this resource with a Role or ClusterRole and a binding.",
  Gone: "List again: the server has forgotten this resource version.",
};

function decodeStatus(text: string): Status | undefined {
  try {
    return statusSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
