// Looks at a cluster's balancers with few calls. A glance is one list by owner tag. Balancers that it shows as they were are not looked
// into again (look-into.ts): those unmoved and ONLINE (decision 33 says why ONLINE matters), and those still PENDING over the same
// change. Of those unmoved and not well the tree alone is asked for. Pools are listed when nothing has moved since a full look, so that
// no look takes more than 3 + A calls. What was asked a moment ago is not asked again at all, unless something was changed since.

import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import type { BalancerObserved } from "../../core/model/observed.ts";
import { ownerTag } from "../../core/model/ownership.ts";
import { type LookInto, lookAtHealth, lookInto, withPools } from "./observe-balancer.ts";
import { howToLook, type Seen } from "./seen-balancer.ts";

export interface LookRequest extends LookInto {
  /** Of the object: looks are remembered by it. */
  readonly key: string;
  readonly endpointKey: string;
  /** Names to look for beside what bears our tag: see names-to-look-for.ts. */
  readonly names: (ours: readonly LoadBalancer[]) => readonly string[];
  readonly nowMs: number;
}

export interface BalancerLook {
  readonly balancers: readonly BalancerObserved[];
  /** All of them are as they were: none was looked into. */
  readonly glanced: boolean;
}

interface Remembered {
  readonly question: string;
  readonly askedMs: number;
  readonly balancers: readonly BalancerObserved[];
  readonly seen: ReadonlyMap<string, Seen>;
}

/** A round's own status comes back as an event and wakes its key again. */
const momentMs = 1_000;

export class BalancerLooks {
  readonly #remembered = new Map<string, Remembered>();

  async look(request: LookRequest): Promise<BalancerLook> {
    const { key, octavia, ownerId, nowMs, call } = request;
    const question = JSON.stringify([request.endpointKey, ownerId, request.names([])]);
    const last = this.#remembered.get(key);
    if (last?.question === question && nowMs - last.askedMs < momentMs)
      return { balancers: last.balancers, glanced: true };
    const ours = await octavia.listLoadBalancers({ tags: [ownerTag(ownerId)] }, call);
    const names = request.names(ours);
    const all = [...ours, ...(await candidatesByName(names, ours, request))];
    const seen = await this.#seen(all, request, last?.seen ?? new Map<string, Seen>());
    const balancers = all.flatMap(({ id }) => seen.get(id)?.observed ?? []);
    const glanced = names.length === 0 && all.every(({ id }) => seen.get(id) === last?.seen.get(id));
    this.#remembered.set(key, { question, askedMs: nowMs, seen, balancers });
    return { balancers, glanced };
  }

  /** After a change of ours: the next look asks, however soon it comes. */
  doubt(key: string): void {
    const last = this.#remembered.get(key);
    if (last !== undefined) this.#remembered.set(key, { ...last, askedMs: Number.NEGATIVE_INFINITY });
  }

  forget(key: string): void {
    this.#remembered.delete(key);
  }

  async #seen(
    balancers: readonly LoadBalancer[],
    request: LookRequest,
    before: ReadonlyMap<string, Seen>,
  ): Promise<ReadonlyMap<string, Seen>> {
    const { nowMs } = request;
    const looks = balancers.map((now) => ({ now, ...howToLook(before.get(now.id), now, nowMs) }));
    const [into, again] = await Promise.all([
      lookInto(
        looks.flatMap(({ look, now }) => (look === "into" ? [now] : [])),
        request,
      ),
      Promise.all(
        looks.flatMap(({ look, seen, now }) => {
          if (look === "into") return [];
          return [look === "keep" ? Promise.resolve(seen.observed) : lookAtHealth(seen.observed, now, request)];
        }),
      ),
    ]);
    const known = await withPools(again, request);
    return new Map([
      ...into.map((observed) => lookedInto(observed, before.get(observed.balancer.id), nowMs)),
      ...known.flatMap((observed) => knownAgain(observed, before.get(observed.balancer.id))),
    ]);
  }
}

function lookedInto(observed: BalancerObserved, last: Seen | undefined, nowMs: number): [string, Seen] {
  const { id, updatedAt } = observed.balancer;
  const hasStamp = last !== undefined && last.observed.balancer.updatedAt === updatedAt;
  return [id, { observed, lookedMs: nowMs, stampSeenMs: hasStamp ? last.stampSeenMs : nowMs }];
}

/** The same thing when nothing is new, so that a glance can be told. */
function knownAgain(observed: BalancerObserved, last: Seen | undefined): [string, Seen][] {
  if (last === undefined) return [];
  return [[observed.balancer.id, last.observed === observed ? last : { ...last, observed }]];
}

async function candidatesByName(
  names: readonly string[],
  ours: readonly LoadBalancer[],
  { octavia, call }: LookRequest,
): Promise<readonly LoadBalancer[]> {
  const seen = new Set(ours.map(({ id }) => id));
  const found = await Promise.all(names.map((name) => octavia.listLoadBalancers({ name }, call)));
  return found.flat().filter(({ id }) => !seen.has(id));
}
