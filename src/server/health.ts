// Liveness, readiness and metrics over HTTP. The answers come in as functions; this file knows neither the manager nor the registry.

import fastify, { type FastifyInstance } from "fastify";
import { cannotListen } from "./cannot-listen.ts";

export interface HealthServerOptions {
  readonly readiness: () => { readonly ready: boolean; readonly missing: readonly string[] };
  /** The Prometheus text format. */
  readonly metrics: () => Promise<string>;
  readonly bind: string;
  readonly port: number;
}

export interface HealthServer {
  /** Where it listens: the port is the one it got when 0 was asked for. */
  readonly address: string;
  close(): Promise<void>;
}

const plainText = "text/plain; charset=utf-8";

/** Without a socket: for `inject` in tests. */
export function healthApp({ readiness, metrics }: Pick<HealthServerOptions, "readiness" | "metrics">): FastifyInstance {
  const app = fastify({ bodyLimit: 1_024, requestTimeout: 10_000, return503OnClosing: true });
  app.get("/healthz", (_request, reply) => reply.type(plainText).send("ok\n"));
  app.get("/readyz", (_request, reply) => {
    const { ready, missing } = readiness();
    const lines = [ready ? "ok" : "not ready", ...missing.map((line) => `- ${line}`)];
    return reply
      .code(ready ? 200 : 503)
      .type(plainText)
      .send(`${lines.join("\n")}\n`);
  });
  app.get("/metrics", async (_request, reply) =>
    reply.type("text/plain; version=0.0.4; charset=utf-8").send(await metrics()),
  );
  return app;
}

export async function startHealthServer({ bind, port, ...answers }: HealthServerOptions): Promise<HealthServer> {
  const app = healthApp(answers);
  const address = await app.listen({ host: bind, port }).catch((error: unknown) => {
    throw cannotListen("health", { bind, port }, error);
  });
  return { address, close: () => app.close() };
}
