// The api-endpoint job as a user meets it: `mainstay controller` on a real API server with real Cluster API managers and a real
// OpenStack. One world for the whole suite; every part leaves it as it was.

import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type ClusterApiLab,
  describeLab,
  type LabPart,
  labClusterApi,
  labOpenStack,
  type OpenStackLab,
} from "../../lab.ts";
import { admission } from "./admission.ts";
import { besideCapo } from "./beside-capo.ts";
import { clusterLife } from "./cluster-life.ts";
import { type EndpointLab, openLab } from "./endpoint-lab.ts";
import { migration } from "./migration.ts";
import { otherShapes } from "./other-shapes.ts";
import { until } from "./until.ts";

interface Parts {
  readonly available: true;
  readonly clusterApi: ClusterApiLab;
  readonly openStack: OpenStackLab;
}

const parts: LabPart<Parts> = async () => {
  const [clusterApi, openStack] = [await labClusterApi(), await labOpenStack()];
  if (!clusterApi.available) return clusterApi;
  return openStack.available ? { available: true, clusterApi, openStack } : openStack;
};

describeLab("api-endpoint on real Cluster API and real OpenStack", parts, ({ clusterApi, openStack }) => {
  let lab: EndpointLab;
  let before: readonly string[];
  const get = () => lab;

  beforeAll(async () => {
    lab = await openLab(clusterApi, openStack);
    before = await lab.project.census();
  }, 600_000);
  afterAll(() => lab?.close(), 600_000);

  admission(get);
  clusterLife(get);
  otherShapes(get);
  migration(get);
  besideCapo(get);

  it("leaves nothing behind in the whole project, nor with Octavia", { timeout: 300_000 }, async () => {
    await until("Octavia to clear up", async () => (await lab.project.leftovers()).length === 0);
    expect(await lab.project.census()).toEqual(before);
  });
});
