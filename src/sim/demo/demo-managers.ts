// Two managers that compete for one lease, each as if it were a process of its own: one can die without a word, and another one
// comes in its place after a while. What they planned is kept in one journal, so that the log goes on when the leader changes.

import type { Guard } from "../../core/guards.ts";
import type { Feature } from "../../engine/feature.ts";
import type { LeaseAnnotations } from "../../engine/lease/leader-lease.ts";
import type { LeaseTimings } from "../../engine/lease/lease-timings.ts";
import { Manager } from "../../engine/manager.ts";
import { managerInsight, shownKinds } from "../../engine/report/manager-insight.ts";
import type { Metrics } from "../../engine/report/metrics.ts";
import { PlanJournal } from "../../engine/report/plan-journal.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Insight, InsightChange } from "../../ports/insight.ts";
import type { Kube } from "../../ports/kube.ts";
import type { KubeTransport } from "../../ports/kube-transport.ts";
import type { Log } from "../../ports/log.ts";
import type { Random } from "../../ports/random.ts";
import type { ReplicaInfo } from "../../server/contract.ts";
import { lost } from "./api-faults.ts";
import type { FaultDefinition } from "./fault-registry.ts";

export interface DemoManagersOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: () => Metrics;
  readonly transport: KubeTransport;
  readonly kubeOver: (transport: KubeTransport) => Kube;
  readonly features: () => readonly Feature[];
  readonly guard: Guard;
  /** What the leader says of itself on the Lease. */
  readonly annotations: LeaseAnnotations;
}

interface DemoManager {
  readonly identity: string;
  readonly manager: Manager;
  readonly insight: Insight;
  /** From here on none of its calls leaves or is answered. */
  kill(): void;
  dead: boolean;
}

/** Short, so that a take-over can be watched. */
export const demoLease = {
  ref: { namespace: "mainstay-system", name: "mainstay-controller" },
  timings: { durationMs: 6_000, renewDeadlineMs: 4_000, retryMs: 1_000 } satisfies LeaseTimings,
};

export class DemoManagers {
  readonly #options: DemoManagersOptions;
  readonly #journal = new PlanJournal();
  readonly #listeners = new Set<(news: InsightChange) => void>();
  readonly #stopping: Promise<void>[] = [];
  #managers: DemoManager[] = [];
  #started = 0;

  constructor(options: DemoManagersOptions) {
    this.#options = options;
  }

  start(): void {
    for (let count = 0; count < 2; count += 1) this.#add();
  }

  async stop(): Promise<void> {
    await Promise.all([
      ...this.#managers.filter(({ dead }) => !dead).map(({ manager }) => manager.stop()),
      ...this.#stopping,
    ]);
  }

  replicas(): readonly ReplicaInfo[] {
    return this.#managers.map(({ identity, manager, dead }) => ({
      identity,
      state: dead ? "stopped" : manager.term === undefined ? "standby" : "leading",
    }));
  }

  /** The leader's eyes, or a standby's while nobody leads. */
  insight(): Insight {
    const current = (): Insight => this.#current().insight;
    return {
      shown: shownKinds(this.#options.features()),
      manager: () => current().manager(),
      objectsOf: (kind) => current().objectsOf(kind),
      object: (kind, ref) => current().object(kind, ref),
      plansFor: (kind, ref) => current().plansFor(kind, ref),
      log: () => current().log(),
      readBy: (controller) => current().readBy(controller),
      inputsOf: (kind, ref) => current().inputsOf(kind, ref),
      eventsOf: (kind, ref) => current().eventsOf(kind, ref),
      subscribe: (listener) => {
        this.#listeners.add(listener);
        return () => void this.#listeners.delete(listener);
      },
    };
  }

  killLeader(): FaultDefinition {
    return {
      id: "kill-leader",
      title: "Kill the leader",
      description:
        "The leading manager dies without giving its lease back. Another one starts in its place when this heals.",
      watch: `The standby takes over when the lease has run out, within about ${demoLease.timings.durationMs / 1_000} seconds, and goes on where the dead one was.`,
      defaultSeconds: 20,
      begin: (_parameters, say) => {
        const victim = this.#managers.find(({ manager, dead }) => !dead && manager.term !== undefined);
        if (victim === undefined) {
          say("nobody leads, so that nobody died");
          return () => {};
        }
        victim.kill();
        this.#stopping.push(victim.manager.stop());
        say(`${victim.identity} is dead`);
        this.#notify({ type: "all" });
        return () => {
          this.#managers = this.#managers.filter((one) => one !== victim);
          this.#add();
        };
      },
    };
  }

  #add(): void {
    const { clock, random, log, features, metrics, guard, kubeOver, transport, annotations } = this.#options;
    this.#started += 1;
    const identity = `manager-${this.#started}`;
    const gate = { dead: false };
    const kube = kubeOver(killable(transport, gate));
    const leading = new Set<() => void>();
    const own = features();
    const manager = new Manager({
      kube,
      clock,
      random,
      log: log.with({ manager: identity }),
      metrics: metrics(),
      features: own,
      identity,
      lease: { ...demoLease, annotations },
      guardOf: () => guard,
      journal: { record: (input) => (gate.dead ? undefined : this.#journal.record(input)) },
      onLeading: () => {
        for (const listener of leading) listener();
      },
    });
    const onLeading = (listener: () => void) => {
      leading.add(listener);
      return () => void leading.delete(listener);
    };
    manager.start();
    const insight = managerInsight({ manager, identity, features: own, journal: this.#journal, kube, onLeading });
    const added: DemoManager = {
      identity,
      manager,
      insight,
      kill() {
        gate.dead = true;
        added.dead = true;
      },
      dead: false,
    };
    this.#managers.push(added);
    insight.subscribe((news) => {
      // Both observe every change; the one that people are shown reports it.
      if (news.type === "all" || news.type === "manager" || this.#current() === added) this.#notify(news);
    });
    this.#notify({ type: "all" });
  }

  #current(): DemoManager {
    const alive = this.#managers.filter(({ dead }) => !dead);
    const best = alive.find(({ manager }) => manager.term !== undefined) ?? alive[0] ?? this.#managers[0];
    if (best === undefined) throw new Error("the demonstration has no manager yet");
    return best;
  }

  #notify(news: InsightChange): void {
    for (const listener of this.#listeners) listener(news);
  }
}

/** A dead process sends nothing and receives nothing. */
function killable(inner: KubeTransport, gate: { readonly dead: boolean }): KubeTransport {
  const die = (): void => {
    if (gate.dead) throw lost("ECONNREFUSED", "this manager is dead");
  };
  return {
    send: async (request, options = {}) => {
      die();
      const answer = await inner.send(request, {
        ...options,
        beforeSend: () => {
          die();
          options.beforeSend?.();
        },
      });
      die();
      return answer;
    },
    close: () => inner.close(),
  };
}
