// The simulated world of API endpoints: a cloud, two clusters, and what is known about both from outside (what others made there, what CAPO
// left for which cluster, which object is being moved). People, faults and checkers share it.

import { formatRef, type KubeObject } from "../../../apis/kube/kube-object.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { OpenStackProject } from "../../../ports/openstack.ts";
import { addSubnet } from "../../../sim/fakes/openstack/cloud-setup.ts";
import type { FakeOpenStack } from "../../../sim/fakes/openstack/fake-openstack.ts";
import { createLabShaped, type LabShaped } from "../../../sim/fakes/openstack/lab-shaped.ts";
import { CallEffects } from "../../../sim/openstack/call-effects.ts";
import type { JobWorld } from "../../../sim/run/sim-job.ts";
import { ownerIdAnnotation } from "../apis/annotations.ts";
import { kindOf, resourceOf } from "./endpoint-objects.ts";
import {
  type CloudBehaviour,
  drawSetting,
  type EndpointCluster,
  type EndpointSetting,
  zonesOfCloud,
} from "./endpoint-setting.ts";

export type Muted = "refusing" | "silent" | { readonly slowMs: number };

export interface EndpointSim {
  readonly world: JobWorld;
  readonly setting: EndpointSetting;
  readonly lab: LabShaped;
  readonly fake: FakeOpenStack;
  /** By family, zone after zone. */
  readonly subnetIds: Readonly<Record<4 | 6, readonly string[]>>;
  readonly effects: CallEffects;
  /** The credentials' own project, as people use it: no faults, no delays. */
  readonly project: OpenStackProject;
  readonly password: string;
  /** Balancers and floating IPs that CAPO made, by the cluster they are for. */
  readonly legacy: Map<string, EndpointCluster>;
  /** Floating IPs that an operator made and marked for a zone. */
  readonly premade: Set<string>;
  /** Objects under a `clusterctl move`, by `namespace/name`: they go without anything of theirs going. */
  readonly moving: Set<string>;
  /** Zones whose part of Octavia refuses everything, answers nothing, or takes so much longer. */
  readonly mutedZones: Map<string, Muted>;
  /** Calm when faults end. */
  cloudBehaviour: CloudBehaviour;
  /** Until then, too: see crash-on-write.ts. */
  crashesOnWrite: boolean;
  /** Owner ids that ever were, and the uids of the objects that bore them: a move gives a new one. */
  readonly owners: Map<string, Set<string>>;
}

export function createEndpointSim(world: JobWorld, clock: Clock): EndpointSim {
  const setting = drawSetting(world.random, world.isSlow);
  const { phaseMs, healthMs, provider, nova } = setting;
  const lab = createLabShaped({
    clock,
    random: world.random,
    providers: { amphora: "amphora", ovn: "ovn", plain: "plain" },
    defaultProvider: provider,
    services: ["keystone", "neutron", "octavia", ...(nova ? (["nova"] as const) : [])],
    settings: { phaseMs, healthMs },
  });
  const { fake } = lab;
  const password = world.secretMarker("openstack-password");
  fake.faults.setPassword("demo", password);
  const { auth, ...config } = lab.clouds.password;
  const own = auth.type === "password" ? { ...auth, password } : auth;
  return {
    world,
    setting,
    lab,
    fake,
    subnetIds: { 4: lab.subnetIds, 6: zonesOfCloud.map((zone) => addSubnetOfSix(lab, zone)) },
    effects: new CallEffects(fake),
    project: fake.project({ ...config, auth: own }),
    password,
    legacy: new Map(),
    premade: new Set(),
    moving: new Set(),
    mutedZones: new Map(),
    cloudBehaviour: setting.cloudBehaviour,
    crashesOnWrite: setting.crashesOnWrite,
    owners: new Map(),
  };
}

/** Beside the zone's own, on the same network. */
function addSubnetOfSix({ fake, projectId, networkId }: LabShaped, zone: string): string {
  const n = zone.slice(2);
  const fields = { name: `tenant-six-${n}`, projectId, networkId, cidr: `fd00:${n}::/64`, gatewayIp: `fd00:${n}::1` };
  return addSubnet(fake.cloud, { ...fields, zone }).id;
}

export function keyOf({ namespace, object }: EndpointCluster): string {
  return formatRef({ namespace, name: object });
}

export function objectFor({ world }: Pick<EndpointSim, "world">, cluster: EndpointCluster): KubeObject | undefined {
  return world.view.objectAt(resourceOf(kindOf(cluster.door)), keyOf(cluster));
}

/** The cluster that a round of a feature is about. */
export function clusterOfRound(
  { setting }: EndpointSim,
  actor: { readonly feature: string; readonly key: { readonly name: string; readonly namespace?: string } } | undefined,
): EndpointCluster | undefined {
  if (actor === undefined) return undefined;
  const key = formatRef(actor.key);
  return setting.clusters.find((cluster) => cluster.door === actor.feature && keyOf(cluster) === key);
}

export function ownerIdOf(object: KubeObject | undefined): string | undefined {
  return object?.metadata.annotations?.[ownerIdAnnotation];
}
