// The api-endpoint controllers in the simulation: two clusters whose names collide, through one door or two, in a cloud that other people use
// as well. The real features run unchanged over the fake cloud, which they reach through links that meet the seed's faults.

import { clusters } from "../../../apis/cluster-api/cluster-api-kinds.ts";
import { customResourceDefinitions, secrets } from "../../../apis/kube/builtin-kinds.ts";
import type { OpenStack } from "../../../ports/openstack.ts";
import { webhookAnswers } from "../../../server/webhooks/webhook-server.ts";
import { outsideClock } from "../../../sim/checkers/view-of-world.ts";
import type { PendingStatus } from "../../../sim/fakes/openstack/cloud.ts";
import type { CallPlan, PortCall } from "../../../sim/network/port-call.ts";
import { withErrorListener } from "../../../sim/network/with-error-listener.ts";
import { openStackLink } from "../../../sim/openstack/openstack-link.ts";
import type { SimProcess } from "../../../sim/processes/sim-process.ts";
import type { JobInWorld, JobWorld, SimJob } from "../../../sim/run/sim-job.ts";
import { chance } from "../../../sim/time/derive-seed.ts";
import { startMs } from "../../../sim/time/start-of-time.ts";
import { openStackClusters } from "../apis/openstack-cluster/openstack-cluster.ts";
import { apiEndpointFeature, openStackClusterFeature } from "../controller/front-doors.ts";
import { apiEndpointJob as declaration } from "../job.ts";
import { endpointCheckers } from "./checkers/endpoint-checkers.ts";
import { endpointCrds } from "./endpoint-crds.ts";
import { createEndpointSim, type EndpointSim } from "./endpoint-sim.ts";
import { makeBalancersLate, planCallTo } from "./faults/cloud-behaviour.ts";
import { CloudOperators } from "./faults/cloud-operators.ts";
import { DarkZone } from "./faults/dark-zone.ts";
import { addForeignBalancers } from "./faults/foreign-balancers.ts";
import { LastDeath } from "./faults/last-death.ts";
import { missingEndpoint } from "./missing-endpoint.ts";
import { EndpointUsers, type Habit } from "./people/endpoint-users.ts";

export interface EndpointOverrides {
  /** Between the features and their cloud: for deliberate bugs. */
  readonly openStack?: (openStack: OpenStack, process: SimProcess) => OpenStack;
  /** For a bug that shows only where people do something rarely done: it is every other thing that they do. */
  readonly habit?: Habit;
}

interface Actors {
  readonly sim: EndpointSim;
  readonly users: EndpointUsers;
  readonly operators: CloudOperators;
  readonly dark: DarkZone;
  readonly lastDeath: LastDeath;
}

export function apiEndpointJob(overrides: EndpointOverrides = {}): SimJob {
  return {
    name: "api-endpoint",
    calmBeginning: { share: 0.65, lastsMs: [8_000, 20_000] },
    // The endpoint of CAPO's OpenStackCluster, which waits for somebody to write it: host-stays.ts checks that nothing is overwritten.
    // The finalizer on Secrets that somebody else made.
    writesByContract: ["hand-off-endpoint", "hold-secret", "release-secret", "remove-finalizer"],
    // Whoever observes a cloud again reads its credentials afresh, and whether CAPO's object still waits.
    readsWhenQuiet: [secrets.plural, clusters.plural, openStackClusters.plural],
    inWorld: (world) => apiEndpointIn(world, overrides),
  };
}

function apiEndpointIn(world: JobWorld, overrides: EndpointOverrides): JobInWorld {
  let made: Actors | undefined;
  const actors = (): Actors => (made ??= createActors(world, overrides.habit));
  return {
    ports: ["cloud"],
    webhooks: webhookAnswers([declaration]),
    get openStack() {
      return actors().sim.fake;
    },
    get looksEveryMs() {
      return actors().sim.setting.observeAgainMs;
    },
    checkers: endpointCheckers(() => actors().sim),
    prepare: () => prepare(world, actors()),
    features: (process) => features(actors().sim, process, overrides),
    act: async () => {
      const { users, operators } = actors();
      if (chance(world.random, 0.7)) await users.act();
      if (chance(world.random, 0.5)) await operators.act();
      await operators.moveAddressesToMachines();
    },
    insist: () => insist(actors()),
    missing: () => unfinished(actors()) ?? actors().lastDeath.unfinished(),
    partDown: () => actors().dark.darken(),
    partSlow: (stream) => actors().dark.slow(stream),
    partUp: () => actors().dark.lighten(),
    missingBesidesPart: () => missing(actors(), actors().dark.dark),
    lastingTroubles: {
      "balancers end in ERROR as they are made": () => failing(actors(), "PENDING_CREATE"),
      "balancers end in ERROR as they are changed": () => failing(actors(), "PENDING_UPDATE"),
      "balancers end in ERROR as they are deleted": () => failing(actors(), "PENDING_DELETE"),
    },
  };
}

function failing({ sim }: Actors, status: PendingStatus): () => void {
  sim.fake.faults.setFailing(status, true);
  return () => sim.fake.faults.setFailing(status, false);
}

async function insist(actors: Actors): Promise<void> {
  const { users, operators, dark, lastDeath } = actors;
  operators.insist();
  if (dark.dark !== undefined) await users.wantMoreWhileDark();
  else if (missing(actors, undefined) === undefined) await users.rollOnce();
  await users.insist();
  await operators.moveAddressesToMachines();
  lastDeath.insist(dark.dark === undefined && unfinished(actors) === undefined);
}

function createActors(world: JobWorld, habit: Habit | undefined): Actors {
  const sim = createEndpointSim(world, outsideClock(world.network.scheduler, startMs));
  makeBalancersLate(sim);
  const users = new EndpointUsers(sim, habit);
  return {
    sim,
    users,
    operators: new CloudOperators(sim, users.desiredByCluster),
    dark: new DarkZone(sim, users.desiredByCluster),
    lastDeath: new LastDeath(sim),
  };
}

function unfinished(actors: Actors): string | undefined {
  return missing(actors, undefined) ?? actors.users.unfinished();
}

function missing({ sim, users }: Actors, dark: string | undefined): string | undefined {
  return missingEndpoint(sim, users.desiredByCluster, dark);
}

async function prepare({ kube }: JobWorld, { sim, users }: Actors): Promise<void> {
  for (const crd of endpointCrds(sim.setting)) await kube.create(customResourceDefinitions, crd);
  await addForeignBalancers(sim);
  await users.begin();
}

function features(sim: EndpointSim, process: SimProcess, overrides: EndpointOverrides) {
  const { fake, effects, setting, world } = sim;
  const { network } = world;
  const planCall = (call: PortCall): CallPlan => planCallTo(sim, call);
  const link = openStackLink({ fake, effects, process, network, planCall });
  const openStack = withErrorEvents(overrides.openStack?.(link, process) ?? link, process, world);
  const { observeAgainMs } = setting;
  const asking = { probe: fake.probe, how: "readyz", intervalMs: observeAgainMs, timeoutMs: 2_000 } as const;
  const settings = { openStack, observeAgainMs, ...(setting.probing ? { probing: asking } : {}) };
  return [openStackClusterFeature({ ...settings, claims: "annotated" }), apiEndpointFeature(settings)];
}

/** Every error that comes out of the port is searched for secrets. */
function withErrorEvents(openStack: OpenStack, process: SimProcess, { network }: JobWorld): OpenStack {
  const listened = <P extends object>(port: P, service: string): P =>
    withErrorListener(port, (error, method) =>
      network.events.emit("failed", { process, where: `${service} ${method}`, error }),
    );
  return {
    project: (config) => {
      const project = openStack.project(config);
      return {
        identify: (options) => listened(project, "keystone").identify(options),
        timeMs: () => project.timeMs(),
        octavia: listened(project.octavia, "octavia"),
        neutron: listened(project.neutron, "neutron"),
        nova: listened(project.nova, "nova"),
      };
    },
  };
}
