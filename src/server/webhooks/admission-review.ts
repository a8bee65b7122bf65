// Answers an AdmissionReview: all problems at once, each with the field as the user wrote it, and warnings for what has no effect.
// Pure; webhook-server.ts does the HTTP.

import { z } from "zod";
import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { formatProblem, type Problem } from "../../apis/text/problem.ts";
import type { Admission } from "../../core/job/admission.ts";
import { checkWrite } from "./admission-checks.ts";

const objectSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string().optional(), generateName: z.string().optional() }),
});
const reviewSchema = z.object({
  apiVersion: z.literal("admission.k8s.io/v1"),
  kind: z.literal("AdmissionReview"),
  request: z.object({
    uid: z.string(),
    kind: z.object({ group: z.string(), kind: z.string() }),
    resource: z.object({ group: z.string(), resource: z.string() }),
    requestResource: z.object({ version: z.string() }).optional(),
    operation: z.string(),
    name: z.string().optional(),
    object: objectSchema.nullish(),
    oldObject: objectSchema.nullish(),
  }),
});

type Request = z.infer<typeof reviewSchema>["request"];

export interface AdmissionAnswer {
  readonly apiVersion: "admission.k8s.io/v1";
  readonly kind: "AdmissionReview";
  readonly response: Readonly<Record<string, unknown>> & { readonly uid: string; readonly allowed: boolean };
}

/** Throws a ZodError when it is no review. */
export function answerAdmission(review: unknown, admissions: readonly Admission[]): AdmissionAnswer {
  const { apiVersion, kind, request } = reviewSchema.parse(review);
  return { apiVersion, kind, response: { uid: request.uid, ...decide(request, admissions) } };
}

function decide(
  request: Request,
  admissions: readonly Admission[],
): { readonly allowed: boolean; readonly [field: string]: unknown } {
  const { resource, operation, object, oldObject } = request;
  if (object === null || object === undefined || (operation !== "CREATE" && operation !== "UPDATE"))
    return { allowed: true };
  const before = operation === "UPDATE" && oldObject ? (oldObject as KubeObject) : undefined;
  const write = {
    resource: `${resource.resource}.${resource.group}`,
    version: request.requestResource?.version ?? "",
    after: object as KubeObject,
    before,
  };
  const checked = checkWrite(write, admissions);
  if (checked === undefined) return refused(request, []);
  const { problems, warnings } = checked;
  const warned = warnings.length === 0 ? {} : { warnings };
  return problems.length === 0 ? { allowed: true, ...warned } : { ...refused(request, problems), ...warned };
}

function refused({ kind, name, object }: Request, problems: readonly Problem[]) {
  const who = `${kind.kind} ${JSON.stringify(name || object?.metadata.name || object?.metadata.generateName || "")}`;
  const words = problems.map(formatProblem).join(" ");
  const causes = problems.map(({ where, message, hint }) => ({
    reason: "FieldValueInvalid",
    field: where,
    message: `${message}. ${hint}`,
  }));
  const message =
    problems.length === 0 ? `${who}: this webhook knows nothing of the kind` : `${who} is invalid: ${words}`;
  const details = { name: name ?? "", group: kind.group, kind: kind.kind, causes };
  return { allowed: false, status: { status: "Failure", code: 422, reason: "Invalid", message, details } };
}
