// One call of one admission webhook: the review it gets, and what its answer is worth.

import type { Json, JsonObject } from "../json.ts";
import { stringsAt } from "../json-lists.ts";
import { jsonPatch, PatchStepFailed } from "../patch/json-patch.ts";
import { isJsonObject, objectAt, stringAt } from "../schema/json-value.ts";
import { decodePatch } from "./decode-patch.ts";
import { requestBody } from "./review-request.ts";
import type { AdmissionRequest, AdmissionWorld } from "./webhooks.ts";

/** What a webhook's answer does to a write. Nothing refused and no object: go on as before. */
export interface WebhookAnswer {
  readonly warnings: readonly string[];
  readonly object?: JsonObject;
  readonly refused?: JsonObject;
}

export type WebhookResult =
  | { readonly allowed: true; readonly warnings: readonly string[]; readonly object?: JsonObject }
  | { readonly allowed: false; readonly warnings: readonly string[]; readonly status: JsonObject }
  /** The webhook gave no usable answer; `mayIgnore` says whether its failure policy has a say in it. */
  | { readonly failed: string; readonly mayIgnore: boolean };

export async function askWebhook(
  webhook: JsonObject,
  request: AdmissionRequest,
  version: string,
  world: AdmissionWorld,
  kind: "mutating" | "validating",
): Promise<WebhookResult> {
  const seconds = Number(webhook["timeoutSeconds"] ?? 10);
  const seen = await inVersion(request, version, world);
  const uid = world.uuid();
  const apiVersion = stringsAt(webhook, "admissionReviewVersions").find((one) => one === "v1") ?? "v1";
  const body = {
    kind: "AdmissionReview",
    apiVersion: `admission.k8s.io/${apiVersion}`,
    request: requestBody(seen, version, uid),
  };
  const call = {
    clientConfig: objectAt(webhook, "clientConfig"),
    query: `?timeout=${seconds}s`,
    body,
    timeoutMs: seconds * 1000,
  };
  try {
    const response = decodeResponse(await world.callWebhook(call), uid, kind);
    if (response["allowed"] !== true) {
      return { allowed: false, warnings: stringsAt(response, "warnings"), status: objectAt(response, "status") };
    }
    return await patched(webhook, request, seen, response, version, world);
  } catch (error) {
    return { failed: failure(webhook, error instanceof Error ? error.message : String(error)), mayIgnore: true };
  }
}

async function inVersion(request: AdmissionRequest, version: string, world: AdmissionWorld): Promise<AdmissionRequest> {
  if (version === request.version || world.convert === undefined) return request;
  const { object, oldObject } = request;
  return {
    ...request,
    object: object === undefined ? undefined : await world.convert(object, version),
    oldObject: oldObject === undefined ? undefined : await world.convert(oldObject, version),
  };
}

async function patched(
  webhook: JsonObject,
  request: AdmissionRequest,
  seen: AdmissionRequest,
  response: JsonObject,
  version: string,
  world: AdmissionWorld,
): Promise<WebhookResult> {
  const warnings = stringsAt(response, "warnings");
  const encoded = stringAt(response, "patch");
  if (encoded === "" || seen.object === undefined) return { allowed: true, warnings };
  const steps = decodePatch(encoded);
  if ("problem" in steps) return { failed: failure(webhook, steps.problem), mayIgnore: true };
  if (steps.steps.length === 0) return { allowed: true, warnings };
  try {
    const changed = jsonPatch(seen.object, steps.steps);
    if (!isJsonObject(changed)) return { failed: "the patch leaves no object", mayIgnore: false };
    const back =
      version === request.version || world.convert === undefined
        ? changed
        : await world.convert(changed, request.version);
    return { allowed: true, warnings, object: back };
  } catch (error) {
    if (error instanceof PatchStepFailed) return { failed: error.message, mayIgnore: false };
    throw error;
  }
}

function decodeResponse(review: Json, uid: string, kind: "mutating" | "validating"): JsonObject {
  const response = isJsonObject(review) ? review["response"] : undefined;
  if (!isJsonObject(review) || stringAt(review, "kind") !== "AdmissionReview")
    throw invalidResponse("expected an AdmissionReview");
  if (!isJsonObject(response)) throw invalidResponse("webhook response was absent");
  const given = stringAt(response, "uid");
  if (given !== uid)
    throw invalidResponse(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(given)}`);
  const [patch, patchType] = [response["patch"], response["patchType"]];
  if (kind === "validating" && patch !== undefined)
    throw invalidResponse("validating webhook may not return response.patch");
  if (patch !== undefined && patchType === undefined)
    throw invalidResponse("webhook returned response.patch but not response.patchType");
  if (patch === undefined && patchType !== undefined)
    throw invalidResponse("webhook returned response.patchType but not response.patch");
  return response;
}

function invalidResponse(problem: string): Error {
  return new Error(`received invalid webhook response: ${problem}`);
}

function failure(webhook: JsonObject, problem: string): string {
  const words = problem.startsWith("received ") ? problem : `failed to call webhook: ${problem}`;
  return `failed calling webhook ${JSON.stringify(stringAt(webhook, "name"))}: ${words}`;
}
