// What this leader remembers of one pool from round to round: the document it sent last, what each gateway said that it carries, what in
// the cloud it saw in use. All of it can be found again: on the gateways, in Neutron and in the pool's status.

import type { MonotonicMs } from "../../../core/clock-times.ts";
import type { GatewayPool, GatewaySpec } from "../apis/gateway-pool.ts";
import { addressesIn } from "../core/gateways/carried.ts";
import type { AgentCapabilities } from "../core/model/agent-answers.ts";
import { compareVersions, type DocumentVersion, emptied, type GatewayDocument } from "../core/model/document.ts";
import type { FeedTarget } from "./feed/gateway-client.ts";
import { NeutronMemory } from "./neutron/neutron-memory.ts";

export interface GatewayMemory {
  target?: FeedTarget;
  /** As the pool has it, or had it when it was taken out. */
  spec?: GatewaySpec;
  isLeaving?: boolean;
  leavingSinceMs?: number;
  capabilities?: AgentCapabilities | "v1";
  capabilitiesAskedMs: number;
  /** What it is known to carry. */
  carried?: GatewayDocument;
  /** Addresses that it may carry: all that it was sent since it last said what it carries. */
  mayCarry?: Set<string>;
}

/** One that has not answered for so long after it left is gone for good: nobody is told about it any more. */
const leavingMs = 600_000;

export class PoolMemory {
  readonly neutron = new NeutronMemory();
  /** Of the leader's term that the rest of this is about. */
  #term: number | undefined;
  #epochFloor = 0;
  #sent: GatewayDocument | undefined;
  #offered: GatewayDocument | undefined;
  readonly #gateways = new Map<string, GatewayMemory>();
  usedBefore = new Set<string>();
  /** By name; undefined until somebody looks at a clock. */
  #unusedSinceMs = new Map<string, number | undefined>();
  /** The last words to each Service, so that nothing is said twice. */
  told: ReadonlyMap<string, string> = new Map();

  /** A new term begins with what gateways carry. */
  enter(term: number | undefined): void {
    if (term === this.#term) return;
    this.#term = term;
    this.#sent = undefined;
    this.#offered = undefined;
    this.usedBefore = new Set();
    this.#unusedSinceMs = new Map();
  }

  gateway(name: string): GatewayMemory {
    const known = this.#gateways.get(name) ?? { capabilitiesAskedMs: Number.NEGATIVE_INFINITY };
    this.#gateways.set(name, known);
    return known;
  }

  /** Answers with those that were taken out of the pool, and were told something that they may still carry. */
  retainGateways(pool: GatewayPool, monotonicMs: MonotonicMs): readonly GatewaySpec[] {
    const specs = new Map((pool.spec?.gateways ?? []).map((gateway) => [gateway.name, gateway]));
    for (const [name, spec] of specs) Object.assign(this.gateway(name), { spec, isLeaving: false });
    for (const [name, known] of this.#gateways) {
      if (specs.has(name)) continue;
      if (known.isLeaving !== true) Object.assign(known, { isLeaving: true, leavingSinceMs: monotonicMs });
      const isLong = monotonicMs - (known.leavingSinceMs ?? monotonicMs) > leavingMs;
      if (isLong || known.target === undefined || known.spec === undefined) this.#gateways.delete(name);
    }
    return [...this.#gateways.values()].flatMap(({ isLeaving, spec }) => (isLeaving === true && spec ? [spec] : []));
  }

  forgetGateway(name: string): void {
    this.#gateways.delete(name);
  }

  /** The latest that was sent in this term; before that, the highest that a gateway carries. */
  previous(): GatewayDocument | undefined {
    if (this.#sent !== undefined) return this.#sent;
    return [...this.#gateways.values()]
      .filter(({ isLeaving }) => isLeaving !== true)
      .flatMap(({ carried }) => carried ?? [])
      .toSorted((a, b) => compareVersions(b.version, a.version))[0];
  }

  /** Of the documents that are made now: never lower than one that a gateway has seen. */
  epoch(): number {
    const highest = Math.max(0, ...[...this.#gateways.values()].map(({ carried }) => carried?.version.epoch ?? 0));
    if (this.#term === undefined) return highest;
    const floor = Math.max(this.#term, this.#epochFloor);
    const own = this.#sent?.version.epoch;
    if (own !== undefined) return Math.max(own, this.#epochFloor, highest > own ? highest + 1 : 0);
    return highest >= floor ? highest + 1 : floor;
  }

  /** All that a round saw unused. */
  noteUnused(names: readonly string[]): void {
    this.#unusedSinceMs = new Map(names.map((name) => [name, this.#unusedSinceMs.get(name)]));
  }

  unusedForMs(monotonicMs: MonotonicMs): ReadonlyMap<string, number> {
    for (const [name, sinceMs] of this.#unusedSinceMs) this.#unusedSinceMs.set(name, sinceMs ?? monotonicMs);
    return new Map([...this.#unusedSinceMs].map(([name, sinceMs = monotonicMs]) => [name, monotonicMs - sinceMs]));
  }

  /** What a plan wants gateways to carry. */
  offer(document: GatewayDocument): void {
    this.#offered = document;
  }

  /** About to be sent: whoever gets it may carry it from now on, also when no reply comes. */
  sending(gateway: string): GatewayDocument | undefined {
    const document = this.#offered;
    if (document === undefined) return undefined;
    this.#sent = document;
    const known = this.gateway(gateway);
    known.mayCarry = new Set([...(known.mayCarry ?? []), ...addressesIn(document)]);
    return document;
  }

  /** With nothing in it, for one that left. */
  stopping(): GatewayDocument | undefined {
    return this.#offered === undefined ? undefined : emptied(this.#offered);
  }

  carries(gateway: string, document: GatewayDocument | undefined): void {
    const known = this.gateway(gateway);
    if (document === undefined) delete known.carried;
    else known.carried = document;
    known.mayCarry = new Set(addressesIn(document));
  }

  /** A gateway has seen another document of this version, or a later one. */
  overtaken({ epoch }: DocumentVersion): void {
    this.#epochFloor = Math.max(this.#epochFloor, epoch + 1);
  }
}

export class PoolMemories {
  readonly #pools = new Map<string, PoolMemory>();
  /** Services whose endpoints matter, by `namespace/name`. */
  readonly served = new Set<string>();

  of(pool: string): PoolMemory {
    const known = this.#pools.get(pool) ?? new PoolMemory();
    this.#pools.set(pool, known);
    return known;
  }

  names(): readonly string[] {
    return [...this.#pools.keys()];
  }

  forget(pool: string): void {
    this.#pools.delete(pool);
  }
}
