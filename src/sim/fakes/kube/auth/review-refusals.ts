// How a review that cannot be answered is refused.

import type { JsonObject } from "../json.ts";

export function badReview(message: string): JsonObject {
  return { ...failure, message, reason: "BadRequest", code: 400 };
}

export function invalidReview(field: string, value: string, problem: string): JsonObject {
  const message = `Invalid value: ${value}: ${problem}`;
  const causes = [{ reason: "FieldValueInvalid", message, field }];
  return {
    ...failure,
    message: `.authorization.k8s.io "" is invalid: ${field}: ${message}`,
    reason: "Invalid",
    details: { group: "authorization.k8s.io", causes },
    code: 422,
  };
}

const failure = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure" };
