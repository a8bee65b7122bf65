// The specimen's cloud for tests that drive the engine by hand: things take five seconds to become ready; a location can be down, slow, or
// silent whatever signal it is given. The specimen itself is the simulation's.

import type { Kind } from "../../src/apis/kube/kube-object.ts";
import { MainstayError } from "../../src/core/errors.ts";
import type { Feature } from "../../src/engine/feature.ts";
import { sleep } from "../../src/engine/round/sleep.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { Cloud, type Thing } from "../../src/sim/specimen/cloud.ts";
import type { CloudLink } from "../../src/sim/specimen/cloud-link.ts";
import { specimenFeature } from "../../src/sim/specimen/specimen-feature.ts";
import { type Specimen, specimens } from "../../src/sim/specimen/specimen-kind.ts";

const readyAfterMs = 5_000;

export class SpecimenCloud implements CloudLink {
  readonly down = new Set<string>();
  /** Calls to these locations never end before they are released. */
  readonly silent = new Set<string>();
  readonly release: (() => void)[] = [];
  /** How long every call to a location takes, half of it before its effect. */
  readonly slowMs = new Map<string, number>();
  /** Such as `create <owner>/<location>`. */
  readonly calls: string[] = [];
  readonly #cloud: Cloud;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#cloud = new Cloud(
      () => clock.monotonicMs(),
      () => readyAfterMs,
      Number.POSITIVE_INFINITY,
    );
  }

  get things(): Map<string, Thing> {
    return this.#cloud.things;
  }

  async list(location: string): ReturnType<CloudLink["list"]> {
    return await this.#slowly(location, () => this.#cloud.list(location));
  }

  async create(location: string, owner: string): Promise<Thing> {
    await this.#call(`create ${owner}/${location}`, location);
    return await this.#slowly(location, () => this.#cloud.create(location, owner, ""));
  }

  async delete(location: string, id: string): Promise<void> {
    await this.#call(`delete ${id}`, location);
    await this.#slowly(location, () => void (this.things.has(id) && this.#cloud.delete(id, "")));
  }

  async #slowly<T>(location: string, effect: () => T): Promise<T> {
    const halfMs = (this.slowMs.get(location) ?? 0) / 2;
    if (halfMs > 0) await sleep(this.#clock, halfMs);
    const result = effect();
    if (halfMs > 0) await sleep(this.#clock, halfMs);
    return result;
  }

  async #call(what: string, location: string): Promise<void> {
    this.calls.push(what);
    if (this.silent.has(location)) await new Promise<void>((resolve) => this.release.push(resolve));
    if (this.down.has(location))
      throw new MainstayError({ reason: "ApiUnreachable", message: `location ${location}: ${what}: no answer` });
  }
}

/** Locations are what a specimen names, and wherever it has something. */
export function specimenFeatureOn(
  cloud: SpecimenCloud,
  settings: Partial<Pick<Feature, "deadlineMs" | "concurrency">> = {},
  kind: Kind<Specimen> = specimens,
): Feature {
  const locationsOf = ({ spec, metadata }: Specimen): readonly string[] => {
    const own = [...cloud.things.values()]
      .filter(({ owner }) => owner === metadata.uid)
      .map(({ location }) => location);
    return [...new Set([...spec.locations, ...own])];
  };
  return specimenFeature(cloud, {
    version: "new",
    kind,
    locationsOf,
    deadlineMs: 120_000,
    concurrency: 1,
    ...settings,
  });
}
