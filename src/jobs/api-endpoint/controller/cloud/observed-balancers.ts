// Observes a cluster's balancers with few calls. One list by owner tag comes first; balancers that it shows as they were are not asked for
// again (how-to-observe.ts): those unchanged and ONLINE (a member that fails shows in updated_at only when the operating status of the balancer changes with it), and those still PENDING over the same
// change. Of those unchanged and not well the tree alone is asked for. Pools are listed when nothing has changed since all was observed,
// so that it never takes more than 3 + A calls. What was asked a moment ago is not asked again at all, unless something was changed since.

import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import type { BalancerObserved } from "../../core/model/observed.ts";
import { ownerTag } from "../../core/model/ownership.ts";
import { howToObserve, type RememberedBalancer } from "./how-to-observe.ts";
import { type BalancersQuestion, observeBalancers, observeHealth, withPools } from "./observe-balancers.ts";

export interface ObserveRequest extends BalancersQuestion {
  /** Of the object. */
  readonly key: string;
  readonly endpointKey: string;
  /** Names to list beside what bears our tag: see observe-cloud.ts. */
  readonly names: (ours: readonly LoadBalancer[]) => readonly string[];
  readonly nowMs: number;
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

/** A round's own status comes back as an event and wakes its key again. */
const momentMs = 1_000;

export class ObservedBalancers {
  readonly #remembered = new Map<string, Remembered>();

  async observe(request: ObserveRequest): Promise<BalancersNow> {
    const { key, octavia, ownerId, nowMs, call } = request;
    const question = JSON.stringify([request.endpointKey, ownerId, request.names([])]);
    const last = this.#remembered.get(key);
    if (last?.question === question && nowMs - last.askedMs < momentMs)
      return { balancers: last.balancers, isUnchanged: true };
    const ours = await octavia.listLoadBalancers({ tags: [ownerTag(ownerId)] }, call);
    const names = request.names(ours);
    const all = [...ours, ...(await candidatesByName(names, ours, request))];
    const byId = await observeAgain(all, request, last?.byId ?? new Map<string, RememberedBalancer>());
    const balancers = all.flatMap(({ id }) => byId.get(id)?.observed ?? []);
    const isUnchanged = names.length === 0 && all.every(({ id }) => byId.get(id) === last?.byId.get(id));
    this.#remembered.set(key, { question, askedMs: nowMs, byId, balancers });
    return { balancers, isUnchanged };
  }

  /** By us: the next observation asks, however soon it comes. */
  changed(key: string): void {
    const last = this.#remembered.get(key);
    if (last !== undefined) this.#remembered.set(key, { ...last, askedMs: Number.NEGATIVE_INFINITY });
  }

  forget(key: string): void {
    this.#remembered.delete(key);
  }
}

async function observeAgain(
  balancers: readonly LoadBalancer[],
  request: ObserveRequest,
  remembered: ReadonlyMap<string, RememberedBalancer>,
): Promise<ReadonlyMap<string, RememberedBalancer>> {
  const { nowMs } = request;
  const ways = balancers.map((now) => ({ now, ...howToObserve(remembered.get(now.id), now, nowMs) }));
  const [whole, again] = await Promise.all([
    observeBalancers(
      ways.flatMap(({ how, now }) => (how === "whole" ? [now] : [])),
      request,
    ),
    Promise.all(
      ways.flatMap(({ how, before, now }) => {
        if (how === "whole") return [];
        return [how === "keep" ? Promise.resolve(before.observed) : observeHealth(before.observed, now, request)];
      }),
    ),
  ]);
  const known = await withPools(again, request);
  return new Map([
    ...whole.map((observed) => asNew(observed, remembered.get(observed.balancer.id), nowMs)),
    ...known.flatMap((observed) => asBefore(observed, remembered.get(observed.balancer.id))),
  ]);
}

function asNew(
  observed: BalancerObserved,
  last: RememberedBalancer | undefined,
  nowMs: number,
): [string, RememberedBalancer] {
  const { id, updatedAt } = observed.balancer;
  const hasStamp = last !== undefined && last.observed.balancer.updatedAt === updatedAt;
  return [id, { observed, observedMs: nowMs, stampSeenMs: hasStamp ? last.stampSeenMs : nowMs }];
}

/** The same thing when nothing is new, so that it can be told that nothing is. */
function asBefore(observed: BalancerObserved, last: RememberedBalancer | undefined): [string, RememberedBalancer][] {
  if (last === undefined) return [];
  return [[observed.balancer.id, last.observed === observed ? last : { ...last, observed }]];
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
