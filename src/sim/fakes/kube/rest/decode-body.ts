// From the bytes of a request to an object of the kind the URL names: media type, kind, types and unknown fields.

import { parse } from "yaml";
import { invalid } from "../field-cause.ts";
import type { Json, JsonObject } from "../json.ts";
import { parseJsonText } from "../json-text.ts";
import { isJsonObject, stringAt } from "../schema/json-value.ts";
import { prune } from "../schema/prune.ts";
import { validateSchema } from "../schema/validate.ts";
import { badRequest, invalidObject, serverError, unsupportedMediaType } from "./api-error.ts";
import { apiVersionOfCall, type Call } from "./call.ts";
import { decodeMetadata } from "./decode-metadata.ts";
import { goShape } from "./go-shape.ts";
import { defaulted, pruned } from "./object-view.ts";
import type { WriteOptions } from "./write-options.ts";

/** Where the object came from decides who is to blame for nonsense: a body is BadRequest, a patch Invalid, an apply the server's own failure. */
export type Origin = "body" | "patch" | "apply";

export function parseBody(call: Call, kind: string): JsonObject {
  const type = mediaType(call.info.headers["content-type"]);
  if (type !== "application/json" && type !== "application/yaml") {
    throw unsupportedMediaType(["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"]);
  }
  const value = type === "application/yaml" ? parseYaml(call.info.body) : parseJson(call.info.body, kind);
  if (!isJsonObject(value)) throw badRequest(`the object provided is unrecognized (must be of type ${kind})`);
  return value;
}

export function mediaType(header: string | undefined): string {
  const type = (header ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  return type === "" ? "application/json" : type;
}

/** Checks and shapes what a client sent; unknown fields become warnings or, when strict, a refusal. */
export function decodeObject(call: Call, raw: JsonObject, options: WriteOptions, origin: Origin): JsonObject {
  const { resource } = call;
  checkKind(call, raw, origin);
  const apiVersion = apiVersionOfCall(call);
  const metadata = decodeMetadata(raw["metadata"]);
  for (const problem of metadata.problems) throw refusal(call, problem, origin, raw);
  const body = { ...raw, apiVersion, kind: resource.kind, metadata: metadata.value };
  const shaped =
    resource.crd === undefined ? decodeBuiltin(call, body, origin, raw) : pruned(call.version.schema, body);
  const unknown = [...metadata.unknownFields, ...shaped.unknownFields];
  if (unknown.length > 0) reportUnknown(call, unknown, options, origin, raw);
  if (resource.crd !== undefined) return defaulted(call.version.schema, shaped.value);
  return resource.strategy.defaults?.(shaped.value) ?? shaped.value;
}

function decodeBuiltin(call: Call, body: JsonObject, origin: Origin, raw: JsonObject) {
  const { metadata, ...rest } = body;
  const shaped = goShape(call.version.schema, rest);
  const wrongType = validateSchema(call.version.schema, shaped).find(
    ({ reason }) => reason === "FieldValueTypeInvalid",
  );
  if (wrongType !== undefined) throw refusal(call, `${wrongType.field}: ${wrongType.message}`, origin, raw);
  const { value, unknownFields } = prune(call.version.schema, shaped);
  return { value: { ...value, metadata: metadata ?? {} }, unknownFields };
}

function checkKind(call: Call, raw: JsonObject, origin: Origin): void {
  const { resource, version } = call;
  const expected = apiVersionOfCall(call);
  const apiVersion = stringAt(raw, "apiVersion");
  const kind = stringAt(raw, "kind");
  if (resource.crd !== undefined) {
    if (kind === "") {
      const text = JSON.stringify(raw);
      throw badRequest(
        `the object provided is unrecognized (must be of type ${resource.kind}): Object 'Kind' is missing in '${text}' (${text})`,
      );
    }
    if (apiVersion !== expected) {
      const why = `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`;
      throw origin === "patch" ? refusal(call, why, origin, raw) : badRequest(why);
    }
  }
  const kindFits = kind === "" || kind === resource.kind;
  const versionFits = apiVersion === "" || apiVersion === expected;
  if (kindFits && versionFits) return;
  const why = versionFits
    ? `converting (${version.name}.${kind}) to (${resource.group || "core"}.${resource.kind}): unknown conversion`
    : `no kind "${kind}" is registered for version "${apiVersion}" in scheme`;
  if (origin === "patch") throw refusal(call, why, origin, raw);
  const shortVersion = apiVersion.split("/").at(-1) ?? "";
  throw badRequest(`${kind} in version "${shortVersion}" cannot be handled as a ${resource.kind}: ${why}`);
}

function reportUnknown(
  call: Call,
  fields: readonly string[],
  options: WriteOptions,
  origin: Origin,
  raw: JsonObject,
): void {
  const problems = fields.map((field) => `unknown field "${field}"`);
  if (options.fieldValidation === "Warn") call.warnings.push(...problems);
  if (options.fieldValidation === "Strict") {
    throw refusal(call, `strict decoding error: ${problems.join(", ")}`, origin, raw);
  }
}

function refusal(call: Call, why: string, origin: Origin, raw: JsonObject): Error {
  const { kind } = call.resource;
  if (origin === "body")
    return badRequest(`${kind} in version "${call.version.name}" cannot be handled as a ${kind}: ${why}`);
  if (origin === "apply") return serverError(`failed to convert new object to proper version: ${why}`);
  return invalidObject({ group: "", kind: "" }, "", [invalid("patch", JSON.stringify(raw), why)]);
}

function parseJson(text: string, kind: string): Json {
  try {
    return parseJsonText(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${why}`,
    );
  }
}

export function parseYaml(text: string): Json {
  try {
    return canonicalJson(text) ?? (parse(text) as Json);
  } catch (error) {
    throw badRequest(`error parsing YAML: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * Most clients send JSON, which is YAML too and much faster to read. Undefined for whatever JSON does not write exactly so: a field that is
 * there twice, for one, which YAML refuses.
 */
function canonicalJson(text: string): Json | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const value = parseJsonText(text);
    return JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}
