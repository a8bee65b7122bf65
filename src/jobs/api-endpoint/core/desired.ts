// What each wanted balancer should be, as data. Creating asks for it, correcting asks for what differs (difference.ts): what a listener
// should be like is said here and nowhere else. In which order, and what a provider cannot take, is the planner's to know.

import { familyOf } from "../../../core/net/ip.ts";
import type {
  CreateLoadBalancer,
  CreatePool,
  LoadBalancer,
  MonitorTimings,
  UpdateListener,
} from "../../../core/openstack/octavia-objects.ts";
import { type Placement, placementIn } from "./balancer/placement.ts";
import { type DesiredFloatingIp, desireFloatingIp } from "./floating-ips/desired-floating-ip.ts";
import { type DesiredMember, desiredMembers } from "./members/desired-members.ts";
import { balancerDescription, portName } from "./model/names.ts";
import { type Role, tagsFor } from "./model/ownership.ts";
import { monitorTypeOf, type Port } from "./model/port.ts";
import { algorithmOf, supports } from "./model/provider-features.ts";
import { allowedCidrs } from "./ports/allowed-cidrs.ts";
import type { WantedBalancer } from "./situation/assignment.ts";
import { placeOf } from "./situation/places.ts";
import type { Situation } from "./situation/situation.ts";

export interface DesiredBalancer {
  readonly balancer: Pick<CreateLoadBalancer, "name" | "description" | "tags">;
  /** Chosen when it is made; Octavia cannot change it. Undefined when it is made, and while its place or the cloud's abilities are unknown. */
  readonly placement: Placement | undefined;
  /** Empty until it is made: what a port can be depends on the provider that Octavia chose. */
  readonly ports: readonly DesiredPort[];
  /** Undefined where it gets none. */
  readonly floatingIp: DesiredFloatingIp | undefined;
}

export interface DesiredPort {
  readonly port: Port;
  readonly listener: DesiredListener;
  /** False: who may connect cannot be told now. No listener is made then, and the list of one that is there stays as it is. */
  readonly isAccessListKnown: boolean;
  readonly pool: DesiredPool;
  readonly monitor: DesiredMonitor;
  /** None while it is not known where machines are. */
  readonly members: readonly DesiredMember[];
}

interface DesiredPart {
  readonly name: string;
  readonly tags: readonly string[];
  readonly adminStateUp: true;
}

/** A field that is absent is left as it is: its provider does not know it, or its value cannot be told now. */
export interface DesiredListener extends DesiredPart, Omit<UpdateListener, "name" | "tags" | "adminStateUp"> {
  readonly protocol: string;
  readonly connectionLimit: number;
}

export interface DesiredPool extends DesiredPart {
  readonly protocol: string;
  readonly algorithm: CreatePool["algorithm"];
}

export interface DesiredMonitor extends DesiredPart, MonitorTimings {
  readonly type: string;
}

/** What Octavia gives a new part by itself. */
export const newListener = { allowedCidrs: [], connectionLimit: -1, adminStateUp: true } as const;
export const newPool = { adminStateUp: true } as const;
export const newMonitor = { adminStateUp: true } as const;

export function desireBalancer(wanted: WantedBalancer, situation: Situation): DesiredBalancer {
  const { intent, ports } = situation;
  const balancer = wanted.seen?.balancer;
  return {
    balancer: {
      name: wanted.name,
      description: balancerDescription(intent.cluster),
      tags: tagsOf(wanted.role, wanted, situation),
    },
    placement: balancer === undefined ? placementOf(wanted, situation) : undefined,
    ports: balancer === undefined ? [] : ports.map((port) => desirePort(port, { wanted, balancer, situation })),
    floatingIp: desireFloatingIp(wanted, situation),
  };
}

function placementOf(wanted: WantedBalancer, situation: Situation): Placement | undefined {
  const { capabilities } = situation.observed;
  const placed = placeOf(situation.observed, wanted.zone);
  if (!("place" in placed) || !capabilities.known) return undefined;
  return placementIn(placed.place, wanted, capabilities.value, situation);
}

interface On {
  readonly wanted: WantedBalancer;
  readonly balancer: LoadBalancer;
  readonly situation: Situation;
}

function desirePort(port: Port, on: On): DesiredPort {
  const { wanted, balancer, situation } = on;
  const marks = (role: Role) => ({ name: portName(wanted.name, port), tags: tagsOf(role, wanted, situation) });
  // A balancer as a whole may be switched off by people; a part of one that is on serves nobody.
  const switchedOn = { adminStateUp: true } as const;
  const accessList = accessListOn(on);
  return {
    port,
    listener: {
      ...marks("listener"),
      protocol: port.protocol,
      ...(typeof accessList === "string" ? {} : { allowedCidrs: accessList }),
      ...timeoutsOn(on),
      // One that is full lets nobody in, and the object has no field for a limit.
      connectionLimit: newListener.connectionLimit,
      ...switchedOn,
    },
    isAccessListKnown: accessList !== "unknown",
    pool: { ...marks("pool"), protocol: port.protocol, algorithm: algorithmOf(balancer.provider), ...switchedOn },
    monitor: { ...marks("monitor"), type: monitorTypeOf(port), ...situation.intent.monitor, ...switchedOn },
    members: desiredMembers(wanted, balancer, port, situation),
  };
}

function tagsOf(role: Role, { zone }: WantedBalancer, { ownerId, userTags }: Situation): readonly string[] {
  return tagsFor({ ownerId, zone, role }, userTags.wanted);
}

/** Empty: everybody may connect. */
function accessListOn({ balancer, situation }: On): readonly string[] | "unsupported" | "unknown" {
  const { observed, intent } = situation;
  const { capabilities, places } = observed;
  if (!capabilities.known) return "unknown";
  if (!supports(capabilities.value, balancer.provider, "allowed-cidrs")) return "unsupported";
  if (intent.allowedCidrs.length === 0) return [];
  const family = familyOf(balancer.vipAddress);
  if (!places.known || family === undefined) return "unknown";
  return allowedCidrs(intent.allowedCidrs, places.value, family).cidrs ?? "unknown";
}

/** Octavia's fifty seconds end every watch that is silent for a while. */
function timeoutsOn({ balancer, situation }: On): Pick<DesiredListener, "clientTimeoutMs" | "memberTimeoutMs"> {
  const { capabilities } = situation.observed;
  if (!capabilities.known || !supports(capabilities.value, balancer.provider, "timeouts")) return {};
  const { idleTimeoutMs } = situation.intent;
  return { clientTimeoutMs: idleTimeoutMs, memberTimeoutMs: idleTimeoutMs };
}
