import { describe, expect, it } from "vitest";
import { decodeProtobufObject } from "./decode-object.ts";

type Part = string | Uint8Array;

const bytesOf = (part: Part) => (typeof part === "string" ? new TextEncoder().encode(part) : part);
const joined = (...parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
const field = (number: number, ...parts: readonly Part[]) => {
  const content = joined(...parts.map(bytesOf));
  return Uint8Array.from([(number << 3) | 2, content.length, ...content]);
};
const integer = (number: number, value: number) => Uint8Array.of(number << 3, value);

function encoded(apiVersion: string, kind: string, raw: Uint8Array): Uint8Array {
  const type = joined(field(1, apiVersion), field(2, kind));
  return joined(Uint8Array.of(0x6b, 0x38, 0x73, 0), field(1, type), field(2, raw), field(3, ""), field(4, ""));
}

describe("an object sent as protocol buffers", () => {
  it("is the JSON it stands for, without the fields nobody set", () => {
    const metadata = field(
      1,
      field(1, "web"),
      field(2, ""),
      field(8, ""),
      field(11, field(1, "app"), field(2, "web")),
      integer(7, 0),
    );
    const port = (name: string, target: Uint8Array) =>
      field(1, field(1, name), field(2, "TCP"), integer(3, 80), field(4, target), integer(5, 0));
    const spec = field(
      2,
      port("a", joined(integer(1, 0), integer(2, 88), field(3, ""))),
      port("b", joined(integer(1, 1), integer(2, 0), field(3, "http"))),
      field(4, "ClusterIP"),
    );
    expect(decodeProtobufObject(encoded("v1", "Service", joined(metadata, spec, field(3, field(1, "")))))).toEqual({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web", labels: { app: "web" } },
      spec: {
        type: "ClusterIP",
        ports: [
          { name: "a", protocol: "TCP", port: 80, targetPort: 88 },
          { name: "b", protocol: "TCP", port: 80, targetPort: "http" },
        ],
      },
    });
  });

  it("has its bytes in base64", () => {
    const raw = joined(field(1, field(1, "s")), field(2, field(1, "key"), field(2, Uint8Array.of(0, 255))));
    expect(decodeProtobufObject(encoded("v1", "Secret", raw))).toMatchObject({ data: { key: "AP8=" } });
  });

  it("is not guessed at when its kind, a field or the bytes are unknown", () => {
    expect(decodeProtobufObject(encoded("v1", "Pod", field(1, field(1, "p"))))).toBeUndefined();
    expect(decodeProtobufObject(encoded("v1", "ConfigMap", field(9, "new")))).toBeUndefined();
    expect(decodeProtobufObject(encoded("v1", "ConfigMap", Uint8Array.of(0x0a, 0x7f, 1)))).toBeUndefined();
    expect(decodeProtobufObject(bytesOf('{"kind":"ConfigMap"}'))).toBeUndefined();
  });
});
