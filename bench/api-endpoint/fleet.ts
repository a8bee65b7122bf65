// Time, memory and calls of a manager with many clusters of three zones each, on the fake cloud in virtual time: while it builds all
// balancers, and then while nothing happens. Each size runs in a process of its own, so that one does not warm up the other.

import { performance } from "node:perf_hooks";
import { defaultObserveAgainMs } from "../../src/jobs/api-endpoint/controller/cloud/pace.ts";
import { openStackClusterFeature } from "../../src/jobs/api-endpoint/controller/front-doors.ts";
import { EndpointWorld } from "../../test/api-endpoint/world/endpoint-world.ts";
import { type Calls, CountedCalls } from "./counted-calls.ts";
import { raiseFleet, zones } from "./raise-fleet.ts";

export interface FleetResult {
  readonly clusters: number;
  /** Real time from the manager's start until every machine is healthy behind its balancer. */
  readonly buildSeconds: number;
  /** CPU time of it, which is more reliable on a shared machine. */
  readonly cpuSeconds: number;
  /** The same in virtual time, with calls that take as long as real ones. */
  readonly virtualSeconds: number;
  /** Real time of observing the whole quiet fleet once. */
  readonly observeSeconds: number;
  /** Of the whole process: manager, fake cloud and fake API server. */
  readonly peakRssMb: number;
  /** Live objects that go when the manager goes. */
  readonly managerMb: number;
  /** Live objects that stay: the fakes with all they hold. */
  readonly fakesMb: number;
  /** For each cluster, until it is built. */
  readonly buildCalls: Calls;
  /** For each cluster and observation, when nothing happens. */
  readonly quietCalls: Calls;
  /** For the one project in which all clusters are, and each minute, when nothing happens. */
  readonly projectCalls: Calls;
}

/** Called now and then with the state of the run. */
export type Progress = (text: string) => void;

type Measured = Omit<FleetResult, "clusters" | "peakRssMb" | "fakesMb">;

const stepMs = 1_000;
const giveUpMs = 4 * 3_600_000;
/** As the real services answer on a machine that has other things to do. */
const answerMs = { keystone: 100, neutron: 40, octavia: 60, nova: 60 };

export async function measureFleet(clusters: number, progress: Progress): Promise<FleetResult> {
  const world = new EndpointWorld({ cloud: { settings: { answerMs: (service) => answerMs[service] } } });
  await world.furnish();
  await raiseFleet(world, clusters, (raised) => progress(`${raised} of ${clusters} raised`));
  const measured = await manage(world, clusters, progress);
  const fakesMb = liveMb();
  const managerMb = measured.managerMb - fakesMb;
  return { ...measured, clusters, managerMb, fakesMb, peakRssMb: process.resourceUsage().maxRSS / 1_024 };
}

/** `managerMb` is of manager and fakes together. Nothing of the manager is left when this returns. */
async function manage(world: EndpointWorld, clusters: number, progress: Progress): Promise<Measured> {
  const { fake } = world.lab;
  const calls = new CountedCalls(fake);
  const { manager } = world.manager({
    features: [openStackClusterFeature({ openStack: fake, claims: "annotated" })],
    through: (kube) => calls.counting(kube),
  });
  const [startedMs, startedVirtualMs, startedCpu] = [performance.now(), world.clock.nowMs(), process.cpuUsage()];
  for (let left = unhealthy(world, clusters); left > 0; left = unhealthy(world, clusters)) {
    const virtualMs = world.clock.nowMs() - startedVirtualMs;
    if (virtualMs > giveUpMs) throw new Error(`${left} machines are not healthy after ${virtualMs / 1_000} s`);
    progress(`${clusters * zones.length - left} of ${clusters * zones.length} machines healthy`);
    await world.clock.advance(stepMs);
  }
  const virtualSeconds = (world.clock.nowMs() - startedVirtualMs) / 1_000;
  const buildSeconds = (performance.now() - startedMs) / 1_000;
  const { user, system } = process.cpuUsage(startedCpu);
  const buildCalls = calls.take(clusters);
  progress("built; waiting for it to become quiet");
  // What was observed is reused only once its time stamp is old enough, and lists are shared by those for which it was reused.
  await world.clock.advance(6 * defaultObserveAgainMs);
  calls.take(clusters);
  const [observations, quietMs] = [4, performance.now()];
  await world.clock.advance(observations * defaultObserveAgainMs);
  const observeSeconds = (performance.now() - quietMs) / 1_000 / observations;
  const quiet = calls.take(1);
  const quietCalls = shared(quiet, clusters * observations);
  const projectCalls = shared(quiet, (observations * defaultObserveAgainMs) / 60_000);
  const managerMb = liveMb();
  const stopped = manager.stop();
  // Calls under way take virtual time to end.
  await world.clock.advance(60_000);
  await stopped;
  return {
    buildSeconds,
    cpuSeconds: (user + system) / 1_000_000,
    virtualSeconds,
    observeSeconds,
    managerMb,
    buildCalls,
    quietCalls,
    projectCalls,
  };
}

function shared(calls: Calls, among: number): Calls {
  return {
    octaviaReads: calls.octaviaReads / among,
    octaviaWrites: calls.octaviaWrites / among,
    neutron: calls.neutron / among,
    kube: calls.kube / among,
  };
}

/** Machines that no balancer of theirs calls healthy yet. */
function unhealthy(world: EndpointWorld, clusters: number): number {
  const { members } = world.lab.fake.cloud.tables;
  const online = members.all().filter(({ operatingStatus }) => operatingStatus === "ONLINE");
  return clusters * zones.length - online.length;
}

function liveMb(): number {
  if (globalThis.gc === undefined) throw new Error("run it with --expose-gc: live objects cannot be told from garbage");
  globalThis.gc();
  return process.memoryUsage().heapUsed / 1_048_576;
}
