// The specimen's cloud for tests that drive the engine by hand: things take five seconds to become ready; a site can be down, or silent
// whatever signal it is given. The specimen itself is the simulation's.

import type { Kind } from "../../src/apis/kube/kube-object.ts";
import { MainstayError } from "../../src/core/errors.ts";
import type { Feature } from "../../src/engine/feature.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { Cloud, type Thing } from "../../src/sim/specimen/cloud.ts";
import type { CloudLink } from "../../src/sim/specimen/cloud-link.ts";
import { specimenFeature } from "../../src/sim/specimen/specimen-feature.ts";
import { type Specimen, specimens } from "../../src/sim/specimen/specimen-kind.ts";

const readyAfterMs = 5_000;

export class SpecimenCloud implements CloudLink {
  readonly down = new Set<string>();
  /** Calls to these sites never end before they are released. */
  readonly silent = new Set<string>();
  readonly release: (() => void)[] = [];
  /** Such as `create <owner>/<site>`. */
  readonly calls: string[] = [];
  readonly #cloud: Cloud;

  constructor(clock: Clock) {
    this.#cloud = new Cloud(
      () => clock.monotonicMs(),
      () => readyAfterMs,
      Number.POSITIVE_INFINITY,
    );
  }

  get things(): Map<string, Thing> {
    return this.#cloud.things;
  }

  async list(site: string): ReturnType<CloudLink["list"]> {
    return this.#cloud.list(site);
  }

  async create(site: string, owner: string): Promise<Thing> {
    await this.#call(`create ${owner}/${site}`, site);
    return this.#cloud.create(site, owner, "");
  }

  async delete(site: string, id: string): Promise<void> {
    await this.#call(`delete ${id}`, site);
    if (this.things.has(id)) this.#cloud.delete(id, "");
  }

  async #call(what: string, site: string): Promise<void> {
    this.calls.push(what);
    if (this.silent.has(site)) await new Promise<void>((resolve) => this.release.push(resolve));
    if (this.down.has(site))
      throw new MainstayError({ reason: "ApiUnreachable", message: `site ${site}: ${what}: no answer` });
  }
}

/** Sites are what a specimen names, and wherever it has something. */
export function specimenFeatureOn(
  cloud: SpecimenCloud,
  settings: Partial<Pick<Feature, "deadlineMs" | "concurrency">> = {},
  kind: Kind<Specimen> = specimens,
): Feature {
  const sitesOf = ({ spec, metadata }: Specimen): readonly string[] => {
    const own = [...cloud.things.values()].filter(({ owner }) => owner === metadata.uid).map(({ site }) => site);
    return [...new Set([...spec.sites, ...own])];
  };
  return specimenFeature(cloud, { version: "new", kind, sitesOf, deadlineMs: 120_000, concurrency: 1, ...settings });
}
