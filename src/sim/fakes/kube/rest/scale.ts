// The `scale` subresource: the replica counts of any scalable kind in one common shape, read and written.

import { invalid } from "../field-cause.ts";
import type { Json, JsonObject } from "../json.ts";
import { textOf } from "../json-text.ts";
import { isJsonObject, objectAt, stringAt } from "../schema/json-value.ts";
import { badRequest, invalidObject, notFound } from "./api-error.ts";
import type { Call } from "./call.ts";
import { storedObject } from "./call.ts";
import { decodeObject, parseBody } from "./decode-body.ts";
import { viewOf } from "./object-view.ts";
import { patchFunction, patchType } from "./patch-object.ts";
import { updateObject } from "./update-object.ts";
import { writeOptions } from "./write-options.ts";

export async function readScale(call: Call): Promise<JsonObject> {
  const { server, resource, version, name } = call;
  const stored = storedObject(call);
  if (stored === undefined) throw notFound(resource, name);
  return scaleOf(call, await viewOf(server, resource, version, stored));
}

export async function writeScale(call: Call): Promise<JsonObject> {
  const { info } = call;
  const options = writeOptions(info, info.method === "PATCH" ? "PatchOptions" : "UpdateOptions");
  const change = info.method === "PATCH" ? patchFunction(call, patchType(call)) : () => parseBody(call, "Scale");
  const whole: Call = { ...call, subresource: undefined };
  const object = await updateObject(whole, options, (live) => {
    const scale = change(scaleOf(call, live));
    if (!isJsonObject(scale)) throw badRequest("the body must be a Scale");
    return { object: decodeObject(whole, withReplicas(call, live, scale), options, "body") };
  });
  return scaleOf(call, object);
}

function scaleOf({ version }: Call, object: JsonObject): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = objectAt(object, "metadata");
  const paths = version.scale;
  const replicas = Number(valueAt(object, paths?.specReplicasPath) ?? 0);
  const selector = selectorText(valueAt(object, paths?.labelSelectorPath));
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas },
    status: {
      replicas: Number(valueAt(object, paths?.statusReplicasPath) ?? 0),
      ...(selector === "" ? {} : { selector }),
    },
  };
}

function withReplicas({ resource, version, name }: Call, live: JsonObject, scale: JsonObject): JsonObject {
  const replicas = objectAt(scale, "spec")["replicas"] ?? 0;
  const path = version.scale?.specReplicasPath ?? ".spec.replicas";
  if (typeof replicas !== "number" || replicas < 0) {
    throw invalidObject(resource, name, [invalid(path, replicas, "should be a non-negative integer")]);
  }
  const resourceVersion = stringAt(objectAt(scale, "metadata"), "resourceVersion");
  const metadata = { ...objectAt(live, "metadata"), ...(resourceVersion === "" ? {} : { resourceVersion }) };
  return { ...withValue(live, words(path), replicas), metadata };
}

function words(path: string): readonly string[] {
  return path.split(".").filter((word) => word !== "");
}

function valueAt(object: JsonObject, path: string | undefined): Json | undefined {
  let value: Json | undefined = object;
  for (const word of words(path ?? "")) value = isJsonObject(value) ? value[word] : undefined;
  return path === undefined ? undefined : value;
}

function withValue(object: JsonObject, [word, ...rest]: readonly string[], value: Json): JsonObject {
  if (word === undefined) return object;
  return { ...object, [word]: rest.length === 0 ? value : withValue(objectAt(object, word), rest, value) };
}

// Built-in kinds hold a selector object, custom resources its text.
function selectorText(value: Json | undefined): string {
  if (!isJsonObject(value)) return typeof value === "string" ? value : "";
  const labels = objectAt(value, "matchLabels");
  return Object.keys(labels)
    .sort()
    .map((key) => `${key}=${textOf(labels[key])}`)
    .join(",");
}
