// Cuts a stream of bytes into JSON values, one a line, wherever the chunks happen to end, also within a character.

/** The stream is not lines of JSON. The error quotes nothing of a line, since it may hold a secret. */
export class BrokenStream extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = "BrokenStream";
  }
}

export async function* jsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<unknown, void> {
  // The decoder keeps the first bytes of a split character; the byte of a newline never occurs within one.
  const decoder = new TextDecoder();
  let parts: string[] = [];
  for await (const chunk of chunks) {
    const lines = decoder.decode(chunk, { stream: true }).split("\n");
    const rest = lines.pop() ?? "";
    for (const line of lines) {
      const whole = parts.length === 0 ? line : parts.join("") + line;
      parts = [];
      if (whole.trim() !== "") yield parse(whole, "a line of the stream is not JSON");
    }
    if (rest !== "") parts.push(rest);
  }
  const last = parts.join("") + decoder.decode();
  // A server may leave out the newline after the last value; half a value means that the rest of the stream was lost.
  if (last.trim() !== "") yield parse(last, "the stream ended in the middle of a line");
}

function parse(line: string, problem: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new BrokenStream(problem);
  }
}
