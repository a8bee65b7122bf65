// Protocol buffers on the wire: a message as its numbered fields. Knows no message.

export type WireField =
  | { readonly number: number; readonly kind: "varint"; readonly value: number }
  | { readonly number: number; readonly kind: "bytes"; readonly value: Uint8Array };

/** Throws a RangeError on bytes that are no message. Groups and fixed-size fields, which Kubernetes does not use, are refused too. */
export function readFields(bytes: Uint8Array): readonly WireField[] {
  const fields: WireField[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at];
      if (byte === undefined) throw new RangeError("the message ends inside a number");
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(BigInt.asIntN(64, value));
    }
    throw new RangeError("a number is longer than ten bytes");
  };
  while (at < bytes.length) {
    const tag = varint();
    const number = tag >>> 3;
    if ((tag & 7) === 0) {
      fields.push({ number, kind: "varint", value: varint() });
      continue;
    }
    if ((tag & 7) !== 2) throw new RangeError(`field ${number} has a wire type that is not in use`);
    const length = varint();
    if (length < 0 || at + length > bytes.length) throw new RangeError(`field ${number} is longer than the message`);
    fields.push({ number, kind: "bytes", value: bytes.subarray(at, at + length) });
    at += length;
  }
  return fields;
}
