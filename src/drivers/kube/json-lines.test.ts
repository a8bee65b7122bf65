import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BrokenStream, jsonLines } from "./json-lines.ts";

async function* stream(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  yield* chunks;
}

async function decode(...chunks: readonly (string | Uint8Array)[]): Promise<readonly unknown[]> {
  const values: unknown[] = [];
  const bytes = chunks.map((chunk) => (typeof chunk === "string" ? Buffer.from(chunk) : chunk));
  for await (const value of jsonLines(stream(bytes))) values.push(value);
  return values;
}

function cut(bytes: Uint8Array, borders: readonly number[]): readonly Uint8Array[] {
  const ends = [...borders.map((border) => border % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

describe("a stream of JSON lines", () => {
  it("yields the same values wherever the chunks end, also within a character", async () => {
    const values = fc.array(fc.json({ stringUnit: "binary" }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(values, fc.array(fc.nat()), fc.boolean(), async (texts, borders, newlineAtEnd) => {
        const bytes = Buffer.from(texts.join("\n") + (newlineAtEnd && texts.length > 0 ? "\n" : ""));
        expect(await decode(...cut(bytes, borders))).toEqual(texts.map((text) => JSON.parse(text) as unknown));
      }),
    );
  });

  it("passes over empty lines", async () => {
    expect(await decode("\n\n1\n\r\n2\n\n")).toEqual([1, 2]);
  });

  it("does not take half a value at the end for a normal end", async () => {
    await expect(decode('{"a":1}\n{"b"')).rejects.toThrow(BrokenStream);
    await expect(decode(Buffer.from('"é').subarray(0, 2))).rejects.toThrow(BrokenStream);
  });

  it("shows nothing of a line that it cannot read", async () => {
    const error = await decode('{"password": s3cret}\n').catch(String);
    expect(error).toBe("BrokenStream: a line of the stream is not JSON");
  });
});
