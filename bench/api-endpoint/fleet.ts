// How a manager does with many clusters of three zones each, on the fake cloud in virtual time: what it costs in time, memory and calls,
// and how that grows. Run as a process of its own for each size, so that one does not warm the other.

import { performance } from "node:perf_hooks";
import { openStackClusterFeature } from "../../src/controllers/api-endpoint/doors.ts";
import { addNetwork, addSubnet } from "../../src/sim/fakes/openstack/cloud-setup.ts";
import { EndpointWorld } from "../../test/api-endpoint/endpoint-world.ts";

export interface FleetResult {
  readonly clusters: number;
  readonly wallSeconds: number;
  readonly virtualSeconds: number;
  readonly peakRssMb: number;
  readonly heapMb: number;
  /** Calls by service for each cluster, from nothing to three whole balancers with a machine each. */
  readonly buildCalls: Readonly<Record<string, number>>;
  /** Calls by service for each cluster and look, when nothing happens. */
  readonly quietCalls: Readonly<Record<string, number>>;
}

const zones = ["az1", "az2", "az3"];
/** As the product has it. */
const relookMs = 30_000;
const stepMs = 5_000;
const giveUpMs = 3_600_000;

export async function measureFleet(clusters: number): Promise<FleetResult> {
  const startedMs = performance.now();
  const world = new EndpointWorld();
  await world.furnish();
  const { fake } = world.lab;
  for (const kind of ["load_balancer", "listener", "pool", "health_monitor", "member"] as const)
    fake.faults.setQuota(world.lab.projectId, kind, 1_000_000);
  const place = roomyPlace(world);
  const { manager } = world.manager({
    features: [openStackClusterFeature({ openStack: fake, claims: "annotated", relookMs })],
  });
  for (let index = 0; index < clusters; index += 1) await raise(world, place, index);
  const startVirtualMs = world.clock.nowMs();
  fake.resetCounts();
  while (unfinished(world, clusters) > 0) {
    if (world.clock.nowMs() - startVirtualMs > giveUpMs) throw new Error("the fleet did not converge within an hour");
    await world.clock.advance(stepMs);
  }
  const virtualSeconds = (world.clock.nowMs() - startVirtualMs) / 1_000;
  const wallSeconds = (performance.now() - startedMs) / 1_000;
  const buildCalls = perCluster(fake.counts(), clusters);
  // Twice: a look is trusted only once its stamp has aged.
  await world.clock.advance(3 * relookMs);
  fake.resetCounts();
  const looks = 4;
  await world.clock.advance(looks * relookMs);
  const quietCalls = perCluster(fake.counts(), clusters * looks);
  const { heapUsed } = process.memoryUsage();
  await manager.stop();
  return {
    clusters,
    wallSeconds,
    virtualSeconds,
    peakRssMb: process.resourceUsage().maxRSS / 1_024,
    heapMb: heapUsed / 1_048_576,
    buildCalls,
    quietCalls,
  };
}

interface Place {
  readonly networkId: string;
  readonly subnetIds: readonly string[];
}

/** The lab's subnets hold 250 addresses; a fleet needs more. */
function roomyPlace({ lab: { fake, projectId } }: EndpointWorld): Place {
  const { id: networkId } = addNetwork(fake.cloud, { name: "fleet", projectId });
  const subnetIds = zones.map(
    (zone, index) =>
      addSubnet(fake.cloud, { name: zone, projectId, networkId, cidr: `10.${64 + index}.0.0/16`, zone }).id,
  );
  return { networkId, subnetIds };
}

async function raise(world: EndpointWorld, { networkId, subnetIds }: Place, index: number): Promise<void> {
  const name = `c${index}`;
  const availabilityZoneSubnets = zones.map((availabilityZone, zone) => ({
    availabilityZone,
    subnet: { id: subnetIds[zone] ?? "" },
  }));
  await world.cluster(name, {
    spec: {
      controlPlaneEndpoint: { host: `api.${name}.example.com`, port: 6443 },
      network: { id: networkId },
      apiServerLoadBalancer: { enabled: true, network: { id: networkId }, availabilityZoneSubnets },
      disableAPIServerFloatingIP: true,
    },
  });
  for (const [zone, failureDomain] of zones.entries()) {
    const address = `10.${64 + zone}.${200 + Math.floor(index / 250)}.${1 + (index % 250)}`;
    await world.machineAt(name, failureDomain, address);
  }
}

/** Machines that no balancer of theirs calls healthy yet. */
function unfinished(world: EndpointWorld, clusters: number): number {
  const { members } = world.lab.fake.cloud.tables;
  const online = members.all().filter(({ operatingStatus }) => operatingStatus === "ONLINE");
  return clusters * zones.length - online.length;
}

function perCluster(counts: ReadonlyMap<string, number>, clusters: number): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const [call, count] of counts) {
    const service = call.split(" ")[0] ?? "";
    sums[service] = (sums[service] ?? 0) + count / clusters;
  }
  return sums;
}
