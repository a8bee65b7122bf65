// Reads a whole response body as text, and stops at once when the signal aborts, even if the stream ignores it.

import { abortReason } from "./deadline.ts";

export async function readText(body: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of untilAborted(body, signal)) chunks.push(chunk);
  // All at once: decoding a large list chunk by chunk takes three times as long.
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** The chunks of `body`; rejects with the signal's reason as soon as it is aborted, even while a chunk is awaited. */
export async function* untilAborted<T>(body: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void> {
  const iterator = body[Symbol.asyncIterator]();
  // Not Promise.race against one long-lived promise: that would keep a reaction for every chunk of a watch.
  let stop: () => void = () => {};
  const onAbort = () => stop();
  signal.addEventListener("abort", onAbort, { once: true });
  let ended = false;
  try {
    while (true) {
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        stop = () => reject(abortReason(signal));
        if (signal.aborted) return stop();
        iterator.next().then(resolve, reject);
      });
      if (next.done === true) {
        ended = true;
        return;
      }
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    // Not awaited: a stream that ignores the abort must not hold up its reader.
    if (!ended) iterator.return?.().catch(() => {});
  }
}
