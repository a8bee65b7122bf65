// The api-endpoint controllers in the simulation: two clusters whose names collide, through one door or two, in a cloud that other people use
// as well. The real features run unchanged over the fake cloud, which they reach through links that meet the seed's faults.

import { customResourceDefinitions } from "../../apis/builtin-kinds.ts";
import { convertPath } from "../../apis/webhook-configuration.ts";
import { apiEndpointFeature, openStackClusterFeature } from "../../controllers/api-endpoint/doors.ts";
import type { OpenStack } from "../../ports/openstack.ts";
import { answerConversion } from "../../server/conversion-review.ts";
import { between, chance } from "../derive-seed.ts";
import type { Fate, PortCall } from "../port-call.ts";
import type { JobWorld, SimJobOf } from "../sim-job.ts";
import type { SimProcess } from "../sim-process.ts";
import { startMs } from "../start-of-time.ts";
import { tellingErrors } from "../telling-errors.ts";
import { outsideClock } from "../view-of-world.ts";
import { endpointCheckers } from "./checkers/endpoint-checkers.ts";
import { CloudHands } from "./cloud-hands.ts";
import { DarkZone, isAboutSilentZone } from "./dark-zone.ts";
import { endpointCrds } from "./endpoint-crds.ts";
import { createStage, type EndpointStage } from "./endpoint-stage.ts";
import { EndpointUsers } from "./endpoint-users.ts";
import { missingEndpoint } from "./missing-endpoint.ts";
import { openStackLink } from "./openstack-link.ts";
import { plantStrangers } from "./plant.ts";
import { postponing } from "./postponing.ts";

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
      webhooks: { [convertPath]: answerConversion },
      checkers: endpointCheckers(() => troupe().stage),
      prepare: () => prepare(world, troupe()),
      features: (process) => features(troupe().stage, process, seams),
      act: async () => {
        const { users, hands } = troupe();
        await (chance(world.random, 0.35) ? hands.act() : users.act());
        await hands.lookAfterMachines();
      },
      insist: async () => {
        const { users, hands } = troupe();
        hands.insist();
        await users.insist();
        await hands.lookAfterMachines();
      },
      missing: () => missingEndpoint(troupe().stage, troupe().users.wishes, undefined),
      partDown: () => troupe().dark.darken(),
      partUp: () => troupe().dark.lighten(),
      missingBesidesPart: () => missingEndpoint(troupe().stage, troupe().users.wishes, troupe().dark.dark),
    };
  };
}

function assemble(world: JobWorld): Troupe {
  const stage = createStage(world, outsideClock(world.space.scheduler, startMs));
  const users = new EndpointUsers(stage);
  return { stage, users, hands: new CloudHands(stage, users.wishes), dark: new DarkZone(stage) };
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
  const postpones = postponing(stage);
  const link = openStackLink({ fake, deeds, process, space, judge, postpones });
  const told = telling(seams.openStack?.(link, process) ?? link, process, world);
  const { relookMs } = setting;
  return [
    openStackClusterFeature({ openStack: told, claims: "annotated", relookMs }),
    apiEndpointFeature({ openStack: told, relookMs }),
  ];
}

/** What the seed's faults make of it, and this cloud's own. */
function fateIn(stage: EndpointStage, call: PortCall): Fate {
  const { world, mood } = stage;
  const { random } = world;
  const fate = world.judge(call);
  if (isAboutSilentZone(stage, call)) return { ...fate, turnedAway: { how: "status", status: 503 } };
  if (mood === "loses-answers" && call.verb.startsWith("create") && chance(random, 0.2))
    return { ...fate, replyLost: "broken" };
  // As long as it takes for another to lead, and no longer than the call may take.
  if (mood === "stops-writers" && call.write && chance(random, 0.08))
    return { ...fate, stoppedMs: between(random, 5_000, 11_000) };
  return fate;
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
