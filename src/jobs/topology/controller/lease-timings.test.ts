import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../../../test/support/virtual-clock.ts";
import { installCrds } from "../../../cli/install-crds.ts";
import { kubeClient } from "../../../drivers/kube/client.ts";
import { defaultLeaseTimings, leaseTimingProblems } from "../../../engine/lease/lease-timings.ts";
import { adminToken, createFakeKubeApi } from "../../../sim/fakes/kube/api-server.ts";
import { seededRandom } from "../../../sim/time/seeded-random.ts";
import { type Infrastructure, infrastructures } from "../apis/infrastructure.ts";
import { topologyJob } from "../job.ts";
import { leaseTimingsFor } from "./lease-timings.ts";

async function clusterWith(controlPlaneTopology: string | undefined, token = adminToken) {
  const clock = new VirtualClock();
  const api = createFakeKubeApi({ clock, random: seededRandom(1) });
  const kube = kubeClient({ transport: api.transport(adminToken), clock });
  if (controlPlaneTopology !== undefined) {
    await installCrds(kube, clock, topologyJob.definitions);
    const object: Infrastructure = {
      apiVersion: "config.openshift.io/v1",
      kind: "Infrastructure",
      metadata: { name: "cluster" },
    };
    await kube.create(infrastructures, object);
    await kube.patch(
      infrastructures,
      object.metadata,
      { type: "merge", body: { status: { controlPlaneTopology } } },
      { subresource: "status" },
    );
  }
  return kubeClient({ transport: api.transport(token), clock });
}

describe("the manager's own lease", () => {
  test("is patient on a single control-plane node, with timings that hold together", async () => {
    const timings = await leaseTimingsFor(await clusterWith("SingleReplica"), defaultLeaseTimings);
    expect(timings).toEqual({ durationMs: 270_000, renewDeadlineMs: 240_000, retryMs: 60_000 });
    expect(leaseTimingProblems(timings)).toEqual([]);
  });

  test.each(["HighlyAvailable", "DualReplica", "External", undefined])(
    "keeps its default where the topology is %s",
    async (mode) => {
      expect(await leaseTimingsFor(await clusterWith(mode), defaultLeaseTimings)).toEqual(defaultLeaseTimings);
    },
  );

  test("keeps its default where the topology may not be read", async () => {
    expect(await leaseTimingsFor(await clusterWith("SingleReplica", "nobody"), defaultLeaseTimings)).toEqual(
      defaultLeaseTimings,
    );
  });

  test("is what somebody configured", async () => {
    const configured = { ...defaultLeaseTimings, durationMs: 20_000 };
    expect(await leaseTimingsFor(await clusterWith("SingleReplica"), configured)).toEqual(configured);
  });
});
