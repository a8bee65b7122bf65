// Everything that can be wrong with an object before it is stored, all at once: metadata, schema, rules, the kind's own checks.

import type { JsonObject } from "../json.ts";
import type { Change } from "../resource.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import { validateCustomResource } from "../schema/validate-custom-resource.ts";
import { storageKey } from "../server-context.ts";
import { invalidObject } from "./api-error.ts";
import type { Call } from "./call.ts";
import { validateMetadata, validateMetadataUpdate } from "./validate-metadata.ts";

export function checkObject(call: Call, object: JsonObject, old: JsonObject | undefined, change: Change): void {
  const { resource } = call;
  const causes = [
    ...(old === undefined ? [] : validateMetadataUpdate(object, old)),
    ...validateMetadata(object, resource),
    ...(resource.crd === undefined ? [] : validateCustomResource(call.version.schema, object, old)),
    ...(resource.strategy.validate?.(object, old, change) ?? []),
  ];
  if (causes.length === 0) return;
  // A kind that shares storage is validated, and named, as the kind that is stored.
  const [group = ""] = storageKey(resource).split("/");
  throw invalidObject({ group, kind: resource.kind }, stringAt(objectAt(object, "metadata"), "name"), causes);
}
