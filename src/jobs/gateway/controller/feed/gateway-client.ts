// What a controller says to the agent of one gateway, and its typed answers: /v2 for ours, /v1/apply for those of ch-k8s-lbaas, which have
// no other. Failures are answers, not exceptions, so that one gateway's failure stays its own.

import type { Clock } from "../../../../ports/clock.ts";
import type { FeedReply, GatewayFeed } from "../../../../ports/gateway-feed.ts";
import type { Fence } from "../../../../ports/kube.ts";
import type { Random } from "../../../../ports/random.ts";
import type { Tokens } from "../../../../ports/tokens.ts";
import { decodeDocument } from "../../core/dataplane/decode-document.ts";
import type { DocumentDelta } from "../../core/delta/document-delta.ts";
import { lbaasOfDocument } from "../../core/lbaas/lbaas-of-document.ts";
import type { AgentCapabilities, AgentStatus, CarryProblem } from "../../core/model/agent-answers.ts";
import type { DocumentVersion, GatewayDocument } from "../../core/model/document.ts";
import { agentTokenAlgorithm } from "../../core/wire/agent-token.ts";
import { decodeApplied, decodeCapabilities, decodeRefusal, decodeStatus } from "../../core/wire/decode-answers.ts";
import type { FeedAccess } from "./feed-access.ts";

export interface FeedParts {
  readonly feed: GatewayFeed;
  readonly tokens: Tokens;
  readonly clock: Clock;
  readonly random: Random;
}

export interface FeedTarget {
  readonly gateway: string;
  readonly url: string;
  readonly access: FeedAccess;
}

export interface FeedCall {
  readonly signal?: AbortSignal;
  readonly fence?: Fence;
}

export type FeedFailure =
  | { readonly kind: "silent"; readonly message: string }
  /** It answers, and does not let us. */
  | { readonly kind: "unauthorised"; readonly message: string };

export type PushAnswer =
  | FeedFailure
  | { readonly kind: "carried"; readonly version: DocumentVersion; readonly problems: readonly CarryProblem[] }
  | {
      readonly kind: "refused";
      /** As the agent words it; `wrong-base` asks for a whole document. */
      readonly why: string;
      readonly message: string;
      readonly carries?: DocumentVersion;
    }
  | { readonly kind: "failed"; readonly message: string };

export type Answer<T> = FeedFailure | { readonly kind: "answered"; readonly value: T };

/** Good for the way and a little waiting; agents accept at most two minutes. */
const tokenSeconds = 30;
/** For questions: an agent answers from memory. */
const askMs = 5_000;
/** A large document takes a gateway seconds to load. */
const pushMs = 60_000;
/** As ch-k8s-lbaas has it. */
const lbaasTokenSeconds = 15;

export class GatewayClient {
  readonly #parts: FeedParts;
  readonly #target: FeedTarget;

  constructor(parts: FeedParts, target: FeedTarget) {
    this.#parts = parts;
    this.#target = target;
  }

  status(call: FeedCall): Promise<Answer<AgentStatus>> {
    return this.#ask("/v2/status", decodeStatus, call);
  }

  /** `v1`: an agent of ch-k8s-lbaas, which knows no such path. */
  async capabilities(call: FeedCall): Promise<Answer<AgentCapabilities | "v1">> {
    const reply = await this.#send("GET", "/v2/capabilities", undefined, call);
    if (reply.kind === "replied" && reply.status === 404) return { kind: "answered", value: "v1" };
    return answerOf(reply, decodeCapabilities);
  }

  /** Undefined: it never had one. */
  async document(call: FeedCall): Promise<Answer<GatewayDocument | undefined>> {
    const reply = await this.#send("GET", "/v2/config", undefined, call);
    if (reply.kind === "replied" && reply.status === 404) return { kind: "answered", value: undefined };
    return answerOf(reply, documentIn);
  }

  async push(content: GatewayDocument | DocumentDelta, call: FeedCall): Promise<PushAnswer> {
    const body = new TextEncoder().encode(JSON.stringify(content));
    const reply = await this.#send("PUT", "/v2/config", body, call);
    if (reply.kind === "silent") return reply;
    const { status } = reply;
    if (status === 200) {
      const applied = decodeApplied(reply.body);
      if (applied === undefined) return { kind: "failed", message: "its answer could not be read" };
      return { kind: "carried", version: applied.carries, problems: applied.problems };
    }
    if (status === 401 || status === 403) return unauthorised(reply.body);
    const { message, why = `HTTP ${status}`, carries } = decodeRefusal(reply.body);
    if (status >= 500) return { kind: "failed", message };
    return { kind: "refused", why, message, ...(carries === undefined ? {} : { carries }) };
  }

  /** To an agent of ch-k8s-lbaas: all of it, signed. What such an agent cannot do is left out and said. */
  async pushV1(document: GatewayDocument, call: FeedCall): Promise<PushAnswer> {
    const { tokens, clock } = this.#parts;
    const { tokenKey } = this.#target.access;
    if (tokenKey === undefined)
      return { kind: "unauthorised", message: "an agent of ch-k8s-lbaas needs a shared-secret" };
    const { config, problems } = lbaasOfDocument(document);
    const exp = Math.floor(clock.nowMs() / 1_000) + lbaasTokenSeconds;
    const token = tokens.sign({ "load-balancer-config": config, exp }, tokenKey, agentTokenAlgorithm);
    const body = new TextEncoder().encode(token);
    if (body.length > lbaasMaxBytes) return { kind: "failed", message: tooLarge };
    const headers = { "content-type": "application/jwt", "content-length": String(body.length) };
    const reply = await this.#request("POST", "/v1/apply", headers, body, call);
    if (reply.kind === "silent") return reply;
    if (reply.status === 200) return { kind: "carried", version: document.version, problems };
    const message = reply.body.trim() === "" ? `HTTP ${reply.status}` : reply.body.trim().slice(0, 300);
    return { kind: "failed", message };
  }

  async #ask<T>(path: string, decode: (body: string) => T | undefined, call: FeedCall): Promise<Answer<T>> {
    return answerOf(await this.#send("GET", path, undefined, call), decode);
  }

  #send(method: "GET" | "PUT", path: string, body: Uint8Array | undefined, call: FeedCall): Promise<FeedReply> {
    const json = body === undefined ? {} : { "content-type": "application/json" };
    return this.#request(method, path, { ...json, ...this.#authorization(body) }, body, call);
  }

  #request(
    method: "GET" | "PUT" | "POST",
    path: string,
    headers: Readonly<Record<string, string>>,
    body: Uint8Array | undefined,
    { signal, fence }: FeedCall,
  ): Promise<FeedReply> {
    const { url, access } = this.#target;
    return this.#parts.feed.send({
      url,
      method,
      path,
      headers,
      tls: access.tls,
      deadlineMs: method === "GET" ? askMs : pushMs,
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
      ...(fence === undefined || method === "GET" ? {} : { fence }),
    });
  }

  #authorization(body: Uint8Array = new Uint8Array()): Readonly<Record<string, string>> {
    const { tokens, clock, random } = this.#parts;
    const { gateway, access } = this.#target;
    if (access.tokenKey === undefined) return {};
    const iat = Math.floor(clock.nowMs() / 1_000);
    const claims = { aud: gateway, iat, exp: iat + tokenSeconds, jti: random.uuid(), sha256: tokens.digest(body) };
    return { authorization: `Bearer ${tokens.sign(claims, access.tokenKey, agentTokenAlgorithm)}` };
  }
}

/** An agent of ch-k8s-lbaas reads no more. */
const lbaasMaxBytes = 1_048_576;
const tooLarge = "the configuration is larger than an agent of ch-k8s-lbaas accepts";

function answerOf<T>(reply: FeedReply, decode: (body: string) => T | undefined): Answer<T> {
  if (reply.kind === "silent") return reply;
  if (reply.status === 401 || reply.status === 403) return unauthorised(reply.body);
  const value = reply.status === 200 ? decode(reply.body) : undefined;
  if (value !== undefined) return { kind: "answered", value };
  const why = reply.status === 200 ? "its answer could not be read" : `HTTP ${reply.status}`;
  return { kind: "silent", message: why };
}

function unauthorised(body: string): FeedFailure {
  return { kind: "unauthorised", message: decodeRefusal(body).message };
}

function documentIn(body: string): GatewayDocument | undefined {
  try {
    const decoded = decodeDocument(JSON.parse(body));
    return decoded.kind === "document" ? decoded.document : undefined;
  } catch {
    return undefined;
  }
}
