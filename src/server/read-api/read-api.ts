// The read API and its stream over HTTP, and the dashboard's files. It only reads, but for the faults of a demonstration.
// Who may read what is decided in viewer-world.ts; this file knows routes, limits and headers.

import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { z } from "zod";
import type { JobDeclaration } from "../../core/job/declaration.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Insight } from "../../ports/insight.ts";
import type { Log } from "../../ports/log.ts";
import type { OpaqueIds } from "../../ports/opaque-ids.ts";
import type { Access } from "../access/access.ts";
import { checkHost, checkOrigin } from "../access/request-checks.ts";
import { secureHeaders } from "../access/secure-headers.ts";
import { ApiFailure, asFailure } from "../api-failure.ts";
import type { ErrorAnswer, ManagerInfo, ReplicaInfo } from "../contract.ts";
import { addStream } from "../stream/stream-routes.ts";
import type { FaultControl } from "./fault-control.ts";
import { addFaults } from "./fault-routes.ts";
import { managerInfo } from "./manager-info.ts";
import { addReading } from "./read-routes.ts";
import { RecentStates } from "./recent-states.ts";
import { UnreadySince } from "./unready-since.ts";
import { ViewerWorld } from "./viewer-world.ts";

/** A file of the dashboard. */
export interface Asset {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Its name changes with its content. */
  readonly immutable: boolean;
}

export interface ReadApiOptions {
  readonly insight: Insight;
  readonly access: Access;
  readonly clock: Clock;
  /** Of this server alone: ids that it sends mean nothing to another server. */
  readonly opaqueIds: OpaqueIds;
  readonly log: Log;
  readonly version: string;
  readonly demo: boolean;
  /** Host names, beside addresses and localhost. */
  readonly hosts: readonly string[];
  readonly faults?: FaultControl;
  readonly replicas?: () => readonly ReplicaInfo[];
  /** By path, such as `/index.html`. Absent: there is no dashboard. */
  readonly assets?: (path: string) => Asset | undefined;
  /** Whose reasons are whose, in the list of runbooks. */
  readonly jobs?: readonly Pick<JobDeclaration, "name" | "reasons">[];
  /** The page of a reason. */
  readonly runbook?: (reason: string) => Promise<string | undefined>;
  readonly maxStreams?: number;
  /** One viewer leaves room for others. */
  readonly maxStreamsPerViewer?: number;
}

export function readApi(options: ReadApiOptions): FastifyInstance {
  const app = fastify({
    bodyLimit: 4_096,
    requestTimeout: 10_000,
    keepAliveTimeout: 5_000,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    return503OnClosing: true,
    routerOptions: { maxParamLength: 300 },
  });
  app.server.maxConnections = 1_000;
  const recent = new RecentStates(options.insight, options.clock);
  app.addHook("preClose", async () => recent.close());
  const worldOf = async ({ headers }: FastifyRequest): Promise<ViewerWorld> =>
    new ViewerWorld({ ...options, recent }, await options.access.viewerOf(headers.authorization));
  app.addHook("onRequest", async (request, reply) => {
    const isPage = request.method === "GET" && !isApi(request);
    reply.headers(secureHeaders(!isPage));
    checkHost(request.headers, options.hosts);
    if (!isPage) checkOrigin(headersOf(request));
  });
  app.setErrorHandler((error, request, reply) => answerError(options, error, request, reply));
  app.setNotFoundHandler((request, reply) => answerAsset(options, request, reply));
  const manager = managerOf(app, options);
  addReading(app, { ...options, manager }, worldOf);
  addFaults(app, options, worldOf);
  addStream(app, { ...options, manager, recent });
  return app;
}

function managerOf(app: FastifyInstance, options: ReadApiOptions): () => ManagerInfo {
  const startedAtMs = options.clock.nowMs();
  const unreadySince = new UnreadySince(options.insight, options.clock);
  app.addHook("preClose", async () => unreadySince.close());
  return () => managerInfo({ ...options, startedAtMs, unreadySinceMs: unreadySince.sinceMs() });
}

/** By the route, since a path may be written in many ways; by the path itself where no route matches. */
function isApi({ routeOptions, url }: FastifyRequest): boolean {
  return (routeOptions.url ?? url).startsWith("/api/");
}

function headersOf({ headers }: FastifyRequest) {
  const site = headers["sec-fetch-site"];
  return { host: headers.host, origin: headers.origin, "sec-fetch-site": typeof site === "string" ? site : undefined };
}

function answerError({ log }: ReadApiOptions, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  const failure =
    error instanceof z.ZodError || (status >= 400 && status < 500)
      ? new ApiFailure("bad-request", "the request is not valid")
      : asFailure(error);
  if (failure.code === "internal") log.error("request failed", { path: request.routeOptions.url ?? "", error });
  const answer: ErrorAnswer = { error: failure.answer };
  if (failure.code === "unauthenticated") reply.header("www-authenticate", "Bearer");
  void reply.code(failure.status).send(answer);
}

/** Every view of the dashboard has a URL of its own: they are all the one page. Names of objects may have dots. */
function answerAsset({ assets }: ReadApiOptions, request: FastifyRequest, reply: FastifyReply): void {
  const path = request.url.replace(/[?#].*$/, "");
  const isPage = request.method === "GET" && !path.startsWith("/api/");
  const wanted = isPage
    ? (assets?.(path) ?? (path.startsWith("/assets/") ? undefined : assets?.("/index.html")))
    : undefined;
  if (wanted === undefined) {
    const answer: ErrorAnswer = { error: new ApiFailure("not-found", "there is nothing at this address").answer };
    void reply.code(404).send(answer);
    return;
  }
  const cache = wanted.immutable ? "public, max-age=31536000, immutable" : "no-cache";
  void reply.header("cache-control", cache).type(wanted.contentType).send(wanted.bytes);
}
