// One look at everything the cloud has for an object. Each part is known or not by itself: a Neutron that is away leaves the
// balancers' health visible, and a balancer that cannot be looked into stops only its own zone.

import { MainstayError } from "../../../../core/errors.ts";
import { type Known, known, type Unknown } from "../../../../core/known.ts";
import type { FloatingIp } from "../../../../core/openstack/neutron-objects.ts";
import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import type { CloudCallOptions, OpenStackProject } from "../../../../ports/openstack.ts";
import type { EndpointIntent } from "../../core/model/intent.ts";
import type { Capabilities, EndpointObserved, Places, RecordedEndpoint } from "../../core/model/observed.ts";
import type { CloudMemory } from "./cloud-memory.ts";
import { namesToLookFor } from "./names-to-list.ts";
import type { BalancerLook } from "./observed-balancers.ts";

export type CloudView = Pick<EndpointObserved, "capabilities" | "places" | "balancers" | "floatingIps">;

export interface CloudLook {
  readonly key: string;
  readonly intent: EndpointIntent;
  readonly recorded: RecordedEndpoint;
  readonly project: OpenStackProject;
  readonly endpointKey: string;
  readonly nowMs: number;
  readonly call: CloudCallOptions;
}

export async function lookAtCloud(look: CloudLook, memory: CloudMemory): Promise<CloudView> {
  const { project } = look;
  const [capabilities, places, balancers] = await Promise.all([
    attempt<Capabilities>(() => memory.capabilities.get({ ...look, octavia: project.octavia })),
    attempt<Places>(() => memory.places.get({ ...look, neutron: project.neutron })),
    attempt<Pick<BalancerLook, "balancers" | "glanced">>(() => balancersOf(look, memory)),
  ]);
  if (!balancers.known) return { capabilities, places, balancers, floatingIps: balancers };
  const seen = { ...balancers.value, balancers: memory.failovers.annotate(balancers.value.balancers) };
  const floatingIps = await attempt<readonly FloatingIp[]>(() =>
    memory.floatingIps.look({ ...look, ...seen, neutron: project.neutron }),
  );
  return { capabilities, places, balancers: known(seen.balancers), floatingIps };
}

async function balancersOf({ key, endpointKey, intent, project, nowMs, call }: CloudLook, { looks }: CloudMemory) {
  const { ownerId } = intent;
  if (ownerId === undefined) return { balancers: [], glanced: false };
  const names = (ours: readonly LoadBalancer[]) => namesToLookFor(intent, ours);
  const ports = [intent.apiPort, ...intent.additionalPorts];
  return await looks.look({ key, endpointKey, octavia: project.octavia, ownerId, ports, names, nowMs, call });
}

export async function attempt<T>(look: () => Promise<T>): Promise<Known<T>> {
  try {
    return known(await look());
  } catch (error) {
    return unknownBecause(error);
  }
}

export function unknownBecause(error: unknown): Unknown {
  if (!(error instanceof MainstayError)) throw error;
  return { known: false, reason: error.reason, message: error.message };
}

/** Nothing of the cloud could be seen, all for one reason. */
export function unseenCloud(why: Unknown): CloudView {
  return { capabilities: why, places: why, balancers: why, floatingIps: why };
}
