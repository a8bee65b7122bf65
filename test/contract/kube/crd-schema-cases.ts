// Schemas of `spec.a` that a server must take, and those it must refuse: with the reason and where, below that field.

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: "string" };
const list = (more: Schema, items: Schema = text): Schema => ({ type: "array", items, ...more });
const mapList = (items: Schema, keys: readonly string[] = ["k"]): Schema =>
  list(
    { "x-kubernetes-list-type": "map", ...(keys.length === 0 ? {} : { "x-kubernetes-list-map-keys": keys }) },
    items,
  );
const withKey = (key: Schema, more: Schema = {}): Schema => ({ type: "object", properties: { k: key }, ...more });
const required = "FieldValueRequired";
const forbidden = "FieldValueForbidden";
const invalid = "FieldValueInvalid";
const unsupported = "FieldValueNotSupported";
const wrongType = "FieldValueTypeInvalid";

export const acceptedSchemas: readonly (readonly [what: string, schema: Schema])[] = [
  [
    "int-or-string that spells out its types",
    { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, text] },
  ],
  ["additionalProperties of true", { type: "object", additionalProperties: true }],
  [
    "value validations on fields inside anyOf",
    { type: "object", properties: { b: text }, anyOf: [{ properties: { b: { pattern: "a" } } }] },
  ],
  ["a null default", { ...text, default: null }],
  ["map keys with a default", mapList(withKey({ ...text, default: "x" }))],
  [
    "a set of atomic objects",
    list({ "x-kubernetes-list-type": "set" }, withKey(text, { "x-kubernetes-map-type": "atomic" })),
  ],
  ["anything at all", { "x-kubernetes-preserve-unknown-fields": true }],
  [
    "an embedded resource",
    { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
  ],
];

export const refusedSchemas: readonly (readonly [what: string, schema: Schema, reason: string, at: string])[] = [
  ["a field without a type", {}, required, "type"],
  ["items without a type", list({}, {}), required, "items.type"],
  ["a list without items", { type: "array" }, required, "items"],
  ["an unknown type", { type: "foo" }, unsupported, "type"],
  [
    "properties beside additionalProperties",
    { type: "object", properties: { b: text }, additionalProperties: text },
    forbidden,
    "additionalProperties",
  ],
  ["uniqueItems", list({ uniqueItems: true }), forbidden, "uniqueItems"],
  ["a reference", { $ref: "#/x" }, forbidden, "$ref"],
  ["a type inside allOf", { ...text, allOf: [text] }, forbidden, "allOf[0].type"],
  ["a default inside anyOf", { ...text, anyOf: [{ default: "x" }] }, forbidden, "anyOf[0].default"],
  ["a description inside oneOf", { ...text, oneOf: [{ description: "x" }] }, forbidden, "oneOf[0].description"],
  [
    "rules inside allOf",
    { ...text, allOf: [{ "x-kubernetes-validations": [{ rule: "true" }] }] },
    forbidden,
    "allOf[0].x-kubernetes-validations",
  ],
  ["a default of the wrong type", { type: "integer", default: "x" }, wrongType, "default"],
  ["a default with the wrong inside", { ...withKey(text), default: { k: 1 } }, wrongType, "default.k"],
  ["a default with unknown fields", { ...withKey(text), default: { z: 1 } }, invalid, "default"],
  ["a broken pattern", { ...text, pattern: "(" }, invalid, "pattern"],
  ["a pattern that is not RE2", { ...text, pattern: "(?=a)" }, invalid, "pattern"],
  ["a map list without keys", mapList(withKey(text), []), required, "x-kubernetes-list-map-keys"],
  ["a map list with a key that is no field", mapList(withKey(text), ["z"]), invalid, "x-kubernetes-list-map-keys"],
  ["a map list with a key that may be absent", mapList(withKey(text)), required, "items.properties[k].default"],
  [
    "a map list with an object for a key",
    mapList(withKey({ type: "object" }, { required: ["k"] })),
    invalid,
    "items.properties[k].type",
  ],
  ["a map list of texts", mapList(text), invalid, "items.type"],
  [
    "keys without a map list",
    list({ "x-kubernetes-list-map-keys": ["k"] }, withKey(text)),
    required,
    "x-kubernetes-list-type",
  ],
  [
    "a set of objects",
    list({ "x-kubernetes-list-type": "set" }, withKey(text)),
    invalid,
    "items.x-kubernetes-map-type",
  ],
  ["a list type on an object", { type: "object", "x-kubernetes-list-type": "set" }, invalid, "type"],
  ["an unknown list type", list({ "x-kubernetes-list-type": "foo" }), unsupported, "x-kubernetes-list-type"],
  ["a map type on a list", list({ "x-kubernetes-map-type": "atomic" }), invalid, "type"],
  [
    "preserving unknown fields by false",
    { type: "object", "x-kubernetes-preserve-unknown-fields": false },
    invalid,
    "x-kubernetes-preserve-unknown-fields",
  ],
  [
    "an embedded resource without fields",
    { type: "object", "x-kubernetes-embedded-resource": true },
    required,
    "properties",
  ],
];
