// ConfigMaps and Secrets: keys, encodings, and what `immutable` forbids.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { forbidden, immutableField, invalid, required } from "../field-cause.ts";
import type { JsonObject } from "../json.ts";
import { textOf } from "../json-text.ts";
import type { ResourceStrategy } from "../resource.ts";
import { badRequest } from "../rest/api-error.ts";
import { configKeyProblems } from "../rest/name-rules.ts";
import { isJsonObject, objectAt, sameJson, stringAt } from "../schema/json-value.ts";

const frozen = "field is immutable when `immutable` is set";

const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/dockercfg": [".dockercfg"],
  "kubernetes.io/ssh-auth": ["ssh-privatekey"],
};

export const configMapStrategy: ResourceStrategy = {
  validate: (object, old) => {
    const data = objectAt(object, "data");
    const binary = objectAt(object, "binaryData");
    const duplicates = Object.keys(data).filter((key) => key in binary);
    return [
      ...(old === undefined ? [] : immutableCauses(object, old, ["data", "binaryData"])),
      ...keyCauses(data, "data"),
      ...duplicates.map((key) => invalid(`data[${key}]`, key, "duplicate of key present in binaryData")),
      ...keyCauses(binary, "binaryData"),
    ];
  },
};

export const secretStrategy: ResourceStrategy = {
  defaults: ({ stringData, ...secret }) => {
    const plain = isJsonObject(stringData) ? stringData : {};
    const encoded = Object.entries(plain).map(([key, value]) => [key, encode(textOf(value))] as const);
    const data = { ...objectAt(secret, "data"), ...Object.fromEntries(encoded) };
    for (const value of Object.values(data)) checkBase64(textOf(value));
    const type = stringAt(secret, "type") || "Opaque";
    const { data: _given, ...rest } = secret;
    return { ...rest, type, ...(Object.keys(data).length === 0 ? {} : { data }) };
  },
  validate: (secret, old) => {
    const data = objectAt(secret, "data");
    const type = stringAt(secret, "type");
    const missing = missingKeys(type, data);
    return [
      ...(old !== undefined && type !== old["type"] ? [immutableField("type", type)] : []),
      ...(old === undefined ? [] : immutableCauses(secret, old, ["data"])),
      ...keyCauses(data, "data"),
      ...missing.map((key) => required(`data[${key}]`)),
    ];
  },
  selectableFields: (secret) => ({ type: stringAt(secret, "type") }),
};

function missingKeys(type: string, data: JsonObject): readonly string[] {
  const isMissing = (key: string): boolean => data[key] === undefined;
  // One of the two will do.
  const login = ["username", "password"];
  if (type === "kubernetes.io/basic-auth") return login.every(isMissing) ? login : [];
  return (requiredKeys[type] ?? []).filter(isMissing);
}

function keyCauses(data: JsonObject, field: string): readonly FieldCause[] {
  return Object.keys(data).flatMap((key) => configKeyProblems(key).map((why) => invalid(`${field}[${key}]`, key, why)));
}

function immutableCauses(object: JsonObject, old: JsonObject, fields: readonly string[]): readonly FieldCause[] {
  if (old["immutable"] !== true) return [];
  const changed = fields.filter((field) => !sameJson(objectAt(object, field), objectAt(old, field)));
  return ["immutable", ...changed]
    .filter((field) => field !== "immutable" || object["immutable"] !== true)
    .map((field) => forbidden(field, frozen));
}

function encode(text: string): string {
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCodePoint(byte);
  return btoa(binary);
}

function checkBase64(text: string): void {
  if (text.length % 4 === 0 && /^[A-Za-z0-9+/\n]*={0,2}$/.test(text)) return;
  const at = Math.max(0, text.search(/[^A-Za-z0-9+/=\n]/));
  throw badRequest(`Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte ${at}`);
}
