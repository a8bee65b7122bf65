// What is known of each balancer in a list: what was observed before where that still holds (how-to-observe.ts), else what the cloud says
// in time. The answer about one balancer holds up no other: until it is there, what is below that balancer is unknown.

import type { MonotonicMs } from "../../../../core/clock-times.ts";
import type { Known } from "../../../../core/known.ts";
import type { LoadBalancer, Pool } from "../../../../core/openstack/octavia-objects.ts";
import type { Asking, Questions } from "../../../../engine/round/questions.ts";
import type { BalancerObserved } from "../../core/model/observed.ts";
import { attempt, awaited } from "./attempt.ts";
import { howToObserve, type RememberedBalancer } from "./how-to-observe.ts";
import {
  type BalancersQuestion,
  type Children,
  lacksMembers,
  lacksPools,
  listMembers,
  listPools,
  type MembersByPool,
  observeHealth,
  observeWhole,
} from "./observe-balancers.ts";

/** Of one object. */
export interface OpenQuestions {
  /** By the id of a balancer: about everything below it. */
  readonly balancers: Questions<BalancerObserved>;
  readonly pools: Questions<readonly Pool[]>;
  /** By the id of a balancer. What could not be listed is asked again by a later round, and holds up nothing else. */
  readonly members: Questions<Known<MembersByPool>>;
}

export interface LookRequest extends BalancersQuestion, Asking {
  /** Below these it is looked again, though what was observed should still hold. */
  readonly readAgain?: ReadonlySet<string>;
}

export interface LookContext {
  readonly before: ReadonlyMap<string, RememberedBalancer>;
  /** Lists them once, whoever needs them. */
  readonly children: () => Promise<Children>;
}

export interface Looked {
  readonly id: string;
  readonly observed: BalancerObserved;
  /** Undefined: it has never been observed. */
  readonly remembered: RememberedBalancer | undefined;
  /** Nothing below it was changed since all was observed. */
  readonly isAsBefore: boolean;
}

export async function lookAtBalancers(
  balancers: readonly LoadBalancer[],
  request: LookRequest,
  questions: OpenQuestions,
  { before, children }: LookContext,
): Promise<readonly Looked[]> {
  const looked = await Promise.all(
    balancers.map((now) => lookAt(now, before.get(now.id), request, questions, children)),
  );
  const withPoolsOfAll = await withPools(looked, request, questions);
  return await Promise.all(withPoolsOfAll.map((one) => withMembers(one, request, questions)));
}

async function lookAt(
  now: LoadBalancer,
  last: RememberedBalancer | undefined,
  request: LookRequest,
  { balancers }: OpenQuestions,
  children: () => Promise<Children>,
): Promise<Looked> {
  const { id, provisioningStatus, operatingStatus, updatedAt } = now;
  const { how, before } = howToObserve(last, now, request.monotonicMs, request.readAgain?.has(id));
  if (how === "keep") {
    balancers.outdate(id);
    return { id, observed: before.observed, remembered: before, isAsBefore: true };
  }
  const about = JSON.stringify([how, provisioningStatus, operatingStatus, updatedAt]);
  const ask = () =>
    how === "whole"
      ? observeWhole(now, children, request, last?.observed)
      : observeHealth(before.observed, now, request);
  const answered = await balancers.ask(id, { about, ask }, request);
  if (answered === "awaited" && how === "again")
    return { id, observed: before.observed, remembered: before, isAsBefore: true };
  if (answered === "awaited")
    return { id, observed: unanswered(now, last?.observed), remembered: last, isAsBefore: false };
  const observed = { ...answered.value, balancer: now, treeAskedMs: answered.askedMs };
  if (last !== undefined && isUnreadAsBefore(last.observed, observed))
    return { id, observed, remembered: last, isAsBefore: true };
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

/** Its tree still cannot be read, and the list shows nothing new of it. */
function isUnreadAsBefore(before: BalancerObserved, now: BalancerObserved): boolean {
  const rows = [before, now].map(({ balancer }) => JSON.stringify(balancer));
  return !before.tree.known && !now.tree.known && before.tree.message === now.tree.message && rows[0] === rows[1];
}

function asNew(
  observed: BalancerObserved,
  last: RememberedBalancer | undefined,
  observedMs: MonotonicMs,
): RememberedBalancer {
  const hasStamp = last !== undefined && last.observed.balancer.updatedAt === observed.balancer.updatedAt;
  return { observed, observedMs, stampSeenMs: hasStamp ? last.stampSeenMs : observedMs };
}

async function withPools(
  looked: readonly Looked[],
  request: LookRequest,
  { pools: questions }: OpenQuestions,
): Promise<readonly Looked[]> {
  const lacking = looked.filter(({ isAsBefore, observed }) => isAsBefore && lacksPools(observed));
  if (lacking.length === 0) return looked;
  const about = JSON.stringify(lacking.map(({ id, observed }) => [id, observed.balancer.updatedAt]));
  const answered = await questions.ask("pools", { about, ask: () => listPools(request) }, request);
  if (answered === "awaited") return looked;
  return looked.map((one) => {
    if (!lacking.includes(one)) return one;
    return completed(one, { pools: answered.value.filter(({ loadBalancerId }) => loadBalancerId === one.id) });
  });
}

async function withMembers(one: Looked, request: LookRequest, { members: questions }: OpenQuestions): Promise<Looked> {
  const { id, observed, isAsBefore } = one;
  if (!isAsBefore || !lacksMembers(observed, request)) return one;
  const about = observed.balancer.updatedAt ?? "";
  const answered = await questions.ask(
    id,
    { about, ask: () => attempt(() => listMembers(observed, request)) },
    request,
  );
  return answered === "awaited" || !answered.value.known ? one : completed(one, { members: answered.value.value });
}

function completed(one: Looked, more: Pick<BalancerObserved, "pools" | "members">): Looked {
  const { remembered } = one;
  if (remembered === undefined) return one;
  const observed = { ...one.observed, ...more };
  return { ...one, observed, remembered: { ...remembered, observed } };
}
