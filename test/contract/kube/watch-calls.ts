// Watches for behaviours below the client: read events until enough have come, then hang up.

import type { GetContext } from "../kube-target.ts";

export interface RawEvent {
  readonly type: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly object: any;
}

export interface OpenWatch {
  readonly status: number;
  /** The next event; undefined when the server ended the stream. */
  next(): Promise<RawEvent | undefined>;
  close(): void;
}

export async function openWatch(get: GetContext, path: string): Promise<OpenWatch> {
  const hangUp = new AbortController();
  const response = await get().transport.send(
    { method: "GET", path, headers: {} },
    { longLived: true, signal: hangUp.signal },
  );
  const events = lines(response.body)[Symbol.asyncIterator]();
  return {
    status: response.status,
    next: async () => {
      const { value, done } = await events.next();
      return done === true ? undefined : value;
    },
    close: () => hangUp.abort(),
  };
}

/** So many events, shown as `TYPE name`, and no more. */
export async function take(watch: OpenWatch, count: number): Promise<readonly RawEvent[]> {
  const events: RawEvent[] = [];
  while (events.length < count) {
    const event = await watch.next();
    if (event === undefined) break;
    events.push(event);
  }
  return events;
}

export function shown(events: readonly RawEvent[]): readonly string[] {
  return events.map(({ type, object }) => (type === "BOOKMARK" ? type : `${type} ${object.metadata?.name}`));
}

async function* lines(body: AsyncIterable<Uint8Array>): AsyncGenerator<RawEvent> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const parts = rest.split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) if (line !== "") yield JSON.parse(line);
  }
  if (rest !== "") yield JSON.parse(rest);
}
