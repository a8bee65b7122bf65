// The api-endpoint controllers in the simulation: two clusters whose names collide, through one door or two, in a cloud that other people use
// as well. The real features run unchanged over the fake cloud, which they reach through links that meet the seed's faults.

import { customResourceDefinitions } from "../../../apis/kube/builtin-kinds.ts";
import type { OpenStack } from "../../../ports/openstack.ts";
import { webhookAnswers } from "../../../server/webhook-server.ts";
import { outsideClock } from "../../../sim/checkers/view-of-world.ts";
import type { Fate, PortCall } from "../../../sim/network/port-call.ts";
import { tellingErrors } from "../../../sim/network/telling-errors.ts";
import type { SimProcess } from "../../../sim/processes/sim-process.ts";
import type { JobWorld, SimJobOf } from "../../../sim/run/sim-job.ts";
import { between, chance } from "../../../sim/time/derive-seed.ts";
import { startMs } from "../../../sim/time/start-of-time.ts";
import { apiEndpointFeature, openStackClusterFeature } from "../controller/front-doors.ts";
import { apiEndpointJob as declaration } from "../job.ts";
import { endpointCheckers } from "./checkers/endpoint-checkers.ts";
import { endpointCrds } from "./endpoint-crds.ts";
import { createStage, type EndpointStage } from "./endpoint-stage.ts";
import { beBusy } from "./faults/busy-cloud.ts";
import { CloudHands } from "./faults/cloud-hands.ts";
import { DarkZone, isAboutSilentZone } from "./faults/dark-zone.ts";
import { crashOf } from "./faults/fatal-writes.ts";
import { plantStrangers } from "./faults/plant.ts";
import { missingEndpoint } from "./missing-endpoint.ts";
import { openStackLink } from "./openstack-link.ts";
import { EndpointUsers } from "./people/endpoint-users.ts";

export interface EndpointSeams {
  /** Between the features and their cloud: for deliberate bugs. */
  readonly openStack?: (openStack: OpenStack, process: SimProcess) => OpenStack;
}

interface Troupe {
  readonly stage: EndpointStage;
  readonly users: EndpointUsers;
  readonly hands: CloudHands;
  readonly dark: DarkZone;
}

export function apiEndpointJob(seams: EndpointSeams = {}): SimJobOf {
  return (world) => {
    let made: Troupe | undefined;
    const troupe = (): Troupe => (made ??= assemble(world));
    return {
      name: "api-endpoint",
      ports: ["cloud"],
      webhooks: webhookAnswers([declaration]),
      get openStack() {
        return troupe().stage.fake;
      },
      checkers: endpointCheckers(() => troupe().stage),
      prepare: () => prepare(world, troupe()),
      features: (process) => features(troupe().stage, process, seams),
      act: async () => {
        const { users, hands } = troupe();
        if (chance(world.random, 0.7)) await users.act();
        if (chance(world.random, 0.5)) await hands.act();
        await hands.lookAfterMachines();
      },
      insist: async () => {
        const { users, hands, dark } = troupe();
        hands.insist();
        if (dark.dark !== undefined) await users.goOnInTheDark();
        else if (missing(troupe(), undefined) === undefined) await users.rollOnce();
        await users.insist();
        await hands.lookAfterMachines();
      },
      missing: () => missing(troupe(), undefined) ?? troupe().users.unfinished(),
      partDown: () => troupe().dark.darken(),
      partUp: () => troupe().dark.lighten(),
      missingBesidesPart: () => missing(troupe(), troupe().dark.dark),
    };
  };
}

function assemble(world: JobWorld): Troupe {
  const stage = createStage(world, outsideClock(world.space.scheduler, startMs));
  beBusy(stage);
  const users = new EndpointUsers(stage);
  return { stage, users, hands: new CloudHands(stage, users.wishes), dark: new DarkZone(stage, users.wishes) };
}

function missing({ stage, users }: Troupe, dark: string | undefined): string | undefined {
  return missingEndpoint(stage, users.wishes, dark);
}

async function prepare({ kube }: JobWorld, { stage, users }: Troupe): Promise<void> {
  for (const crd of endpointCrds(stage.setting)) await kube.create(customResourceDefinitions, crd);
  await plantStrangers(stage);
  await users.begin();
}

function features(stage: EndpointStage, process: SimProcess, seams: EndpointSeams) {
  const { fake, deeds, setting, world } = stage;
  const { space } = world;
  const judge = (call: PortCall): Fate => fateIn(stage, call);
  const link = openStackLink({ fake, deeds, process, space, judge });
  const told = telling(seams.openStack?.(link, process) ?? link, process, world);
  const { observeAgainMs } = setting;
  return [
    openStackClusterFeature({ openStack: told, claims: "annotated", observeAgainMs }),
    apiEndpointFeature({ openStack: told, observeAgainMs }),
  ];
}

/** What the seed's faults make of it, and this cloud's own. */
function fateIn(stage: EndpointStage, call: PortCall): Fate {
  const { world, mood } = stage;
  const { random } = world;
  const judged = world.judge(call);
  const crash = judged.crash ?? crashOf(stage, call);
  const fate: Fate = crash === undefined ? judged : { ...judged, crash };
  if (isAboutSilentZone(stage, call)) return { ...fate, turnedAway: { how: "status", status: 503 } };
  if (mood === "loses-answers" && call.verb.startsWith("create") && chance(random, 0.2))
    return { ...fate, replyLost: "broken" };
  // As long as it takes for another to lead, and no longer than the call may take.
  if (mood === "stops-writers" && call.write && chance(random, 0.16)) return stoppedIn(stage, call, fate);
  return fate;
}

function stoppedIn({ world }: EndpointStage, call: PortCall, fate: Fate): Fate {
  const { random, space } = world;
  const ms = between(random, 5_000, 11_000);
  if (chance(random, 0.5)) return { ...fate, stoppedMs: ms };
  const sentMs = fate.leavesAfterMs + 1;
  space.scheduler.after(sentMs, undefined, () => space.stop(call, ms));
  return { ...fate, thereMs: ms + sentMs };
}

/** Every error that comes out of the port is looked at for secrets. */
function telling(openStack: OpenStack, process: SimProcess, { space }: JobWorld): OpenStack {
  const told = <P extends object>(port: P, service: string): P =>
    tellingErrors(port, (error, method) =>
      space.board.tell("failed", { process, where: `${service} ${method}`, error }),
    );
  return {
    project: (config) => {
      const project = openStack.project(config);
      return {
        identify: (options) => told(project, "keystone").identify(options),
        octavia: told(project.octavia, "octavia"),
        neutron: told(project.neutron, "neutron"),
        nova: told(project.nova, "nova"),
      };
    },
  };
}
