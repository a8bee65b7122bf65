import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { namespaces } from "../../src/apis/kube/builtin-kinds.ts";
import type { Kind, KubeObject } from "../../src/apis/kube/kube-object.ts";
import { systemRandom } from "../../src/drivers/system/system-random.ts";
import { indexedPart } from "../../src/sim/run/seed-range.ts";
import type { KubeTargetSession } from "../contract/kube-target.ts";
import { realTarget } from "../contract/targets/real.ts";
import { describeLab, labKube } from "../lab.ts";

interface Job extends KubeObject {
  readonly spec: {
    readonly completions: number;
    readonly template: { readonly spec: { readonly containers: readonly Container[] } };
  };
}

interface Container {
  readonly command: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
}

const jobs: Kind<Job> = { group: "batch", version: "v1", kind: "Job", plural: "jobs", namespaced: true };
const path = join(import.meta.dirname, "..", "..", "deploy", "samples", "sim-job.yaml");
const sample = parse(readFileSync(path, "utf8")) as Job;
const [container] = sample.spec.template.spec.containers;
const seeds = Number(container?.command[container.command.indexOf("--seeds") + 1]);

function partsOf(indexes: readonly number[]): readonly { readonly from: number; readonly count: number }[] {
  const parts = container?.env.find(({ name }) => name === "SIM_PARTS")?.value;
  return indexes.flatMap(
    (index) => indexedPart({ from: 1, count: seeds }, { JOB_COMPLETION_INDEX: String(index), SIM_PARTS: parts }) ?? [],
  );
}

describe("the simulation as an Indexed Job", () => {
  test("its pods together take every seed once", () => {
    const ranges = partsOf(Array.from({ length: sample.spec.completions }, (_, index) => index));
    expect(ranges).toHaveLength(sample.spec.completions);
    expect(ranges.reduce((sum, { count }) => sum + count, 0)).toBe(seeds);
    for (const [index, { from }] of ranges.entries()) expect(from).toBe(1 + index * (seeds / sample.spec.completions));
  });
});

describeLab("the simulation's Job on the real API server", labKube, (lab) => {
  const namespace = `sim-${systemRandom.uuid().slice(0, 8)}`;
  let session: KubeTargetSession;
  beforeAll(async () => {
    session = await realTarget(lab).open();
    await session.admin.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  });
  afterAll(async () => {
    await session.admin.delete(namespaces, { name: namespace });
    await session.close();
  });

  test("is accepted to the letter, as an Indexed Job of as many parts as it says", async () => {
    const { admin } = session;
    const made = (await admin.request({
      method: "POST",
      path: `/apis/batch/v1/namespaces/${namespace}/jobs?fieldValidation=Strict`,
      body: sample,
    })) as Job;
    expect(made.spec).toMatchObject({ completionMode: "Indexed", completions: sample.spec.completions });
    expect(await admin.get(jobs, { name: sample.metadata.name, namespace })).toMatchObject({ spec: made.spec });
    await admin.delete(jobs, { name: sample.metadata.name, namespace }, { propagation: "Background" });
  });
});
