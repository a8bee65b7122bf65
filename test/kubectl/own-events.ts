// What kubectl shows of Mainstay's own objects: the columns of its kinds, and the Events that Mainstay writes about them, in whichever version
// kubectl prefers.

import { expect, it } from "vitest";
import { type KubeObject } from "../../src/apis/kube/kube-object.ts";
import { explain } from "../../src/core/explain.ts";
import { systemClock } from "../../src/drivers/system/system-clock.ts";
import { eventObject, eventUpdate } from "../../src/engine/report/event-object.ts";
import { PreferredVersions } from "../../src/engine/report/preferred-versions.ts";
import { openStackClusterCrd } from "../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster-crd.ts";
import { eventually } from "../contract/kube/raw-request.ts";
import { rowsOf } from "./kubectl-runner.ts";
import type { KubectlSession } from "./kubectl-session.ts";

const reporter = { controller: "mainstay.dev/openstack-cluster", instance: "manager-0" };

export function ownEventsScript(get: () => KubectlSession): void {
  it("events --for finds Events about an object in another version than the one that Mainstay speaks, sorted by time", async () => {
    const { kubectl, namespace, group } = get();
    const request = async ({ path }: { readonly path: string }) => JSON.parse(await kubectl.run(`get --raw ${path}`));
    const versions = new PreferredVersions({ kube: { request }, clock: systemClock, deadlineMs: 5_000 });
    const stalls = `stalls.${group}`;
    await kubectl.run("create -f -", { input: definition(group, "stalls", "Stall") });
    await kubectl.run(`wait --for=condition=Established --timeout=20s crd/${stalls}`);
    await discovered(get(), "v1beta2");
    try {
      const stall = { apiVersion: `${group}/v1beta1`, kind: "Stall", metadata: { name: "told", namespace } };
      await kubectl.run("create -f -", { input: stall });
      const apiVersion = await versions.ask(stall);
      expect(apiVersion).toBe(`${group}/v1beta2`);
      const about = { ...stall, apiVersion };
      const nowMs = Date.now();
      await kubectl.run("create -f -", { input: eventAbout(about, "ApiTimeout", "told.1", nowMs - 60_000) });
      await kubectl.run("create -f -", { input: eventAbout(about, "WriteConflict", "told.2", nowMs - 120_000) });
      const update = JSON.stringify(eventUpdate(4, nowMs - 30_000));
      await kubectl.run(["patch", "event", "told.2", "--type=merge", "-p", update]);
      const rows = rowsOf(await kubectl.run(`events --for stall.${group}/told`));
      expect(rows.slice(1).map(([, , reason]) => reason)).toEqual(["ApiTimeout", "WriteConflict"]);
      expect(rows.at(-1)?.[0]).toMatch(/\(x4 over /);
      const sorted = await kubectl.run("get events --sort-by=.lastTimestamp -o name");
      const ours = sorted.split("\n").filter((name) => name.startsWith("event/told."));
      expect(ours).toEqual(["event/told.1", "event/told.2"]);
    } finally {
      await kubectl.attempt(`delete crd ${stalls} --wait=false`);
    }
  });

  it("get prints in how many zones the API answers, in both versions of an OpenStackCluster", async () => {
    const { kubectl, namespace, group } = get();
    const [columns = [], later = []] = openStackClusterCrd().spec.versions.map((one) => one.additionalPrinterColumns);
    await kubectl.run("create -f -", { input: definition(group, "berths", "Berth", [columns, later]) });
    await kubectl.run(`wait --for=condition=Established --timeout=20s crd/berths.${group}`);
    await discovered(get(), "v1beta2");
    try {
      // No cell is empty, so that words stay below their headings.
      const metadata = { name: "blue", namespace, labels: { "cluster.x-k8s.io/cluster-name": "blue" } };
      const spec = { controlPlaneEndpoint: { host: "api.blue.example.com" } };
      const status = {
        zonesServed: "2/3",
        conditions: [{ type: "Ready", status: "True", reason: "MembersUnhealthy" }],
      };
      await kubectl.run("create -f -", {
        input: { apiVersion: `${group}/v1beta1`, kind: "Berth", metadata, spec, status },
      });
      for (const version of ["v1beta1", "v1beta2"]) {
        const [header = [], row = []] = rowsOf(await kubectl.run(`get berths.${version}.${group}`));
        expect(row[header.indexOf("ZONES")]).toBe("2/3");
        expect(row[header.indexOf("REASON")]).toBe("MembersUnhealthy");
      }
    } finally {
      await kubectl.attempt(`delete crd berths.${group} --wait=false`);
    }
  });
}

/** Discovery of the real server follows a moment later. */
async function discovered({ kubectl, group }: KubectlSession, version: string): Promise<void> {
  await eventually("the new version to be discovered", async () => {
    const { code } = await kubectl.attempt(`get --raw /apis/${group}/${version}`);
    return code === 0 || undefined;
  });
}

function eventAbout(
  about: KubeObject,
  reason: "ApiTimeout" | "WriteConflict",
  name: string,
  nowMs: number,
): KubeObject {
  return eventObject({ regarding: about, explanation: explain(reason), action: "look" }, reporter, name, nowMs);
}

/** Of two versions, of which kubectl prefers the later one. */
function definition(group: string, plural: string, kind: string, columns: readonly (readonly object[])[] = []): object {
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const versions = ["v1beta1", "v1beta2"].map((name, index) => ({
    name,
    served: true,
    storage: index === 0,
    schema,
    additionalPrinterColumns: columns[index] ?? [],
  }));
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: "Namespaced", names: { plural, singular: kind.toLowerCase(), kind }, versions },
  };
}
