// Everything that hangs on a value, as one text: what the most talkative printer could show of it. Errors with their stacks, causes and
// members, maps, sets, bytes as the text they hold, and fields that are not listed.

export function spellOut(value: unknown): string {
  const words: string[] = [];
  collect(value, words, new Set());
  return words.join("\n");
}

function collect(value: unknown, words: string[], seen: Set<object>): void {
  if (typeof value === "string") words.push(value);
  else if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") {
    words.push(String(value));
  } else if (typeof value === "symbol") words.push(value.description ?? "");
  else if (typeof value === "object" && value !== null && !seen.has(value)) {
    seen.add(value);
    for (const part of partsOf(value)) collect(part, words, seen);
  }
}

function partsOf(value: object): readonly unknown[] {
  // What nearly everything is.
  if (Object.getPrototypeOf(value) === Object.prototype) return fieldsOf(value);
  const bytes = bytesOf(value);
  if (bytes !== undefined) return [new TextDecoder("utf-8").decode(bytes), new TextDecoder("utf-16le").decode(bytes)];
  if (value instanceof Date) return [];
  if (Array.isArray(value)) return value;
  if (value instanceof URL) return [value.href];
  if (value instanceof URLSearchParams) return [value.toString()];
  const isCollection = value instanceof Map || value instanceof Set || value instanceof Headers;
  const entries: unknown[] = isCollection ? [...(value as Iterable<unknown>)] : [];
  return [...entries, ...fieldsOf(value)];
}

function bytesOf(value: object): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined;
}

/** An error's message, stack, cause and errors are fields that no list of keys has. */
function fieldsOf(value: object): readonly unknown[] {
  const names = Reflect.ownKeys(value);
  const own = names.flatMap((name) => [typeof name === "symbol" ? (name.description ?? "") : name, read(value, name)]);
  return value instanceof Error ? [value.name, value.message, value.stack, ...own] : own;
}

function read(value: object, name: PropertyKey): unknown {
  try {
    return Reflect.get(value, name);
  } catch (error) {
    return error;
  }
}
