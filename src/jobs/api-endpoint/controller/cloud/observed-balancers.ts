// Observes a cluster's balancers with few calls. One list by owner tag comes first; balancers that it shows as they were are not asked for
// again (how-to-observe.ts): those unchanged and ONLINE (a member that fails shows in updated_at only when the operating status of the balancer changes with it), and those still PENDING over the same
// change. Of those unchanged and not well the tree alone is asked for. Pools are listed when nothing has changed since all was observed,
// so that it never takes more than 3 + A calls. What was asked a moment ago is not asked again at all, unless something was changed since.
// The list is waited for; what is below one balancer holds up no other: until it is answered, its tree is unknown.

import type { LoadBalancer, Pool } from "../../../../core/openstack/octavia-objects.ts";
import { type Asking, Questions } from "../../../../engine/round/questions.ts";
import type { EndpointAction } from "../../core/model/action.ts";
import type { BalancerObserved } from "../../core/model/observed.ts";
import { ownerTag } from "../../core/model/ownership.ts";
import { balancerOf } from "../../core/situation/subjects.ts";
import { awaited } from "./attempt.ts";
import { howToObserve, type RememberedBalancer } from "./how-to-observe.ts";
import {
  type BalancersQuestion,
  type Children,
  lacksPools,
  listChildren,
  listPools,
  observeHealth,
  observeWhole,
} from "./observe-balancers.ts";

export interface ObserveRequest extends BalancersQuestion, Asking {
  /** Of the object. */
  readonly key: string;
  readonly endpointKey: string;
  /** Names to list beside what bears our tag: see observe-cloud.ts. */
  readonly names: (ours: readonly LoadBalancer[]) => readonly string[];
}

export interface BalancersNow {
  readonly balancers: readonly BalancerObserved[];
  /** All of them are as they were. */
  readonly isUnchanged: boolean;
}

interface Remembered {
  readonly question: string;
  readonly askedMs: number;
  readonly balancers: readonly BalancerObserved[];
  readonly byId: ReadonlyMap<string, RememberedBalancer>;
}

/** Of one object. */
interface OpenQuestions {
  /** By the id of a balancer: about everything below it. */
  readonly balancers: Questions<BalancerObserved>;
  readonly pools: Questions<readonly Pool[]>;
}

/** A round's own status comes back as an event and wakes its key again. */
const momentMs = 1_000;

export class ObservedBalancers {
  readonly #remembered = new Map<string, Remembered>();
  readonly #questions = new Map<string, OpenQuestions>();

  async observe(request: ObserveRequest): Promise<BalancersNow> {
    const { key, octavia, ownerId, nowMs, call } = request;
    const question = JSON.stringify([request.endpointKey, ownerId, request.names([])]);
    const questions = this.#questions.get(key) ?? { balancers: new Questions(), pools: new Questions() };
    this.#questions.set(key, questions);
    const last = this.#remembered.get(key);
    const isNews = questions.balancers.hasAnswers || questions.pools.hasAnswers;
    if (last?.question === question && nowMs - last.askedMs < momentMs && !isNews)
      return { balancers: last.balancers, isUnchanged: true };
    const ours = await octavia.listLoadBalancers({ tags: [ownerTag(ownerId)] }, call);
    const names = request.names(ours);
    const all = [...ours, ...(await candidatesByName(names, ours, request))];
    questions.balancers.retain(new Set(all.map(({ id }) => id)));
    const before = last?.byId ?? new Map<string, RememberedBalancer>();
    const looked = await observeAgain(all, request, questions, before);
    const byId = new Map(looked.flatMap(({ id, remembered }) => (remembered === undefined ? [] : [[id, remembered]])));
    const balancers = looked.map(({ observed }) => observed);
    const isUnchanged = names.length === 0 && all.every(({ id }) => byId.has(id) && byId.get(id) === before.get(id));
    this.#remembered.set(key, { question, askedMs: nowMs, byId, balancers });
    return { balancers, isUnchanged };
  }

  /** By us: the next observation asks, however soon it comes, and what was asked before about the same balancer is not taken. */
  changed(key: string, action: EndpointAction): void {
    const last = this.#remembered.get(key);
    if (last !== undefined) this.#remembered.set(key, { ...last, askedMs: Number.NEGATIVE_INFINITY });
    // A new one changes no other.
    if (action.kind !== "create-load-balancer")
      this.#questions.get(key)?.balancers.outdate(balancerOf(action, last?.balancers ?? []));
  }

  /** Nothing that was observed is trusted any more. */
  distrust(key: string): void {
    this.#remembered.delete(key);
  }

  stopAsking(key: string): void {
    this.#questions.delete(key);
  }

  forget(key: string): void {
    this.#remembered.delete(key);
    this.stopAsking(key);
  }
}

interface Looked {
  readonly id: string;
  readonly observed: BalancerObserved;
  /** Undefined: it has never been observed. */
  readonly remembered: RememberedBalancer | undefined;
  /** Nothing below it was changed since all was observed. */
  readonly isAsBefore: boolean;
}

async function observeAgain(
  balancers: readonly LoadBalancer[],
  request: ObserveRequest,
  questions: OpenQuestions,
  before: ReadonlyMap<string, RememberedBalancer>,
): Promise<readonly Looked[]> {
  let children: Promise<Children> | undefined;
  const childrenOfAll = () => (children ??= listChildren(request));
  const looked = await Promise.all(
    balancers.map((now) => lookAt(now, before.get(now.id), request, questions, childrenOfAll)),
  );
  return await withPools(looked, request, questions);
}

async function lookAt(
  now: LoadBalancer,
  last: RememberedBalancer | undefined,
  request: ObserveRequest,
  { balancers }: OpenQuestions,
  children: () => Promise<Children>,
): Promise<Looked> {
  const { id, provisioningStatus, operatingStatus, updatedAt } = now;
  const { how, before } = howToObserve(last, now, request.nowMs);
  if (how === "keep") {
    balancers.outdate(id);
    return { id, observed: before.observed, remembered: before, isAsBefore: true };
  }
  const about = JSON.stringify([how, provisioningStatus, operatingStatus, updatedAt]);
  const ask = () =>
    how === "whole" ? observeWhole(now, children(), request) : observeHealth(before.observed, now, request);
  const answered = await balancers.ask(id, { about, ask }, request);
  if (answered === "awaited")
    return { id, observed: unanswered(now, last?.observed), remembered: last, isAsBefore: false };
  const observed = { ...answered.value, balancer: now };
  const remembered = how === "whole" ? asNew(observed, last, answered.askedMs) : { ...before, observed };
  return { id, observed, remembered, isAsBefore: how !== "whole" };
}

/** What was observed below it before is how it was. Where that failed, it is said again until there is an answer. */
function unanswered(balancer: LoadBalancer, before: BalancerObserved | undefined): BalancerObserved {
  const unknown = awaited(`what is below load balancer ${balancer.name}`);
  if (before === undefined) return { balancer, listeners: [], monitors: [], tree: unknown };
  const { tree } = before;
  return { ...before, balancer, tree: tree.known ? { ...unknown, before: tree.value } : tree };
}

function asNew(
  observed: BalancerObserved,
  last: RememberedBalancer | undefined,
  observedMs: number,
): RememberedBalancer {
  const hasStamp = last !== undefined && last.observed.balancer.updatedAt === observed.balancer.updatedAt;
  return { observed, observedMs, stampSeenMs: hasStamp ? last.stampSeenMs : observedMs };
}

async function withPools(
  looked: readonly Looked[],
  request: ObserveRequest,
  { pools: questions }: OpenQuestions,
): Promise<readonly Looked[]> {
  const lacking = looked.filter(({ isAsBefore, observed }) => isAsBefore && lacksPools(observed));
  if (lacking.length === 0) return looked;
  const about = JSON.stringify(lacking.map(({ id, observed }) => [id, observed.balancer.updatedAt]));
  const answered = await questions.ask("pools", { about, ask: () => listPools(request) }, request);
  if (answered === "awaited") return looked;
  return looked.map((one) => {
    const { id, remembered } = one;
    if (!lacking.includes(one) || remembered === undefined) return one;
    const pools = answered.value.filter(({ loadBalancerId }) => loadBalancerId === id);
    const observed = { ...one.observed, pools };
    return { ...one, observed, remembered: { ...remembered, observed } };
  });
}

async function candidatesByName(
  names: readonly string[],
  ours: readonly LoadBalancer[],
  { octavia, call }: ObserveRequest,
): Promise<readonly LoadBalancer[]> {
  const known = new Set(ours.map(({ id }) => id));
  const found = await Promise.all(names.map((name) => octavia.listLoadBalancers({ name }, call)));
  return found.flat().filter(({ id }) => !known.has(id));
}
