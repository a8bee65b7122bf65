// PATCH: which of the four kinds it is, what it makes of the object, and apply's way of creating what is not there.

import { present } from "../../../../core/present.ts";
import { serverSideApply } from "../apply/server-side-apply.ts";
import { invalid } from "../field-cause.ts";
import type { Json, JsonObject } from "../json.ts";
import { parseJsonText } from "../json-text.ts";
import { objectMetaSchema } from "../kinds/builtin-schemas.ts";
import { jsonPatch, type PatchStep, PatchStepFailed } from "../patch/json-patch.ts";
import { mergePatch } from "../patch/merge-patch.ts";
import { BadStrategicPatch, strategicMergePatch } from "../patch/strategic-merge-patch.ts";
import { isJsonList, isJsonObject, objectAt, stringAt } from "../schema/json-value.ts";
import { withMetadata } from "../server-context.ts";
import { admitCreation } from "./admission.ts";
import {
  applyConflict,
  badRequest,
  invalidObject,
  notFound,
  refusedApply,
  unprocessable,
  unsupportedMediaType,
} from "./api-error.ts";
import { type Call, storedObject, withOwnership } from "./call.ts";
import { createObject } from "./create-object.ts";
import { decodeObject, mediaType, parseYaml } from "./decode-body.ts";
import { updateObject } from "./update-object.ts";
import { type WriteOptions, writeOptions } from "./write-options.ts";

const jsonType = "application/json-patch+json";
const mergeType = "application/merge-patch+json";
const strategicType = "application/strategic-merge-patch+json";
const applyType = "application/apply-patch+yaml";

export interface Patched {
  readonly object: JsonObject;
  readonly created: boolean;
}

export async function patchObject(call: Call): Promise<Patched> {
  const type = patchType(call);
  const options = writeOptions(call.info, "PatchOptions", type === applyType);
  if (type === applyType) return applyObject(call, options);
  const change = patchFunction(call, type);
  const object = await updateObject(call, options, (live) => {
    const patched = change(live);
    if (!isJsonObject(patched)) throw unprocessable();
    return { object: decodeObject(call, patched, options, "patch") };
  });
  return { object, created: false };
}

/** What a patch of the request's type makes of a document; also used for `scale`, which is no stored object. */
export function patchFunction(call: Call, type: string): (live: JsonObject) => Json {
  const { body } = call.info;
  if (type === jsonType) return jsonPatchFunction(body);
  const patch = parsePatch(body);
  if (!isJsonObject(patch)) {
    throw badRequest(
      "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}",
    );
  }
  if (type === mergeType) return (live) => mergePatch(live, patch);
  const { properties, ...rest } = call.version.schema;
  const schema = { ...rest, properties: { ...properties, metadata: objectMetaSchema() } };
  return (live) => {
    try {
      return strategicMergePatch(schema, live, patch);
    } catch (error) {
      if (!(error instanceof BadStrategicPatch)) throw error;
      throw invalidObject({ group: "", kind: "" }, "", [invalid("patch", body, error.message)]);
    }
  };
}

export function patchType(call: Call): string {
  const type = mediaType(call.info.headers["content-type"] ?? "none");
  const known =
    call.resource.crd === undefined
      ? [jsonType, mergeType, strategicType, applyType]
      : [jsonType, mergeType, applyType];
  if (!known.includes(type)) throw unsupportedMediaType(known);
  return type;
}

function jsonPatchFunction(body: string): (live: JsonObject) => Json {
  const steps = parsePatch(body);
  if (!isJsonList(steps)) {
    throw badRequest(
      "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp",
    );
  }
  const decoded = steps.map(decodeStep);
  return (live) => {
    try {
      return jsonPatch(live, decoded);
    } catch (error) {
      throw error instanceof PatchStepFailed ? unprocessable() : error;
    }
  };
}

function decodeStep(step: Json): PatchStep {
  if (!isJsonObject(step)) throw badRequest("error decoding patch: a step must be an object");
  const from = stringAt(step, "from");
  const value = step["value"];
  return {
    op: stringAt(step, "op"),
    path: stringAt(step, "path"),
    ...(from === "" ? {} : { from }),
    ...present({ value }),
  };
}

function parsePatch(text: string): Json {
  try {
    return parseJsonText(text);
  } catch (error) {
    throw badRequest(`error decoding patch: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function applyObject(call: Call, options: WriteOptions): Promise<Patched> {
  const raw = parseYaml(call.info.body);
  if (!isJsonObject(raw)) throw badRequest("error decoding YAML: an object is needed");
  const applied = appliedObject(call, raw);
  if (storedObject(call) === undefined) {
    const creates = call.subresource === undefined || call.resource.strategy.createsOnUpdate === true;
    if (!creates || stringAt(objectAt(applied, "metadata"), "uid") !== "") throw notFound(call.resource, call.name);
    admitCreation(call);
    const object = decodeObject(call, await applyTo(call, undefined, applied, options), options, "apply");
    return { object: await createObject(call, object, options, true), created: true };
  }
  const object = await updateObject(call, options, async (live) => {
    const merged = await applyTo(call, live, applied, options);
    return { object: decodeObject(call, merged, options, "apply"), tracked: true };
  });
  return { object, created: false };
}

function appliedObject(call: Call, raw: JsonObject): JsonObject {
  const { resource, name } = call;
  const metadata = objectAt(raw, "metadata");
  const given = stringAt(metadata, "name");
  if (given !== "" && given !== name)
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
  const namespace = resource.namespaced ? { namespace: stringAt(metadata, "namespace") || call.namespace } : {};
  return withMetadata(raw, { name, ...namespace });
}

async function applyTo(
  call: Call,
  live: JsonObject | undefined,
  applied: JsonObject,
  options: WriteOptions,
): Promise<JsonObject> {
  const { fieldManager: manager, force } = options;
  const result = await withOwnership(call, (ownership) =>
    serverSideApply({ ...ownership, live, applied, manager, force }),
  );
  if (!result.ok && result.failure !== undefined) throw refusedApply(result.failure);
  if (!result.ok) throw applyConflict(result.conflicts);
  return result.object;
}
