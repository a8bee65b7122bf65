// The topology as an operator holds it while it runs: an answer at any moment, news when it changes, and the last known
// value when the API server does not answer. Works on any Kube port; knows no driver.

import { Informer } from "../../../engine/informer/informer.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { KubeReader } from "../../../ports/kube.ts";
import type { Log } from "../../../ports/log.ts";
import type { Random } from "../../../ports/random.ts";
import { type Infrastructure, infrastructureName, infrastructures } from "../apis/infrastructure.ts";
import { parseTopology, type TopologyReading } from "../core/parse.ts";

export type TopologyListener = (now: TopologyReading, before: TopologyReading) => void;

/** What an operator depends on; `TopologyWatcher` in production, `TopologyDouble` in its tests. */
export interface TopologySource {
  current(): TopologyReading;
  /** The first answer: the object, or the certainty that there is none or that we may not see it. */
  readonly synced: Promise<TopologyReading>;
  /** Called when either value changes. Answers with a function that ends it. */
  onChange(listener: TopologyListener): () => void;
}

export interface TopologyWatcherOptions {
  readonly kube: KubeReader;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

export class TopologyWatcher implements TopologySource {
  readonly synced: Promise<TopologyReading>;
  readonly #informer: Informer<Infrastructure>;
  readonly #log: Log;
  readonly #listeners = new Set<TopologyListener>();
  #resolveSynced: (reading: TopologyReading) => void = () => {};
  #current = parseTopology(undefined);
  /** What the last object that we saw said. */
  #lastSeen: TopologyReading | undefined;
  #warned = "";

  constructor({ log, ...ports }: TopologyWatcherOptions) {
    this.#log = log;
    this.#informer = new Informer({
      ...ports,
      log,
      kind: infrastructures,
      selection: { fieldSelector: `metadata.name=${infrastructureName}` },
    });
    this.synced = new Promise((resolve) => {
      this.#resolveSynced = resolve;
    });
    this.#informer.addHandler(() => this.#refresh());
    this.#informer.onStateChange(() => this.#refresh());
  }

  /** Starting twice is starting once. */
  start(): this {
    this.#informer.start();
    return this;
  }

  async stop(): Promise<void> {
    this.#listeners.clear();
    await this.#informer.stop();
  }

  current(): TopologyReading {
    return this.#current;
  }

  onChange(listener: TopologyListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #refresh(): void {
    const before = this.#current;
    this.#current = this.#read();
    this.#warn();
    const changed =
      before.controlPlane !== this.#current.controlPlane || before.infrastructure !== this.#current.infrastructure;
    if (changed) for (const listener of this.#listeners) this.#tell(listener, before);
    if (this.#informer.hasSettled()) this.#resolveSynced(this.#current);
  }

  #tell(listener: TopologyListener, before: TopologyReading): void {
    try {
      listener(this.#current, before);
    } catch (error) {
      this.#log.error("topology listener threw", { error });
    }
  }

  #read(): TopologyReading {
    const object = this.#informer.get({ name: infrastructureName });
    const { state } = this.#informer;
    if (object !== undefined) this.#lastSeen = parseTopology(object);
    if (object !== undefined && state === "synced") return this.#lastSeen ?? parseTopology(object);
    const trouble = state === "pending" ? [] : [describeTrouble(state)];
    if (this.#lastSeen === undefined)
      return { ...parseTopology(undefined), warnings: state === "forbidden" || state === "unreachable" ? trouble : [] };
    // An object that vanishes is an accident, not a decision to make every operand highly available.
    return { ...this.#lastSeen, source: "last-known", warnings: [...this.#lastSeen.warnings, ...trouble] };
  }

  #warn(): void {
    const warnings = this.#current.warnings.join("; ");
    if (warnings !== this.#warned && warnings !== "")
      this.#log.warn("topology is not certain", { warnings: this.#current.warnings });
    this.#warned = warnings;
  }
}

function describeTrouble(state: string): string {
  switch (state) {
    case "forbidden":
      return "reading infrastructures.config.openshift.io is forbidden: bind the ClusterRole mainstay-topology-reader";
    case "unreachable":
      return "the API server does not answer";
    default:
      return "Infrastructure/cluster is gone";
  }
}

/** For an operator's tests: holds a reading, and tells its listeners when a test sets another. */
export class TopologyDouble implements TopologySource {
  readonly synced: Promise<TopologyReading>;
  readonly #listeners = new Set<TopologyListener>();
  #current: TopologyReading;

  constructor(reading: TopologyReading = parseTopology(undefined)) {
    this.#current = reading;
    this.synced = Promise.resolve(reading);
  }

  current(): TopologyReading {
    return this.#current;
  }

  onChange(listener: TopologyListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  set(reading: TopologyReading): void {
    const before = this.#current;
    this.#current = reading;
    if (before.controlPlane === reading.controlPlane && before.infrastructure === reading.infrastructure) return;
    for (const listener of this.#listeners) listener(reading, before);
  }
}
