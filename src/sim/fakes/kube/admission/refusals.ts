// How the client learns that a webhook said no, or gave no answer.

import type { JsonObject } from "../json.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import type { AdmissionRequest } from "./webhooks.ts";

const failure = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure" };

/** The webhook's own status with its own words; a code that is no failure becomes 400. */
export function denied(webhook: string, status: JsonObject): JsonObject {
  const reason = stringAt(status, "reason");
  const words = stringAt(status, "message") || reason;
  const start = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const code = Number(status["code"] ?? 0);
  return {
    ...failure,
    message: words === "" ? `${start} without explanation` : `${start}: ${words}`,
    ...(reason === "" ? {} : { reason }),
    ...(status["details"] === undefined ? {} : { details: objectAt(status, "details") }),
    code: code >= 400 && code < 600 ? code : 400,
  };
}

export function internalError(problem: string): JsonObject {
  return {
    ...failure,
    message: `Internal error occurred: ${problem}`,
    reason: "InternalError",
    details: { causes: [{ message: problem }] },
    code: 500,
  };
}

/** A match condition that fails while it is evaluated. */
export function unevaluable({ resource: { group, plural }, name }: AdmissionRequest, problem: string): JsonObject {
  return {
    ...failure,
    message: `${group === "" ? plural : `${plural}.${group}`} ${JSON.stringify(name)} is forbidden: ${problem}`,
    reason: "Forbidden",
    details: { name, ...(group === "" ? {} : { group }), kind: plural },
    code: 403,
  };
}
