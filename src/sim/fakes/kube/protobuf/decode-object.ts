// An object that a client sent as protocol buffers, as the JSON it stands for. Only what kubectl sends is understood;
// anything else is not guessed at but left to the caller to refuse.

import type { Json, JsonObject } from "../json.ts";
import { listAt, objectAt } from "../schema/json-value.ts";
import { kinds, type Message, messages } from "./messages.ts";
import { readFields, type WireField } from "./wire.ts";

/** Every encoded object begins with these bytes. */
const magic = [0x6b, 0x38, 0x73, 0x00];

class NotUnderstood extends Error {}

/** Undefined: not an object of a kind we know, or with a field we do not know. */
export function decodeProtobufObject(bytes: Uint8Array): JsonObject | undefined {
  if (!magic.every((byte, i) => bytes[i] === byte)) return undefined;
  try {
    const envelope = readFields(bytes.subarray(magic.length));
    const type = readFields(bytesOf(envelope, 1));
    const [apiVersion, kind] = [text(bytesOf(type, 1)), text(bytesOf(type, 2))];
    const name = kinds[`${apiVersion}/${kind}`];
    if (name === undefined) return undefined;
    return { apiVersion, kind, ...decodeMessage(bytesOf(envelope, 2), messageNamed(name)) };
  } catch (error) {
    if (error instanceof NotUnderstood || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Empty values are absent in JSON: the sender writes every plain field, set or not. */
function decodeMessage(bytes: Uint8Array, message: Message): JsonObject {
  const object: Record<string, Json> = {};
  for (const field of readFields(bytes)) {
    const [name, type] = message[field.number] ?? [];
    if (name === undefined || type === undefined) throw new NotUnderstood(`field ${field.number}`);
    if (type.endsWith("[]")) object[name] = [...listAt(object, name), decodeValue(field, type.slice(0, -2))];
    else if (type === "map" || type === "bytesMap")
      object[name] = { ...objectAt(object, name), ...decodeEntry(field, type) };
    else {
      const value = decodeValue(field, type);
      if (!isEmpty(value)) object[name] = value;
    }
  }
  return object;
}

function decodeValue(field: WireField, type: string): Json {
  if (field.kind === "varint") {
    if (type === "bool") return field.value !== 0;
    if (type === "int") return field.value;
    throw new NotUnderstood(`a number for ${type}`);
  }
  if (type === "string") return text(field.value);
  if (type === "time") return decodeTime(field.value);
  return type === "intOrString" ? decodeIntOrString(field.value) : decodeMessage(field.value, messageNamed(type));
}

function decodeEntry(field: WireField, type: string): JsonObject {
  if (field.kind !== "bytes") throw new NotUnderstood("a number for a map");
  const entry = readFields(field.value);
  const value = bytesOf(entry, 2);
  return { [text(bytesOf(entry, 1))]: type === "map" ? text(value) : base64(value) };
}

/** Zero seconds since 1970 and the zero time alike mean: not set. */
function decodeTime(bytes: Uint8Array): string {
  const seconds = readFields(bytes).find(({ number }) => number === 1);
  if (seconds?.kind !== "varint" || seconds.value <= 0) return "";
  return new Date(seconds.value * 1000).toISOString().replace(/\.\d+/, "");
}

function decodeIntOrString(bytes: Uint8Array): Json {
  const fields = readFields(bytes);
  const isText = fields.some((field) => field.number === 1 && field.kind === "varint" && field.value === 1);
  if (isText) return text(bytesOf(fields, 3));
  const number = fields.find((field) => field.number === 2);
  return number?.kind === "varint" ? number.value : 0;
}

function messageNamed(name: string): Message {
  const message = messages[name];
  if (message === undefined) throw new NotUnderstood(`message ${name}`);
  return message;
}

function bytesOf(fields: readonly WireField[], number: number): Uint8Array {
  const field = fields.find((one) => one.number === number);
  return field?.kind === "bytes" ? field.value : new Uint8Array();
}

function isEmpty(value: Json): boolean {
  return (
    value === "" ||
    value === 0 ||
    value === false ||
    (typeof value === "object" && value !== null && Object.keys(value).length === 0)
  );
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
