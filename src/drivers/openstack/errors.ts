// Turns an answer with an error status into an OpenStackError; this is the only place that does. The service's message becomes the
// error's; its code comes from status and error type. Only a quota of Octavia's is recognised by its text, because it has no type.

import { z } from "zod";
import { codeOfRefusal, OpenStackError, type OpenStackErrorCode } from "../../core/openstack/openstack-error.ts";
import { present } from "../../core/present.ts";
import { firstLine } from "../http/first-line.ts";
import type { HttpAnswer } from "../http/http-answer.ts";
import type { Redact } from "./login/secrets.ts";
import { describeSubject, operationOf, type Subject } from "./login/subject.ts";

interface Fault {
  readonly message: string;
  readonly type?: string;
}

const octaviaFault = z.object({ faultstring: z.string() }).transform(({ faultstring }) => ({ message: faultstring }));
const neutronFault = z
  .object({ NeutronError: z.union([z.string(), z.object({ message: z.string(), type: z.string().catch("") })]) })
  .transform(({ NeutronError: fault }) => (typeof fault === "string" ? { message: fault } : fault));
const keystoneFault = z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error);
/** Nova's faults have one key, named after the failure. */
const novaFault = z
  .record(z.string(), z.object({ message: z.string() }))
  .transform((body): Fault | undefined => Object.values(body)[0]);
const faultSchema = z.union([octaviaFault, neutronFault, keystoneFault, novaFault]);

export function errorFromAnswer(subject: Subject, answer: HttpAnswer, nowMs: number, redact: Redact): OpenStackError {
  const fault = decodeFault(answer.text);
  const code = codeOfRefusal(subject.service, { message: "", ...fault, status: answer.status });
  const retry = retryAfterMs(answer.headers, nowMs);
  const { location } = answer.headers;
  const moved = answer.status < 400 && location !== undefined ? `it has moved to ${location}` : undefined;
  const type = fault?.type || undefined;
  const known = hintsByType[type ?? ""] ?? hints[code];
  const hint = moved === undefined ? known : "Correct auth_url or the catalogue: redirections are not followed.";
  const text = moved ?? (fault?.message.trim() || titleOrFirstLine(answer.text) || "the service gave no reason");
  return new OpenStackError({
    code,
    service: subject.service,
    operation: operationOf(subject),
    message: `${describeSubject(subject)}: ${redact(text)} (HTTP ${answer.status})`,
    status: answer.status,
    ...(retry === undefined ? {} : { retryAfterMs: retry }),
    ...present({ hint, type }),
  });
}

/** An answer that cannot be read as what it should be. */
export function unreadable(subject: Subject, status: number, what: string, redact: Redact): OpenStackError {
  return new OpenStackError({
    code: "ServerError",
    service: subject.service,
    operation: operationOf(subject),
    message: `${describeSubject(subject)}: ${redact(what)}`,
    status,
    hint: "Check that the catalogue's address is that service's, and that no proxy in between answers for it.",
  });
}

/** The delay that the service asked for: seconds, or a date. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const value = headers["retry-after"]?.trim();
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

const hints: Readonly<Partial<Record<OpenStackErrorCode, string>>> = {
  Unauthorized: "Check the credentials in the clouds.yaml: they may have expired, or have been changed or revoked.",
  Forbidden: "Give the user the role it needs in this project; for Octavia that is load-balancer_member.",
  QuotaExceeded: "Raise the project's quota, or remove what is no longer needed.",
};

/** Where the code alone would lead to the wrong place. */
const hintsByType: Readonly<Record<string, string>> = {
  AllowedAddressPairExhausted:
    "Ask the cloud's operator to raise max_allowed_address_pair of Neutron, or remove address pairs of this port that are no longer needed.",
};

function decodeFault(text: string): Fault | undefined {
  try {
    return faultSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Of a proxy's HTML page the title says most. */
function titleOrFirstLine(text: string): string {
  const [, title] = /<title>([^<]*)<\/title>/i.exec(text) ?? [];
  return firstLine(title ?? text);
}
