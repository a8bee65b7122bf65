// The gateway controller in the simulation: Services that come, change and go, gateways on which the real agents run, a cloud that other
// people use as well. The real feature runs unchanged; it reaches agents and cloud through links that meet the seed's faults.

import { customResourceDefinitions, secrets } from "../../../apis/kube/builtin-kinds.ts";
import type { GatewayFeed } from "../../../ports/gateway-feed.ts";
import type { OpenStack } from "../../../ports/openstack.ts";
import { webhookAnswers } from "../../../server/webhooks/webhook-server.ts";
import { outsideClock } from "../../../sim/checkers/view-of-world.ts";
import type { PortCall } from "../../../sim/network/port-call.ts";
import { openStackLink } from "../../../sim/openstack/openstack-link.ts";
import type { SimProcess } from "../../../sim/processes/sim-process.ts";
import type { JobInWorld, JobWorld, SimJob } from "../../../sim/run/sim-job.ts";
import { chance } from "../../../sim/time/derive-seed.ts";
import { startMs } from "../../../sim/time/start-of-time.ts";
import { gatewayPoolCrd } from "../apis/gateway-pool-crd.ts";
import { gatewayFeature } from "../controller/feature.ts";
import { gatewayJob as declaration } from "../job.ts";
import { gatewayCheckers } from "./checkers/gateway-checkers.ts";
import { planCallTo } from "./faults/crash-on-write.ts";
import { GatewayDown } from "./faults/gateway-down.ts";
import { GatewayOperators } from "./faults/gateway-faults.ts";
import { NeutronOperators } from "./faults/neutron-operators.ts";
import { furnishCloud, furnishCluster, urlOf } from "./gateway-objects.ts";
import { createGatewaySim, elect, type GatewaySim } from "./gateway-sim.ts";
import { missingServices } from "./missing-services.ts";
import { ServiceUsers } from "./people/service-users.ts";
import { feedLink } from "./world/feed-link.ts";
import { simTokens } from "./world/sim-tokens.ts";

export interface GatewayOverrides {
  /** Between the feature and what is outside: for deliberate bugs. */
  readonly openStack?: (openStack: OpenStack, process: SimProcess) => OpenStack;
  readonly feed?: (feed: GatewayFeed, process: SimProcess) => GatewayFeed;
}

interface Actors {
  readonly sim: GatewaySim;
  readonly users: ServiceUsers;
  readonly gateways: GatewayOperators;
  readonly neutron: NeutronOperators;
  readonly down: GatewayDown;
}

export function gatewaySimJob(overrides: GatewayOverrides = {}): SimJob {
  return {
    name: "gateway",
    calmBeginning: { share: 0.6, lastsMs: [5_000, 15_000] },
    // Services belong to other people: they bear a record and a finalizer of ours, an address and a condition in their status.
    writesByContract: ["claim-service", "release-service", "publish-ingress", "withdraw-ingress", "status"],
    // Whoever asks agents and clouds again reads the credentials afresh.
    readsWhenQuiet: [secrets.plural],
    inWorld: (world) => gatewayIn(world, overrides),
  };
}

function gatewayIn(world: JobWorld, overrides: GatewayOverrides): JobInWorld {
  let made: Actors | undefined;
  const actors = (): Actors => (made ??= createActors(world));
  return {
    ports: ["cloud", "gateways"],
    webhooks: webhookAnswers([declaration]),
    get openStack() {
      return actors().sim.fake;
    },
    get looksEveryMs() {
      const { observeAgainMs, neutronMs } = actors().sim.setting;
      return Math.max(observeAgainMs, neutronMs);
    },
    checkers: gatewayCheckers(() => actors().sim),
    prepare: () => prepare(actors()),
    features: (process) => features(actors().sim, process, overrides),
    act: () => act(actors()),
    insist: () => insist(actors()),
    missing: () => missingServices(actors().sim, actors().users.desired, undefined),
    partDown: () => actors().down.begin(),
    partSlow: (stream) => actors().down.slow(stream),
    partUp: () => actors().down.end(),
    missingBesidesPart: () => missingServices(actors().sim, actors().users.desired, actors().down.down),
    lastingTroubles: {
      "a gateway is silent": () =>
        lasting(actors(), (sim) => void (sim.machines[0] && (sim.machines[0].reach = "silent"))),
      "a gateway has no power": () => lasting(actors(), (sim) => sim.machines[0]?.powerOff()),
      "no rules can be loaded": () =>
        lasting(actors(), (sim) => {
          const gateway = sim.machines[0]?.gateway;
          if (gateway !== undefined) gateway.fate = (call) => (call === "nft.apply" ? "fails" : "works");
        }),
      "no port can be made": () => lasting(actors(), ({ fake, lab }) => fake.faults.setQuota(lab.projectId, "port", 0)),
    },
  };
}

/** Ends with everything mended. */
function lasting({ sim, gateways, neutron }: Actors, begin: (sim: GatewaySim) => void): () => void {
  begin(sim);
  return () => {
    neutron.insist();
    void gateways.insist(undefined);
  };
}

function createActors(world: JobWorld): Actors {
  const sim = createGatewaySim(world, outsideClock(world.network.scheduler, startMs));
  return {
    sim,
    users: new ServiceUsers(sim),
    gateways: new GatewayOperators(sim),
    neutron: new NeutronOperators(sim),
    down: new GatewayDown(sim),
  };
}

async function prepare({ sim, users }: Actors): Promise<void> {
  await sim.world.kube.create(customResourceDefinitions, gatewayPoolCrd);
  await furnishCloud(sim);
  await furnishCluster(sim);
  for (const machine of sim.machines) {
    await machine.powerOn();
    // Nobody knows it otherwise.
    machine.undisturbedSinceMs = Number.NEGATIVE_INFINITY;
  }
  await users.begin();
}

async function act({ sim, users, gateways, neutron }: Actors): Promise<void> {
  const { random } = sim.world;
  if (chance(random, 0.7)) await users.act();
  if (chance(random, 0.3)) await gateways.act();
  if (chance(random, 0.15)) await neutron.act();
}

async function insist({ sim, users, gateways, neutron, down }: Actors): Promise<void> {
  sim.crashesOnWrite = false;
  neutron.insist();
  // While a trouble lasts for an hour it is not mended.
  if (sim.world.view.lastingSinceMs() === undefined) await gateways.insist(down.down?.name);
  await users.insist();
}

function features(sim: GatewaySim, process: SimProcess, overrides: GatewayOverrides) {
  const { fake, effects, setting, world, machines } = sim;
  const { network, random } = world;
  const planCall = (call: PortCall) => planCallTo(sim, call);
  const access = { process, network, planCall };
  const cloud = openStackLink({ fake, effects, ...access });
  const machineAt = (url: string) => machines.find(({ name }) => urlOf(name) === url);
  const link = feedLink({ ...access, machineAt, elect: () => void elect(sim) });
  const feed = overrides.feed?.(link, process) ?? link;
  const { observeAgainMs, neutronMs, graceMs } = setting;
  return [
    gatewayFeature({
      openStack: overrides.openStack?.(cloud, process) ?? cloud,
      // Signed tokens hold only where clocks agree: see the concept.
      feed: { feed, tokens: simTokens, clock: sim.clock, random },
      observeAgainMs,
      neutronMs,
      graceMs,
    }),
  ];
}
