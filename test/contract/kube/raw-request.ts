// Requests below the client: status, headers and body as the server sent them.

import { z } from "zod";
import type { KubeTransport } from "../../../src/ports/kube-transport.ts";

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as an object; throws when it is none. */
  json(): Record<string, unknown>;
}

interface Write {
  readonly method: string;
  readonly body: unknown;
}

/** Asks again when the server is too busy, as it is while it takes in a new CRD. */
export async function rawRequest(
  transport: KubeTransport,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  write?: Write,
): Promise<RawAnswer> {
  return eventually(`an answer to ${path}`, async () => {
    const answer = await send(transport, path, headers, write);
    return answer.status === 429 || answer.status === 503 ? undefined : answer;
  });
}

async function send(
  transport: KubeTransport,
  path: string,
  headers: Readonly<Record<string, string>>,
  write: Write | undefined,
): Promise<RawAnswer> {
  const response = await transport.send({
    method: write?.method ?? "GET",
    path,
    headers: {
      accept: "application/json",
      ...(write === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(write === undefined ? {} : { body: JSON.stringify(write.body) }),
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  const json = () => z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  return { status: response.status, headers: response.headers, text, json };
}

/** Tries until `attempt` gives something, as a real server needs a moment for CRDs, roles and webhooks to take effect. */
export async function eventually<T>(what: string, attempt: () => Promise<T | undefined>): Promise<T> {
  for (let round = 0; round < 200; round += 1) {
    const found = await attempt();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${what} did not happen within 10 s`);
}
