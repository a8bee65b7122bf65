// A body, as far as it is allowed to go: what is longer is refused before it has been read.

import type { HttpQuestion } from "../../../../ports/http-service.ts";

export async function readBody(
  { body }: Pick<HttpQuestion, "body">,
  maxBytes: number,
): Promise<Uint8Array | "too-long"> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) return "too-long";
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
