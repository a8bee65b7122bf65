// Does a webhook care about this write? Rules, scope, namespace and object selectors.

import type { JsonObject } from "../json.ts";
import { objectsAt, stringsAt } from "../json-lists.ts";
import { selects } from "../label-selection.ts";
import { isJsonObject, objectAt, stringAt } from "../schema/json-value.ts";
import type { AdmissionRequest, AdmissionWorld } from "./webhooks.ts";

/**
 * The version in which the webhook wants to see the object: that of the request when a rule names it, else, unless the
 * webhook insists on exact matches, another served version of the same resource. Undefined: no rule matches.
 */
export function matchingVersion(webhook: JsonObject, request: AdmissionRequest): string | undefined {
  const rules = objectsAt(webhook, "rules").filter((rule) => matchesButVersion(rule, request));
  const named = (version: string) => rules.some((rule) => has(stringsAt(rule, "apiVersions"), version));
  if (named(request.version)) return request.version;
  if (stringAt(webhook, "matchPolicy") === "Exact") return undefined;
  return request.resource.versions.find(({ name, served }) => served && named(name))?.name;
}

function matchesButVersion(rule: JsonObject, request: AdmissionRequest): boolean {
  const { resource, subresource, operation } = request;
  return (
    has(stringsAt(rule, "operations"), operation) &&
    has(stringsAt(rule, "apiGroups"), resource.group) &&
    stringsAt(rule, "resources").some((pattern) => resourceMatches(pattern, resource.plural, subresource ?? "")) &&
    scopeMatches(stringAt(rule, "scope"), request)
  );
}

function has(list: readonly string[], word: string): boolean {
  return list.includes("*") || list.includes(word);
}

/** `pods` is the resource alone, `pods/*` the resource and all its parts, and `*` no parts either. */
function resourceMatches(pattern: string, plural: string, subresource: string): boolean {
  const [wantedResource = "", wantedPart = ""] = pattern.split("/");
  return (wantedResource === "*" || wantedResource === plural) && (wantedPart === "*" || wantedPart === subresource);
}

function scopeMatches(scope: string, { resource, namespace }: AdmissionRequest): boolean {
  if (scope === "" || scope === "*") return true;
  const namespaced = resource.namespaced && namespace !== undefined;
  return namespaced === (scope === "Namespaced");
}

export function selectorsMatch(webhook: JsonObject, request: AdmissionRequest, world: AdmissionWorld): boolean {
  return namespaceMatches(objectAt(webhook, "namespaceSelector"), request, world) && objectMatches(webhook, request);
}

/** A Namespace is selected by its own labels; other cluster-scoped objects always. */
function namespaceMatches(selector: JsonObject, request: AdmissionRequest, world: AdmissionWorld): boolean {
  const { resource, namespace, name, object, oldObject } = request;
  if (resource.group === "" && resource.kind === "Namespace") {
    return selects(selector, labelsOf(object ?? world.namespace(name) ?? oldObject));
  }
  return !resource.namespaced || namespace === undefined || selects(selector, labelsOf(world.namespace(namespace)));
}

/** Either state of the object is enough. */
function objectMatches(webhook: JsonObject, { object, oldObject }: AdmissionRequest): boolean {
  const selector = objectAt(webhook, "objectSelector");
  return [object, oldObject].filter(isJsonObject).some((state) => selects(selector, labelsOf(state)));
}

function labelsOf(object: JsonObject | undefined): JsonObject {
  return objectAt(objectAt(object, "metadata"), "labels");
}
