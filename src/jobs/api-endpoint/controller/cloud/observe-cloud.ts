// Observes everything the cloud has for an object. Each part is known or not by itself: a Neutron that is away or silent leaves the
// balancers' health visible, and a balancer that cannot be observed, or not yet, stops only its own zone.

import type { MonotonicMs } from "../../../../core/clock-times.ts";
import { known, type Unknown } from "../../../../core/known.ts";
import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import { present } from "../../../../core/present.ts";
import type { Asking } from "../../../../engine/round/questions.ts";
import type { CloudCallOptions, OpenStackProject } from "../../../../ports/openstack.ts";
import { type EndpointIntent, portsOf } from "../../core/model/intent.ts";
import type { Capabilities, EndpointObserved, RecordedEndpoint } from "../../core/model/observed.ts";
import { isApplying } from "../../core/tags/user-tags.ts";
import { attempt, attemptInTime } from "./attempt.ts";
import type { CapabilityCache } from "./capability-cache.ts";
import type { ComputeZones } from "./compute-zones.ts";
import type { FailoverMemory } from "./failover-memory.ts";
import type { ObservedFloatingIps } from "./floating-ips/observed-floating-ips.ts";
import { namesToList } from "./names-to-list.ts";
import type { BalancersNow, ObservedBalancers } from "./observed-balancers.ts";
import type { PendingMemory } from "./pending-memory.ts";
import type { PlacesCache } from "./places-cache.ts";

export type CloudView = Pick<
  EndpointObserved,
  "capabilities" | "places" | "balancers" | "floatingIps" | "computeZones" | "cloudNowMs"
> & {
  /** Of an object at rest: balancers were asked for at this time, floating IPs minutes earlier, perhaps. Absent: all was asked for by itself. */
  readonly sharedAskedMs?: MonotonicMs;
};

export interface CloudQuestion extends Asking {
  /** Of the object: what was observed for it before is remembered by it. */
  readonly key: string;
  readonly intent: EndpointIntent;
  readonly recorded: RecordedEndpoint;
  readonly project: Omit<OpenStackProject, "identify">;
  readonly endpointKey: string;
  /** Of what the cloud is asked with: the object and its credentials. */
  readonly version: string;
  readonly sharingKey: string;
  readonly isAtRest: boolean;
  /** Balancers below which it is looked again: see core/removal/fresh-health.ts. */
  readonly readAgain?: ReadonlySet<string>;
  readonly call: CloudCallOptions;
}

/** What was observed before, and asks the cloud as far as that is not enough. */
export interface ObservedBefore {
  readonly capabilities: CapabilityCache;
  readonly places: PlacesCache;
  readonly balancers: ObservedBalancers;
  readonly failovers: FailoverMemory;
  readonly pending: PendingMemory;
  readonly floatingIps: ObservedFloatingIps;
  readonly computeZones: ComputeZones;
}

export async function observeCloud(question: CloudQuestion, before: ObservedBefore): Promise<CloudView> {
  const { key, project } = question;
  const { octavia, neutron, nova } = project;
  const [capabilities, places, balancers, computeZones] = await Promise.all([
    attemptInTime<Capabilities>("what Octavia can do", () => before.capabilities.get({ ...question, octavia })),
    before.places.get({ ...question, neutron }),
    attempt<BalancersNow>(() => balancersOf(question, before)),
    before.computeZones.get({ ...question, nova }),
  ]);
  if (!balancers.known) return { capabilities, places, balancers, floatingIps: balancers, computeZones };
  const pending = before.pending.annotate(key, balancers.value.balancers, question.monotonicMs);
  const now = { ...balancers.value, balancers: before.failovers.annotate(key, pending) };
  const floatingIps = await before.floatingIps.observe({ ...question, ...now, neutron });
  const cloudNowMs = await project.timeMs();
  return {
    capabilities,
    places,
    balancers: known(now.balancers),
    floatingIps,
    computeZones,
    ...(question.isAtRest ? { sharedAskedMs: now.askedMs } : {}),
    ...present({ cloudNowMs }),
  };
}

async function balancersOf(
  { intent, recorded, project, monotonicMs, ...question }: CloudQuestion,
  { balancers }: ObservedBefore,
): Promise<BalancersNow> {
  const { ownerId } = intent;
  if (ownerId === undefined) return { balancers: [], isUnchanged: false, askedMs: monotonicMs };
  const names = (ours: readonly LoadBalancer[]) => namesToList(intent, recorded, ours);
  const ports = portsOf(intent);
  const what = { intent, ownerId, ports, names, withMembers: isApplying(intent) };
  return await balancers.observe({ ...question, octavia: project.octavia, ...what, monotonicMs });
}

/** Nothing of the cloud could be observed, all for one reason. */
export function unobservedCloud(why: Unknown): CloudView {
  return { capabilities: why, places: why, balancers: why, floatingIps: why };
}
