// Refusals as the real server words them: a Status object, ready to send. Thrown anywhere inside the fake, answered in one place.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { present } from "../../../../core/present.ts";
import { conflictMessage } from "../apply/conflicts.ts";
import type { JsonObject } from "../json.ts";
import { stringAt } from "../schema/json-value.ts";

export interface GroupResource {
  readonly group: string;
  readonly plural: string;
}

export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

export class ApiError extends Error {
  readonly code: number;
  readonly status: JsonObject;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: JsonObject, headers: Readonly<Record<string, string>> = {}) {
    super(stringAt(status, "message"));
    this.name = "ApiError";
    this.code = typeof status["code"] === "number" ? status["code"] : 500;
    this.status = status;
    this.headers = headers;
  }
}

function failure(code: number, reason: string | undefined, message: string, details?: JsonObject): ApiError {
  return new ApiError({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    ...present({ reason, details }),
    code,
  });
}

function qualified({ group, plural }: GroupResource): string {
  return group === "" ? plural : `${plural}.${group}`;
}

function detailsOf(resource: GroupResource, name: string): JsonObject {
  return {
    ...(name === "" ? {} : { name }),
    ...(resource.group === "" ? {} : { group: resource.group }),
    kind: resource.plural,
  };
}

export function notFound(resource: GroupResource, name: string): ApiError {
  return failure(404, "NotFound", `${qualified(resource)} "${name}" not found`, detailsOf(resource, name));
}

export function noSuchResource(): ApiError {
  return failure(404, "NotFound", "the server could not find the requested resource", {});
}

export function alreadyExists(resource: GroupResource, name: string): ApiError {
  return failure(409, "AlreadyExists", `${qualified(resource)} "${name}" already exists`, detailsOf(resource, name));
}

export function conflict(resource: GroupResource, name: string, why: string, causes: readonly FieldCause[] = []) {
  return failure(409, "Conflict", `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`, {
    ...detailsOf(resource, name),
    ...causesOf(causes),
  });
}

export function modifiedMeanwhile(resource: GroupResource, name: string): ApiError {
  return conflict(
    resource,
    name,
    "the object has been modified; please apply your changes to the latest version and try again",
  );
}

export function applyConflict(conflicts: readonly FieldCause[]): ApiError {
  return failure(409, "Conflict", conflictMessage(conflicts), causesOf(conflicts));
}

export function refusedApply({
  status,
  message,
}: {
  readonly status: 400 | 422 | 500;
  readonly message: string;
}): ApiError {
  return failure(status, status === 400 ? "BadRequest" : status === 422 ? "Invalid" : undefined, message);
}

export function invalidObject({ group, kind }: GroupKind, name: string, causes: readonly FieldCause[]): ApiError {
  const named = group === "" ? kind : `${kind}.${group}`;
  const lines = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))];
  const text = lines.length === 1 ? lines[0] : `[${lines.join(", ")}]`;
  return failure(422, "Invalid", `${named} "${name}" is invalid: ${text}`, {
    ...(name === "" ? {} : { name }),
    ...(group === "" ? {} : { group }),
    ...(kind === "" ? {} : { kind }),
    ...causesOf(causes),
  });
}

export function badRequest(message: string): ApiError {
  return failure(400, "BadRequest", message);
}

export function serverError(message: string): ApiError {
  return failure(500, undefined, message);
}

export function unauthorized(): ApiError {
  return failure(401, "Unauthorized", "Unauthorized");
}

export function forbidden(resource: GroupResource, name: string, why: string, causes: readonly FieldCause[] = []) {
  return failure(403, "Forbidden", `${qualified(resource)} "${name}" is forbidden: ${why}`, {
    ...detailsOf(resource, name),
    ...causesOf(causes),
  });
}

export function methodNotAllowed(): ApiError {
  return failure(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", {});
}

export function notAcceptable(accepted: string): ApiError {
  return failure(406, "NotAcceptable", `only the following media types are accepted: ${accepted}`);
}

export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`;
  return failure(415, "UnsupportedMediaType", message);
}

export function unprocessable(): ApiError {
  return failure(422, "Invalid", "the server rejected our request due to an error in our request", {});
}

export function expired(message: string, continueToken?: string): ApiError {
  const error = failure(410, "Expired", message);
  if (continueToken === undefined) return error;
  return new ApiError({ ...error.status, metadata: { continue: continueToken } });
}

export function versionTooLarge(asked: number, current: number): ApiError {
  const message = `Timeout: Too large resource version: ${asked}, current: ${current}`;
  return failure(504, "Timeout", message, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    retryAfterSeconds: 1,
  });
}

function causesOf(causes: readonly FieldCause[]): JsonObject {
  if (causes.length === 0) return {};
  return { causes: causes.map(({ reason, message, field }) => ({ reason, message, field })) };
}
