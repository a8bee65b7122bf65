// Values that a schema takes and refuses, with the words of the refusal.

type Value = Readonly<Record<string, unknown>>;

const text = { type: "string" };
const withFormat = (format: string) => ({ type: "string", format });

export const valueSchema = {
  type: "object",
  properties: {
    whole: { type: "integer" },
    int32: { type: "integer", format: "int32" },
    real: { type: "number" },
    low: { type: "integer", minimum: 2 },
    above: { type: "integer", minimum: 2, exclusiveMinimum: true },
    high: { type: "integer", maximum: 9 },
    even: { type: "integer", multipleOf: 2 },
    flag: { type: "boolean" },
    long: { type: "string", minLength: 2, maxLength: 4 },
    form: { type: "string", pattern: "^a+$" },
    word: { type: "string", enum: ["a", "b"] },
    list: { type: "array", minItems: 1, maxItems: 2, items: text },
    set: { type: "array", "x-kubernetes-list-type": "set", items: text },
    named: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
      items: { type: "object", required: ["k"], properties: { k: text, v: { type: "integer" } } },
    },
    map: { type: "object", minProperties: 1, maxProperties: 2, additionalProperties: { type: "integer" } },
    need: { type: "object", required: ["x"], properties: { x: text } },
    either: { "x-kubernetes-int-or-string": true },
    time: withFormat("date-time"),
    date: withFormat("date"),
    span: withFormat("duration"),
    ipv4: withFormat("ipv4"),
    ipv6: withFormat("ipv6"),
    cidr: withFormat("cidr"),
    mac: withFormat("mac"),
    uuid: withFormat("uuid"),
    bytes: withFormat("byte"),
    uri: withFormat("uri"),
    host: withFormat("hostname"),
    mail: withFormat("email"),
    label: withFormat("k8s-short-name"),
    unknown: withFormat("no-such-format"),
    one: { ...text, oneOf: [{ pattern: "^a" }, { pattern: "b$" }] },
    some: { ...text, anyOf: [{ pattern: "^a" }, { pattern: "b$" }] },
    none: { ...text, not: { pattern: "^a" } },
  },
};

export const acceptedValues: readonly (readonly [what: string, value: Value])[] = [
  ["a whole number with a zero fraction", { whole: 2.0 }],
  ["a whole number for a real one", { real: 1 }],
  ["four characters of more than one byte", { long: "äöüß" }],
  ["a number or a text", { either: "50%" }],
  ["a number where text might be", { either: 5 }],
  ["a time with an offset", { time: "2020-01-01T00:00:00+01:00" }],
  ["durations of people", { span: "1 h" }],
  ["a text of an unknown format", { unknown: "anything" }],
  ["one of two alternatives", { one: "ax" }],
  ["the last address", { ipv6: "ffff::1" }],
  ["a name of one label", { label: "a-1" }],
];

const invalid = (field: string, value: string, detail: string) =>
  ["FieldValueInvalid", `spec.${field}`, `Invalid value: ${value}: spec.${field} in body ${detail}`] as const;
const wrongType = (field: string, value: string, type: string) =>
  [
    "FieldValueTypeInvalid",
    `spec.${field}`,
    `Invalid value: ${value}: spec.${field} in body must be of type ${type}: ${value}`,
  ] as const;
const whole = (detail: string) => ["FieldValueInvalid", "<nil>", `Invalid value: "": ${detail}`] as const;

export const refusedValues: readonly (readonly [
  what: string,
  value: Value,
  reason: string,
  field: string,
  message: string,
])[] = [
  ["text for a number", { whole: "2" }, ...wrongType("whole", '"string"', "integer")],
  ["a fraction for a whole number", { whole: 2.5 }, ...wrongType("whole", '"number"', "integer")],
  ["a number for text", { form: 1 }, ...wrongType("form", '"integer"', "string")],
  ["text for a flag", { flag: "true" }, ...wrongType("flag", '"string"', "boolean")],
  ["a list for an object", { need: [] }, ...wrongType("need", '"array"', "object")],
  ["a flag for a number or text", { either: true }, ...wrongType("either", '"boolean"', "integer,string")],
  [
    "null in a list",
    { list: [null] },
    "FieldValueTypeInvalid",
    "spec.list[0]",
    'Invalid value: "null": spec.list[0] in body must be of type string: "null"',
  ],
  [
    "a number that needs more bits",
    { int32: 3_000_000_000 },
    ...whole("Checked value must be of type integer with format int32 in spec.int32"),
  ],
  ["less than the minimum", { low: 1 }, ...invalid("low", "1", "should be greater than or equal to 2")],
  ["an exclusive minimum", { above: 2 }, ...invalid("above", "2", "should be greater than 2")],
  ["more than the maximum", { high: 10 }, ...invalid("high", "10", "should be less than or equal to 9")],
  ["an odd number", { even: 3 }, ...invalid("even", "3", "should be a multiple of 2")],
  ["text that is too short", { long: "a" }, ...invalid("long", '"a"', "should be at least 2 chars long")],
  [
    "text that is too long",
    { long: "abcde" },
    "FieldValueTooLong",
    "spec.long",
    "Too long: may not be more than 4 bytes",
  ],
  ["text of another form", { form: "b" }, ...invalid("form", '"b"', "should match '^a+$'")],
  [
    "another word",
    { word: "c" },
    "FieldValueNotSupported",
    "spec.word",
    'Unsupported value: "c": supported values: "a", "b"',
  ],
  ["an empty list", { list: [] }, ...invalid("list", "0", "should have at least 1 items")],
  [
    "too many items",
    { list: ["a", "b", "c"] },
    "FieldValueTooMany",
    "spec.list",
    "Too many: 3: must have at most 2 items",
  ],
  ["one value twice in a set", { set: ["a", "a"] }, "FieldValueDuplicate", "spec.set[1]", 'Duplicate value: "a"'],
  [
    "one key twice in a map list",
    { named: [{ k: "a" }, { k: "a" }] },
    "FieldValueDuplicate",
    "spec.named[1]",
    'Duplicate value: {"k":"a"}',
  ],
  ["an item without its key", { named: [{ v: 1 }] }, "FieldValueRequired", "spec.named[0].k", "Required value"],
  ["an empty map", { map: {} }, ...invalid("map", "0", "should have at least 1 properties")],
  [
    "too many keys",
    { map: { a: 1, b: 2, c: 3 } },
    "FieldValueTooMany",
    "spec.map",
    "Too many: 3: must have at most 2 items",
  ],
  ["a wrong value in a map", { map: { "a.b": "x" } }, ...wrongType("map.a.b", '"string"', "integer")],
  ["an object without a needed field", { need: {} }, "FieldValueRequired", "spec.need.x", "Required value"],
  ["a date for a time", { time: "2020-01-01" }, ...wrongType("time", '"2020-01-01"', "date-time")],
  ["a thirteenth month", { date: "2020-13-01" }, ...wrongType("date", '"2020-13-01"', "date")],
  ["no duration", { span: "xx" }, ...wrongType("span", '"xx"', "duration")],
  ["an IPv6 address for IPv4", { ipv4: "::1" }, ...wrongType("ipv4", '"::1"', "ipv4")],
  ["an IPv4 address for IPv6", { ipv6: "1.2.3.4" }, ...wrongType("ipv6", '"1.2.3.4"', "ipv6")],
  ["an address for a network", { cidr: "1.2.3.4" }, ...wrongType("cidr", '"1.2.3.4"', "cidr")],
  ["no hardware address", { mac: "x" }, ...wrongType("mac", '"x"', "mac")],
  ["no UUID", { uuid: "x" }, ...wrongType("uuid", '"x"', "uuid")],
  ["no base64", { bytes: "%%%" }, ...wrongType("bytes", '"%%%"', "byte")],
  ["no URI", { uri: "::" }, ...wrongType("uri", '"::"', "uri")],
  ["no host name", { host: "-a" }, ...wrongType("host", '"-a"', "hostname")],
  ["no mail address", { mail: "nope" }, ...wrongType("mail", '"nope"', "email")],
  ["no label", { label: "A_" }, ...wrongType("label", '"A_"', "k8s-short-name")],
  [
    "two alternatives at once",
    { one: "ab" },
    ...whole('"spec.one" must validate one and only one schema (oneOf). Found 2 valid alternatives'),
  ],
  ["no alternative", { some: "x" }, ...whole('"spec.some" must validate at least one schema (anyOf)')],
  ["what it must not be", { none: "a" }, ...whole('"spec.none" must not validate the schema (not)')],
];
