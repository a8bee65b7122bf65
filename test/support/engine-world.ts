// The specimen's world: a job that has everything a big one has, in small, on a cloud that tests break by hand.

import type { Feature } from "../../src/engine/feature.ts";
import { type Specimen, specimenCrd, specimens } from "../../src/sim/specimen/specimen-kind.ts";
import { JobWorld } from "./job-world.ts";
import { SpecimenCloud, specimenFeatureOn } from "./specimen-cloud.ts";

export class EngineWorld extends JobWorld {
  readonly specimenCloud = new SpecimenCloud(this.clock);

  features(): readonly Feature[] {
    return [specimenFeatureOn(this.specimenCloud)];
  }

  async defineSpecimens(): Promise<void> {
    await this.define(specimenCrd);
  }

  async make(name: string, spec: Specimen["spec"]): Promise<Specimen> {
    return await this.kube.create<Specimen>(specimens, {
      apiVersion: "sim.mainstay.dev/v1",
      kind: "Specimen",
      metadata: { name, namespace: "default" },
      spec,
    });
  }

  async specimen(name: string): Promise<Specimen> {
    return await this.kube.get(specimens, { name, namespace: "default" });
  }

  async change(name: string, spec: Partial<Specimen["spec"]>): Promise<void> {
    await this.kube.patch(specimens, { name, namespace: "default" }, { type: "merge", body: { spec } });
  }

  async eventReasons(): Promise<readonly string[]> {
    return (await this.events()).map(({ reason }) => reason);
  }
}
