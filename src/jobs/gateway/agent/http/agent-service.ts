// The agent over HTTP: /v2 for our controller, /v1/apply for that of ch-k8s-lbaas, /healthz and /metrics for everybody.

import type { Clock } from "../../../../ports/clock.ts";
import type { HttpQuestion, HttpReply, HttpService } from "../../../../ports/http-service.ts";
import type { Log } from "../../../../ports/log.ts";
import type { Tokens } from "../../../../ports/tokens.ts";
import type { Dataplane } from "../dataplane.ts";
import type { GatewayAgent } from "../gateway-agent.ts";
import { type Access, authenticator } from "./authenticate.ts";
import { decodeConfig, isJson, replyToApply } from "./config-requests.ts";
import { type LbaasAccess, lbaasApply } from "./lbaas-apply.ts";
import { metricsText } from "./metrics-text.ts";
import { readBody } from "./read-body.ts";
import { emptyReply, jsonReply, textReply } from "./reply.ts";
import { serviceTraffic } from "./service-traffic.ts";

export interface AgentServiceOptions {
  readonly agent: GatewayAgent;
  readonly dataplane: Pick<Dataplane, "decode">;
  readonly gateway: string;
  readonly tokens: Tokens;
  readonly clock: Clock;
  readonly log: Log;
  readonly access: Access;
  readonly v1: LbaasAccess;
  /** Of a document. */
  readonly maxBytes: number;
}

type Handler = (body: Uint8Array) => Promise<HttpReply>;

export function agentService(options: AgentServiceOptions): HttpService {
  const { agent, dataplane, log, maxBytes } = options;
  const authenticate = authenticator(options.access, options);
  const v1 = lbaasApply(options.v1, options);
  const handlers: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
    "/v2/config": {
      GET: async () => jsonReply(...found(agent.document())),
      PUT: async (body) => {
        const decoded = decodeConfig(body, dataplane);
        if ("problems" in decoded) return jsonReply(400, { error: decoded.problems.join("; "), why: "invalid" });
        return replyToApply(await agent.apply(decoded.request));
      },
    },
    "/v2/status": { GET: async () => jsonReply(200, await agent.status()) },
    "/v2/capabilities": { GET: async () => jsonReply(200, await agent.capabilities()) },
  };
  const answerV2 = async (question: HttpQuestion, byMethod: Readonly<Record<string, Handler>>): Promise<HttpReply> => {
    const handler = Object.hasOwn(byMethod, question.method) ? byMethod[question.method] : undefined;
    const allow = Object.keys(byMethod).join(", ");
    if (handler === undefined) return emptyReply(405, { allow });
    const asked = authenticate(question);
    if ("refusal" in asked) return unauthorised(asked.refusal);
    if (question.method === "PUT" && !isJson(question)) return jsonReply(415, { error: "send application/json" });
    const body = await readBody(question, question.method === "PUT" ? maxBytes : 0).catch(() => "cut" as const);
    if (body === "cut") return jsonReply(400, { error: "the body ended early" });
    if (body === "too-long") return jsonReply(413, { error: `the body is longer than ${maxBytes} bytes` });
    const refusal = asked.admits(body);
    return refusal === undefined ? await handler(body) : unauthorised(refusal);
  };
  const answer = async (question: HttpQuestion): Promise<HttpReply> => {
    const { path, method } = question;
    if (path.includes("//")) return emptyReply(301, { location: path.replaceAll(/\/{2,}/g, "/") });
    if (path === "/v1/apply" && options.v1.key !== undefined) return await v1.answer(question);
    const byMethod = Object.hasOwn(handlers, path) ? handlers[path] : undefined;
    if (byMethod !== undefined) return await answerV2(question, byMethod);
    if (method !== "GET" && method !== "HEAD") return emptyReply(404);
    if (path === "/healthz") return textReply(200, "ok\n");
    if (path !== "/metrics") return emptyReply(404);
    const [status, traffic] = await Promise.all([agent.status(), agent.traffic()]);
    const services = traffic && {
      services: serviceTraffic(traffic.forwardings, agent.document()),
      ageMs: traffic.ageMs,
    };
    const text = metricsText({ status, counts: agent.counts(), v1Answers: v1.lastAnswers, traffic: services });
    return { status: 200, headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" }, body: text };
  };
  return (question) =>
    answer(question).catch((error: unknown) => {
      log.error("request failed", { path: question.path, error });
      return jsonReply(500, { error: "the agent failed inside Mainstay; its log says how" });
    });
}

function found(document: unknown): [number, unknown] {
  return document === undefined ? [404, { error: "no document was ever applied" }] : [200, document];
}

function unauthorised(error: string): HttpReply {
  const reply = jsonReply(401, { error });
  return { ...reply, headers: { ...reply.headers, "www-authenticate": "Bearer" } };
}
