// The managers of a world: started, stopped for a while, replaced, killed. Each is a process under a name and an identity that no other
// ever had; what dies comes back after a while as somebody else.

import type { MetricTable } from "../../core/job/metric.ts";
import type { Feature } from "../../engine/feature.ts";
import type { Random } from "../../ports/random.ts";
import { secretMarkerOf } from "../checkers/secret-marker.ts";
import type { SimEvents } from "../checkers/sim-events.ts";
import type { UserInfo } from "../fakes/kube/auth/user-info.ts";
import { type KubeLinkOptions, kubeLink } from "../network/kube-link.ts";
import type { Pace } from "../run/pace.ts";
import type { Trace } from "../run/trace.ts";
import { between, chance, streamOf } from "../time/derive-seed.ts";
import type { Scheduler } from "../time/scheduler.ts";
import { instrumentFeature } from "./instrument-feature.ts";
import { simLog } from "./sim-log.ts";
import { SimProcess } from "./sim-process.ts";
import { type KubeOver, type RunningManager, startManager, type WorldOverrides } from "./start-manager.ts";

export interface FleetOptions {
  readonly seed: number;
  readonly startMs: number;
  readonly scheduler: Scheduler;
  readonly schedule: Random;
  readonly trace: Trace;
  readonly events: SimEvents;
  readonly pace: Pace;
  readonly overrides: WorldOverrides;
  readonly kubeOver: KubeOver;
  readonly link: Omit<KubeLinkOptions, "process" | "token" | "latencyMs">;
  readonly features: (process: SimProcess) => readonly Feature[];
  /** That jobs declare. */
  readonly metrics: readonly MetricTable[];
  readonly admit: (token: string, user: UserInfo) => void;
  /** True once the update has reached everybody: whoever is started now is new. */
  readonly isUpdated: () => boolean;
}

export class Fleet {
  readonly #options: FleetOptions;
  #running: readonly RunningManager[] = [];
  #started = 0;

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  get running(): readonly RunningManager[] {
    return this.#running;
  }

  processes(): readonly SimProcess[] {
    return this.#running.map(({ process }) => process).filter(({ alive }) => alive);
  }

  start(version: SimProcess["version"]): void {
    this.#started += 1;
    const { seed, scheduler, startMs, trace, events, overrides, kubeOver, pace, link, schedule, metrics } =
      this.#options;
    const name = `mgr-${this.#started}`;
    const random = streamOf(seed, name);
    const rate = 1 + (random.next() - 0.5) * 0.02;
    const process = new SimProcess({ name, identity: name, version, scheduler, startMs, rate });
    trace.write(name, `starts, ${version} version`);
    const token = secretMarkerOf(`token-${name}`);
    this.#options.admit(token, { username: name, uid: name, groups: ["system:masters"] });
    const log = simLog(process, trace, events);
    const features = this.#options.features(process);
    const running = startManager({
      process,
      transport: kubeLink({ ...link, process, token, latencyMs: () => between(schedule, 0, 8) }),
      kubeOver,
      random,
      log,
      pace,
      overrides,
      events,
      metrics,
      features: (overrides.features?.(features, process, log) ?? features).map((feature) =>
        instrumentFeature(feature, { process, events, random: streamOf(seed, `${name} order`) }),
      ),
    });
    this.#running = [...this.#running, running];
  }

  kill(process: SimProcess, why: string): void {
    if (!process.alive) return;
    this.#options.trace.write(process.name, `dies: ${why}`);
    process.kill();
    this.#running = this.#running.filter((running) => running.process !== process);
    this.#startLater();
  }

  /** With grace: it drains, gives the Lease back and ends. */
  replace(process: SimProcess): void {
    const { trace } = this.#options;
    const running = this.#running.find((each) => each.process === process);
    if (running === undefined) return;
    this.#running = this.#running.filter((each) => each !== running);
    trace.write(process.name, "is asked to stop");
    void running.manager.stop().then(() => {
      trace.write(process.name, "has stopped");
      process.kill();
    });
    this.#startLater();
  }

  pause(process: SimProcess, ms: number): void {
    if (process.paused) return;
    const { trace, scheduler } = this.#options;
    trace.write(process.name, `is stopped for ${ms} ms`);
    process.pause();
    scheduler.after(ms, undefined, () => {
      trace.write(process.name, "continues");
      process.resume();
    });
  }

  #startLater(): void {
    const { scheduler, schedule, isUpdated } = this.#options;
    scheduler.after(between(schedule, 200, 8_000), undefined, () =>
      this.start(isUpdated() || chance(schedule, 0.8) ? "new" : "old"),
    );
  }
}
