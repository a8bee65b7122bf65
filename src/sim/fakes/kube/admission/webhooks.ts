// Admission webhooks: which ones a write concerns, in what order they are asked, and what their answers do to it.
// Reaching a webhook is a port; storing what was admitted is somebody else's.

import type { UserInfo } from "../auth/user-info.ts";
import type { JsonObject } from "../json.ts";
import { objectsAt } from "../json-lists.ts";
import type { ResourceDefinition } from "../resource.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import { askWebhook, type WebhookAnswer } from "./ask-webhook.ts";
import { matchConditions } from "./match-conditions.ts";
import { matchingVersion, selectorsMatch } from "./matching.ts";
import { denied, internalError, unevaluable } from "./refusals.ts";
import type { CallWebhook } from "./webhook-call.ts";

export interface AdmissionRequest {
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  readonly resource: ResourceDefinition;
  readonly version: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name: string;
  /** Undefined on DELETE. */
  readonly object: JsonObject | undefined;
  /** Undefined on CREATE. */
  readonly oldObject: JsonObject | undefined;
  readonly options: JsonObject;
  readonly dryRun: boolean;
  readonly user: UserInfo;
}

export interface AdmissionWorld {
  readonly mutatingConfigurations: readonly JsonObject[];
  readonly validatingConfigurations: readonly JsonObject[];
  /** The stored Namespace, for namespace selectors. */
  readonly namespace: (name: string) => JsonObject | undefined;
  readonly callWebhook: CallWebhook;
  readonly uuid: () => string;
  /** The object in another version of its resource, for webhooks whose rules name that version only. */
  readonly convert?: (object: JsonObject, version: string) => Promise<JsonObject>;
}

export type AdmissionOutcome =
  | { readonly object: JsonObject | undefined; readonly warnings: readonly string[] }
  /** A `Status`, ready to send with its own `code`. */
  | { readonly refused: JsonObject; readonly warnings: readonly string[] };

/**
 * Runs the mutating webhooks that match, one after the other; the object comes back changed. When a later webhook changed
 * the object, those that ask to be called again `IfNeeded` get a second look. Before schema validation.
 */
export async function mutate(request: AdmissionRequest, world: AdmissionWorld): Promise<AdmissionOutcome> {
  const webhooks = webhooksOf(world.mutatingConfigurations);
  let { object } = request;
  const warnings: string[] = [];
  const changedBy: JsonObject[] = [];
  for (const round of ["first", "again"] as const) {
    for (const webhook of webhooks) {
      if (round === "again" && !wantsSecondLook(webhook, changedBy)) continue;
      const answer = await consult(webhook, { ...request, object }, world, "mutating");
      warnings.push(...answer.warnings);
      if (answer.refused !== undefined) return { refused: answer.refused, warnings };
      if (answer.object === undefined || answer.object === object) continue;
      object = answer.object;
      changedBy.push(webhook);
    }
  }
  return { object, warnings };
}

/** Asks every validating webhook that matches, at the same time. After schema validation, right before storing. */
export async function validate(request: AdmissionRequest, world: AdmissionWorld): Promise<AdmissionOutcome> {
  const webhooks = webhooksOf(world.validatingConfigurations);
  const answers = await Promise.all(webhooks.map((webhook) => consult(webhook, request, world, "validating")));
  const warnings = answers.flatMap((answer) => answer.warnings);
  const refused = answers.find((answer) => answer.refused !== undefined)?.refused;
  return refused === undefined ? { object: request.object, warnings } : { refused, warnings };
}

/** Configurations by name, the webhooks of each in their own order. */
function webhooksOf(configurations: readonly JsonObject[]): readonly JsonObject[] {
  const name = (configuration: JsonObject) => stringAt(objectAt(configuration, "metadata"), "name");
  return configurations
    .toSorted((a, b) => (name(a) < name(b) ? -1 : 1))
    .flatMap((configuration) => objectsAt(configuration, "webhooks"));
}

/** Only for a change that somebody else made after it was asked. */
function wantsSecondLook(webhook: JsonObject, changedBy: readonly JsonObject[]): boolean {
  return stringAt(webhook, "reinvocationPolicy") === "IfNeeded" && changedBy.some((other) => other !== webhook);
}

async function consult(
  webhook: JsonObject,
  request: AdmissionRequest,
  world: AdmissionWorld,
  kind: "mutating" | "validating",
): Promise<WebhookAnswer> {
  const silent: WebhookAnswer = { warnings: [] };
  const version = matchingVersion(webhook, request);
  if (version === undefined || !selectorsMatch(webhook, request, world)) return silent;
  const ignores = stringAt(webhook, "failurePolicy") === "Ignore";
  const conditions = matchConditions(webhook, request, world);
  if ("problem" in conditions)
    return ignores ? silent : { warnings: [], refused: unevaluable(request, conditions.problem) };
  if (!conditions.match) return silent;
  const answer = await askWebhook(webhook, request, version, world, kind);
  if ("failed" in answer)
    return ignores && answer.mayIgnore ? silent : { warnings: [], refused: internalError(answer.failed) };
  if (answer.allowed)
    return { warnings: answer.warnings, ...(answer.object === undefined ? {} : { object: answer.object }) };
  return { warnings: answer.warnings, refused: denied(stringAt(webhook, "name"), answer.status) };
}
