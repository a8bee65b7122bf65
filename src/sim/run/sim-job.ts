// What a job brings to the simulation: facts that hold in every world, and in one world its definitions and objects, its features, what
// people do with it, when it has converged, and its own checkers. Everything else (processes, faults, time, the engine's checkers) it
// inherits.

import type { Feature } from "../../engine/feature.ts";
import type { Kube } from "../../ports/kube.ts";
import type { OpenStack } from "../../ports/openstack.ts";
import type { Random } from "../../ports/random.ts";
import type { Checker, WorldView } from "../checkers/checker.ts";
import type { Network, PlanCall } from "../network/network.ts";
import type { SimProcess } from "../processes/sim-process.ts";

export interface JobWorld {
  readonly random: Random;
  /** An administrator's, without faults. */
  readonly kube: Kube;
  readonly view: WorldView;
  readonly network: Network;
  readonly planCall: PlanCall;
  /** A secret that must never be seen outside of where it was put. */
  readonly secretMarker: (label: string) => string;
  /**
   * Objects that lived through a restore of storage. It may have taken them away, or their finalizers: what they left outside then,
   * nobody can know of.
   */
  readonly lostUids: ReadonlySet<string>;
  /** It lives for an hour: what is done again and again at rest is done as seldom as the job allows. */
  readonly isSlow: boolean;
}

/** What checkers that serve every job have to know of one. */
export interface JobFacts {
  /** Kinds of actions that by the job's contract change what belongs to others, and bears no mark of ours. */
  readonly writesByContract?: readonly string[];
  /** Kinds (by their plural) whose objects are read again and again, also when everything has converged. */
  readonly readsWhenQuiet?: readonly string[];
}

/** A part of its worlds has no faults for a while, so that there is something to lose. */
export interface CalmBeginning {
  /** How many of the worlds, from 0 to 1. */
  readonly share: number;
  readonly lastsMs: readonly [low: number, high: number];
}

export interface SimJob extends JobFacts {
  readonly name: string;
  readonly calmBeginning?: CalmBeginning;
  inWorld(world: JobWorld): JobInWorld;
}

export interface JobInWorld {
  /** Systems of its own that processes reach: faults cut them off and make them fail. */
  readonly ports: readonly string[];
  readonly checkers: readonly Checker[];
  /** Those that its definitions name, by the path of their URL. */
  readonly webhooks?: Readonly<Record<string, (review: unknown) => object>>;
  /** The cloud as people's commands reach it, without faults. Absent: it has none. */
  readonly openStack?: OpenStack;
  /** The longest pause between two looks at what reports no changes. Absent: it looks at nothing of its own accord. */
  readonly looksEveryMs?: number;
  /** Definitions, objects, and what belongs to other people. */
  prepare(): Promise<void>;
  features(process: SimProcess): readonly Feature[];
  /** A person does something: wants another state, breaks something by hand. */
  act(): Promise<void>;
  /** People see to it that the cluster says what they want, as after a restore. */
  insist(): Promise<void>;
  /** What has yet to become true, in words; undefined when everything is as wanted. */
  missing(): string | undefined;
  /** One part of its system goes down for long. While it is, only what does not need it must become true. */
  partDown?(): void;
  /** One part of its system answers late for as long. Drawn from a stream of its own. */
  partSlow?(random: Random): void;
  partUp?(): void;
  missingBesidesPart?(): string | undefined;
  /** What may stay wrong for an hour, in words; each answers with how it ends. */
  readonly lastingTroubles?: Readonly<Record<string, () => () => void>>;
}
