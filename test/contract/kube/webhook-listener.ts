// A webhook on loopback that a real or fake API server can call: it answers with what the test says and keeps what it was asked.

import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { selfSigned } from "./self-signed.ts";

const reviewSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  request: z.looseObject({ uid: z.string() }),
});

export type Review = z.infer<typeof reviewSchema>;
export type Answer = (request: Record<string, unknown>) => unknown | Promise<unknown>;

export interface WebhookListener {
  /** Without a trailing slash. */
  readonly url: string;
  /** For `clientConfig`: base64 of the PEM. */
  readonly caBundle: string;
  /** Path and query of every call, in order. */
  readonly calls: readonly { readonly path: string; readonly review: Review }[];
  close(): Promise<void>;
}

/** `answer` gets the review's request and gives its response, to which the uid is added unless it has one. */
export async function listenForWebhooks(answer: Answer): Promise<WebhookListener> {
  const { certificate, key } = selfSigned();
  const calls: { path: string; review: Review }[] = [];
  const server = createServer({ cert: certificate, key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const review = reviewSchema.parse(JSON.parse(Buffer.concat(chunks).toString("utf8")));
      calls.push({ path: request.url ?? "", review });
      Promise.resolve(review.request)
        .then(answer)
        .then(
          (given) => {
            const { apiVersion, kind, request: asked } = review;
            response.setHeader("content-type", "application/json");
            response.end(JSON.stringify({ apiVersion, kind, response: { uid: asked.uid, ...Object(given) } }));
          },
          () => {
            response.statusCode = 500;
            response.end("the webhook failed");
          },
        );
    });
  });
  const port = await listen(server);
  return {
    url: `https://127.0.0.1:${port}`,
    caBundle: Buffer.from(certificate).toString("base64"),
    calls,
    close: () => closed(server),
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
