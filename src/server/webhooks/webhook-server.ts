// The admission and conversion webhooks over HTTPS. Answers are pure functions of the request, so that every replica can give them;
// nothing is read from the cluster and nothing is kept.

import fastify, { type FastifyInstance } from "fastify";
import { z } from "zod";
import { convertPath, validatePath } from "../../apis/kube/webhook-configuration.ts";
import type { JobDeclaration } from "../../core/job/declaration.ts";
import type { Log } from "../../ports/log.ts";
import { cannotListen } from "../cannot-listen.ts";
import { answerAdmission } from "./admission-review.ts";
import { answerConversion } from "./conversion-review.ts";

/** PEM. */
export interface WebhookTls {
  readonly key: string;
  readonly cert: string;
}

export interface WebhookServerOptions {
  readonly tls: WebhookTls;
  readonly bind: string;
  readonly port: number;
  readonly log: Log;
  readonly jobs: readonly JobDeclaration[];
}

export interface WebhookServer {
  /** Where it listens: the port is the one it got when 0 was asked for. */
  readonly address: string;
  /** From the next connection on: certificates are replaced while a process runs. */
  renew(tls: WebhookTls): void;
  close(): Promise<void>;
}

export type WebhookAnswer = (review: unknown) => object;

/** By path, as in the webhook configurations. */
export function webhookAnswers(jobs: readonly JobDeclaration[]): Readonly<Record<string, WebhookAnswer>> {
  const admissions = jobs.flatMap(({ admission }) => admission);
  const conversions = jobs.flatMap(({ conversion }) => conversion);
  return {
    [validatePath]: (review) => answerAdmission(review, admissions),
    [convertPath]: (review) => answerConversion(review, conversions),
  };
}

// A list of custom resources is converted in one question.
const bodyLimit = 64 * 1024 * 1024;

export async function startWebhookServer({ tls, bind, port, log, jobs }: WebhookServerOptions): Promise<WebhookServer> {
  const app = fastify({
    https: { ...tls, minVersion: "TLSv1.2" },
    bodyLimit,
    requestTimeout: 30_000,
    forceCloseConnections: true,
    return503OnClosing: true,
  });
  addWebhooks(app, log, jobs);
  const address = await app.listen({ host: bind, port }).catch((error: unknown) => {
    throw cannotListen("webhook", { bind, port }, error);
  });
  return { address, renew: (next) => app.server.setSecureContext(next), close: () => app.close() };
}

/** Without a socket: for `inject` in tests. */
export function webhookApp(log: Log, jobs: readonly JobDeclaration[]): FastifyInstance {
  const app = fastify({ bodyLimit });
  addWebhooks(app, log, jobs);
  return app;
}

function addWebhooks(app: FastifyInstance, log: Log, jobs: readonly JobDeclaration[]): void {
  for (const [path, answer] of Object.entries(webhookAnswers(jobs))) {
    app.post(path, (request, reply) => reply.send(answer(request.body)));
  }
  app.get("/healthz", (_request, reply) => reply.type("text/plain; charset=utf-8").send("ok\n"));
  app.setErrorHandler((error, request, reply) => {
    const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
    const isTheirs = error instanceof z.ZodError || (status >= 400 && status < 500);
    if (!isTheirs) log.error("webhook failed", { path: request.routeOptions.url ?? "", error });
    const words = isTheirs
      ? "the request is not an AdmissionReview or ConversionReview that this webhook can read"
      : "the webhook failed inside Mainstay";
    return reply.code(isTheirs ? 400 : 500).send({ error: words });
  });
}
