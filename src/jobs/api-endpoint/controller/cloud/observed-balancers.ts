// Observes a cluster's balancers with few calls. One list by owner tag comes first; balancers that it shows as they were are not asked for
// again (how-to-observe.ts): those unchanged and ONLINE (a member that fails shows in updated_at only when the operating status of the balancer changes with it), and those still PENDING over the same
// change. Of those unchanged and not well the tree alone is asked for. Pools are listed when nothing has changed since all was observed,
// so that it never takes more than 3 + A calls; members are, pool by pool, while tags change. What was asked a moment ago is not asked
// again at all, unless something was changed since, or is to be removed (core/removal/fresh-health.ts).
// The list is waited for; what is below one balancer holds up no other: until it is answered, its tree is unknown.
// What no list shows to be ours is looked for with what is below the others: hidden-balancers.ts.
// For objects at rest one list serves many (shared-answers.ts). Where it shows nothing but what was there before, that is the whole
// observation; otherwise the object gets a list of its own.

import type { MonotonicMs } from "../../../../core/clock-times.ts";
import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import { Questions } from "../../../../engine/round/questions.ts";
import type { EndpointAction } from "../../core/model/action.ts";
import type { BalancerObserved } from "../../core/model/observed.ts";
import { hasOwnerTag, ownerTag } from "../../core/model/ownership.ts";
import { balancerOf } from "../../core/situation/subjects.ts";
import { type HiddenQuestion, hiddenBalancers } from "./hidden-balancers.ts";
import { howToObserve, type RememberedBalancer } from "./how-to-observe.ts";
import { type LookRequest, lookAtBalancers, type OpenQuestions } from "./look-at-balancers.ts";
import { type Children, lacksMembers, lacksPools, listChildren } from "./observe-balancers.ts";
import { type SharedAnswer, SharedAnswers } from "./shared-answers.ts";

export interface ObserveRequest extends HiddenQuestion, LookRequest {
  /** Of the object. */
  readonly key: string;
  readonly endpointKey: string;
  /** Objects with the same reach one project with one token: one list may serve them all. */
  readonly sharingKey: string;
  /** Nothing was to be done for it when it was last observed: see observe-at-rest.ts. */
  readonly isAtRest: boolean;
  /** Names to list beside what bears our tag: see observe-cloud.ts. */
  readonly names: (ours: readonly LoadBalancer[]) => readonly string[];
}

export interface BalancersNow {
  readonly balancers: readonly BalancerObserved[];
  /** All of them are as they were. */
  readonly isUnchanged: boolean;
  /** They are no newer than this. */
  readonly askedMs: MonotonicMs;
}

interface Remembered extends BalancersNow {
  readonly question: string;
  readonly byId: ReadonlyMap<string, RememberedBalancer>;
  /** Those that no list showed. */
  readonly hidden: readonly BalancerObserved[];
}

interface KeyQuestions extends OpenQuestions {
  readonly hidden: Questions<Rows>;
  /** By us, since the process began. */
  changes: number;
}

type Rows = readonly LoadBalancer[];

/** Owner tags have about 50 letters. */
const mostInOneList = 50;

/** A round's own status comes back as an event and wakes its key again. */
const momentMs = 1_000;

export class ObservedBalancers {
  readonly #remembered = new Map<string, Remembered>();
  readonly #questions = new Map<string, KeyQuestions>();
  /** By owner. */
  readonly #shared: SharedAnswers<string, Rows>;

  constructor({ observeAgainMs }: { readonly observeAgainMs: number }) {
    this.#shared = new SharedAnswers({ lifetimeMs: observeAgainMs, most: mostInOneList });
  }

  async observe(request: ObserveRequest): Promise<BalancersNow> {
    const { key, ownerId, monotonicMs } = request;
    const question = JSON.stringify([request.endpointKey, ownerId, request.names([]), request.withMembers]);
    const questions = this.#questions.get(key) ?? nothingAsked();
    this.#questions.set(key, questions);
    const last = this.#remembered.get(key);
    const { balancers, pools, members, hidden } = questions;
    const isNews = [balancers, pools, members, hidden].some(({ hasAnswers }) => hasAnswers);
    const isMomentAgo = last !== undefined && monotonicMs - last.askedMs < momentMs;
    if (last?.question === question && isMomentAgo && !isNews && !request.readAgain?.size)
      return { balancers: last.balancers, isUnchanged: true, askedMs: last.askedMs };
    // What is asked for below a balancer each time, since it is not well, needs a list of its own anyway.
    if (request.isAtRest && last?.question === question && last.isUnchanged && !isNews) {
      const asBefore = await this.#asBefore(last, request);
      if (asBefore !== undefined) return asBefore;
    }
    return await this.#observeAlone(request, question, questions);
  }

  async #observeAlone(request: ObserveRequest, question: string, questions: KeyQuestions): Promise<BalancersNow> {
    const { key, octavia, ownerId, monotonicMs, call } = request;
    const { changes } = questions;
    const last = this.#remembered.get(key);
    this.#shared.leave(key);
    const ours = await octavia.listLoadBalancers({ tags: [ownerTag(ownerId)] }, call);
    const names = request.names(ours);
    const listed = [...ours, ...(await candidatesByName(names, ours, request))];
    const before = last?.byId ?? new Map<string, RememberedBalancer>();
    const { looked, hidden } = await this.#look(listed, request, questions, last);
    const ids = new Set(looked.map(({ id }) => id));
    questions.balancers.retain(ids);
    questions.members.retain(request.withMembers ? ids : new Set());
    const byId = new Map(looked.flatMap(({ id, remembered }) => (remembered === undefined ? [] : [[id, remembered]])));
    const balancers = looked.map(({ observed }) => observed);
    const isAsBefore = looked.every(({ id }) => byId.has(id) && byId.get(id) === before.get(id));
    const isUnchanged = names.length === 0 && hidden.length === 0 && isAsBefore;
    // A slow lane may have changed something since the list was asked for.
    const askedMs = questions.changes === changes ? monotonicMs : Number.NEGATIVE_INFINITY;
    this.#remembered.set(key, { question, askedMs, byId, balancers, hidden, isUnchanged });
    return { balancers, isUnchanged, askedMs: monotonicMs };
  }

  /** At those that are listed, and at those that come to light with what is below them. */
  async #look(listed: Rows, request: ObserveRequest, questions: KeyQuestions, last: Remembered | undefined) {
    let children: Promise<Children> | undefined;
    const context = {
      before: last?.byId ?? new Map<string, RememberedBalancer>(),
      children: () => (children ??= listChildren(request)),
    };
    const shown = await lookAtBalancers(listed, request, questions, context);
    // Nobody looks again afterwards.
    if (listed.length === 0 && request.intent.deleting) void context.children();
    const hints = { questions: questions.hidden, before: last?.hidden ?? [], children };
    const found = await lookAtBalancers(await hiddenBalancers(listed, request, hints), request, questions, context);
    return { looked: [...shown, ...found], hidden: found.map(({ observed }) => observed) };
  }

  /** Undefined: the shared list does not show just what was there when it was last observed by itself. */
  async #asBefore({ balancers, byId }: Remembered, request: ObserveRequest): Promise<BalancersNow | undefined> {
    if (balancers.some((one) => lacksPools(one) || lacksMembers(one, request))) return undefined;
    const shared = await this.#sharedRows(request);
    if (shared === undefined) return undefined;
    const { value: rows, askedMs } = shared;
    const isAsBefore = (row: LoadBalancer) => howToObserve(byId.get(row.id), row, request.monotonicMs).how === "keep";
    const areAll = rows.length === balancers.length && rows.every(isAsBefore) && request.names(rows).length === 0;
    return areAll ? { balancers, isUnchanged: true, askedMs } : undefined;
  }

  async #sharedRows(request: ObserveRequest): Promise<SharedAnswer<Rows> | undefined> {
    const { key, sharingKey: group, ownerId: subject, octavia, monotonicMs, call } = request;
    const ask = async (owners: readonly string[]) => {
      const rows = await octavia.listLoadBalancers({ tagsAny: owners.map(ownerTag) }, call);
      return (owner: string) => rows.filter(({ tags }) => hasOwnerTag(tags, owner));
    };
    return await this.#shared.get({ key, group, subject, monotonicMs, ask });
  }

  /** By us: the next observation asks, however soon it comes, and what was asked before about the same balancer is not taken. */
  changed(key: string, action: EndpointAction): void {
    this.#shared.leave(key);
    const last = this.#remembered.get(key);
    if (last !== undefined) this.#remembered.set(key, { ...last, askedMs: Number.NEGATIVE_INFINITY });
    const questions = this.#questions.get(key);
    if (questions === undefined) return;
    questions.changes += 1;
    questions.hidden.outdate();
    // A new one changes no other.
    if (action.kind !== "create-load-balancer") questions.balancers.outdate(balancerOf(action, last?.balancers ?? []));
  }

  /** Nothing that was observed is trusted any more. */
  distrust(key: string): void {
    this.#shared.leave(key);
    this.#remembered.delete(key);
  }

  stopAsking(key: string): void {
    this.#shared.leave(key);
    this.#questions.delete(key);
  }

  forget(key: string): void {
    this.#remembered.delete(key);
    this.stopAsking(key);
  }
}

function nothingAsked(): KeyQuestions {
  return {
    balancers: new Questions(),
    pools: new Questions(),
    members: new Questions(),
    hidden: new Questions(),
    changes: 0,
  };
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
