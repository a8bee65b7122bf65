// Writes a stream's text into an HTTP reply. Node buffers what the reader has not read yet, at most one write more than it wants.

import type { FastifyReply } from "fastify";
import type { StreamSink } from "./stream-session.ts";

export function replySink(reply: FastifyReply): StreamSink {
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
    // For proxies that would collect a stream before they pass it on.
    "x-accel-buffering": "no",
  });
  raw.flushHeaders();
  return {
    write: (text) => raw.write(text),
    onReady: (listener) => void raw.on("drain", listener),
    onClosed: (listener) => void raw.on("close", listener),
    end: () => void raw.end(),
    destroy: () => void raw.destroy(),
  };
}
