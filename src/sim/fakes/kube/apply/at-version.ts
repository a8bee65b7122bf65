// Views of a custom resource at its other versions, for comparing what managers of different versions own. Where the CRD converts
// by name alone a view is there at once; where a webhook converts, a missing view is asked for and the comparison begins again.

import type { JsonObject } from "../json.ts";
import type { ResourceDefinition } from "../resource.ts";
import { stringAt } from "../schema/json-value.ts";
import type { AtVersion } from "./ownership.ts";

export type ConvertTo = (object: JsonObject, versionName: string) => Promise<JsonObject>;

class ViewMissing extends Error {
  readonly object: JsonObject;
  readonly apiVersion: string;

  constructor(object: JsonObject, apiVersion: string) {
    super(`no view at ${apiVersion} yet`);
    this.object = object;
    this.apiVersion = apiVersion;
  }
}

/** `decide` gets no views when all versions are one; it may be asked several times and must not change anything. */
export async function decideAtVersions<T>(
  resource: ResourceDefinition,
  convert: ConvertTo,
  decide: (atVersion: AtVersion | undefined) => T,
): Promise<T> {
  if (resource.crd === undefined || resource.versions.length < 2) return decide(undefined);
  if (stringAt(resource.crd.conversion, "strategy") !== "Webhook") return decide(viewsOf(resource, relabelled));
  const views = new Map<string, JsonObject>();
  const known = (object: JsonObject, apiVersion: string): JsonObject => {
    const view = views.get(viewKey(object, apiVersion));
    if (view === undefined) throw new ViewMissing(object, apiVersion);
    return view;
  };
  for (;;) {
    try {
      return decide(viewsOf(resource, known));
    } catch (error) {
      if (!(error instanceof ViewMissing)) throw error;
      const { object, apiVersion } = error;
      views.set(viewKey(object, apiVersion), await convert(object, versionName(apiVersion)));
    }
  }
}

function viewsOf(
  resource: ResourceDefinition,
  convert: (object: JsonObject, apiVersion: string) => JsonObject,
): AtVersion {
  return (object, apiVersion) => {
    const version = resource.versions.find((one) => `${resource.group}/${one.name}` === apiVersion);
    if (version === undefined) return undefined;
    const view = object["apiVersion"] === apiVersion ? object : convert(object, apiVersion);
    return { object: view, schema: version.schema };
  };
}

function relabelled(object: JsonObject, apiVersion: string): JsonObject {
  return { ...object, apiVersion };
}

function versionName(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf("/") + 1);
}

/** Each attempt computes its objects anew: they are the same by content, not by identity. */
function viewKey(object: JsonObject, apiVersion: string): string {
  return `${apiVersion} ${JSON.stringify(object)}`;
}
