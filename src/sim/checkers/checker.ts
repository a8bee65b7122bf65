// A checker watches one promise. It says what was broken as soon as it sees it; the run ends there.

import type { KubeObject } from "../../apis/kube/kube-object.ts";
import type { SimEvents } from "./sim-events.ts";

export interface LeaseSeen {
  /** Empty: nobody. */
  readonly holder: string;
}

/** Longer than the API server is away at a restore, and than an informer takes to list again. */
const blindAfterRestoreMs = 25_000;

/** The truth, as nobody in the simulated system can see it. */
export interface WorldView extends Pick<SimEvents, "on"> {
  nowMs(): number;
  /** Undefined while there is no Lease. */
  lease(): LeaseSeen | undefined;
  /**
   * Who last took or renewed the Lease on the server, or a word about who gave it back. By writes, not by what the Lease says: a restore of
   * storage can make it name somebody who is long gone.
   */
  leading(): string | undefined;
  /** By storage's name of the resource and the key in it. */
  objectAt(resource: string, key: string): KubeObject | undefined;
  objects(resource: string): readonly KubeObject[];
  /** When storage was last restored; never: minus infinity. Until caches have been listed anew nobody can know what is wanted. */
  restoredAtMs(): number;
  /** Everything has converged and nothing is wrong: the system has no reason to do anything. */
  isQuiet(): boolean;
  /** Since when one thing has stayed wrong for long; undefined while nothing does. */
  lastingSinceMs(): number | undefined;
  /** Kinds of actions that change what belongs to others, by the contract of a job of this world. */
  readonly writesByContract: ReadonlySet<string>;
  /** Kinds, by their plural, that a job of this world reads again also when it is quiet. */
  readonly readsWhenQuiet: ReadonlySet<string>;
}

export interface Checker {
  readonly name: string;
  /** In words. */
  readonly promise: string;
  readonly watch: (view: WorldView, broken: (how: string) => void) => void;
}

/** Storage was restored a short while ago: nobody can know yet what is wanted. */
export function isBlindAfterRestore(view: Pick<WorldView, "nowMs" | "restoredAtMs">): boolean {
  return view.nowMs() < view.restoredAtMs() + blindAfterRestoreMs;
}
