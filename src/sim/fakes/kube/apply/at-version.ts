// Views of a custom resource at its other versions, where the CRD converts by changing nothing but the version's name.
// With a conversion webhook every version is taken to look like the one at hand: asking it would take time.

import type { ResourceDefinition } from "../resource.ts";
import { stringAt } from "../schema/json-value.ts";
import type { AtVersion } from "./ownership.ts";

/** Undefined when all versions share one schema, or none can be told. */
export function atVersionOf(resource: ResourceDefinition): AtVersion | undefined {
  const isWebhook = stringAt(resource.crd?.conversion, "strategy") === "Webhook";
  if (resource.crd === undefined || isWebhook || resource.versions.length < 2) return undefined;
  return (object, apiVersion) => {
    const version = resource.versions.find((one) => `${resource.group}/${one.name}` === apiVersion);
    return version === undefined ? undefined : { object: { ...object, apiVersion }, schema: version.schema };
  };
}
