// One balancer as status shows it: where it is, how it is reached, and who answers behind it. An entry is there before its balancer
// is, because it says where the balancer will go; and it stays as it was while the cloud cannot be observed.

import { lastKnown } from "../../../../core/known.ts";
import type { Network, Subnet } from "../../../../core/openstack/neutron-objects.ts";
import type { MemberNode } from "../../../../core/openstack/octavia-objects.ts";
import { present } from "../../../../core/present.ts";
import type {
  LoadBalancerHealth,
  LoadBalancerStatus,
  NetworkStatus,
  ProbeResult,
  RepairStatus,
  SubnetStatus,
} from "../../apis/load-balancer/api-server-load-balancer.ts";
import { isLost, repairOf } from "../balancer/lost-balancer.ts";
import { addressLeftBehind } from "../floating-ips/left-behind.ts";
import type { BalancerObserved, EndpointObserved, RecordedBalancer, RecordedRepair } from "../model/observed.ts";
import { isSamePort } from "../model/port.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import { downBecause, isDoubtful, isProbeBad, letsPeopleIn } from "../situation/balancer-health.ts";
import { type Health, healthBehind, memberHealth, membersBehind, portOf } from "../situation/health.ts";
import { machineOfMember } from "../situation/machine-of-member.ts";
import { placeOf, recordedOf } from "../situation/places.ts";
import { floatingAddress } from "../situation/public-address.ts";
import type { Situation } from "../situation/situation.ts";
import { membersByPort } from "./port-members.ts";

export function balancerStatus(wanted: WantedBalancer, situation: Situation): LoadBalancerStatus {
  return lastStatus(withLastTree(wanted), situation);
}

/** While a slow cloud is asked again, what was below the balancer is shown as it was. */
function withLastTree({ seen, ...wanted }: WantedBalancer): WantedBalancer {
  return { ...wanted, seen: seen === undefined ? undefined : { ...seen, tree: lastKnown(seen.tree) } };
}

function lastStatus(wanted: WantedBalancer, situation: Situation): LoadBalancerStatus {
  const { observed, intent } = situation;
  const { seen } = wanted;
  const before = recordedOf(observed, wanted.zone);
  const members = seen === undefined ? [] : membersBehind(seen, intent.apiPort);
  const listener = seen === undefined ? undefined : portOf(seen, intent.apiPort).listener;
  return {
    ...given({
      // What it was before it is made again: the VIP must come back.
      name: seen?.balancer.name ?? before?.name,
      // When everything goes, it tells what was made and is gone from what was never seen: late-creates.ts.
      id: seen?.balancer.id ?? (intent.deleting ? before?.id : forgotten(before?.id)),
      ...keptAddress(wanted, observed, before),
      internalIP: seen?.balancer.vipAddress || before?.internalAddress,
      tags: seen?.balancer.tags,
      allowedCIDRs: listener?.allowedCidrs,
      loadBalancerNetwork: networkOf(wanted, observed, before),
      provisioningStatus: seen?.balancer.provisioningStatus,
      operatingStatus: seen?.balancer.operatingStatus,
      repair: repairEntry(repairOf(wanted, situation)),
      probe: probeResult(seen?.balancer.id, observed),
    }),
    health: healthOf(wanted, situation),
    members: membersStatus(members, wanted, observed),
    ...portsOf(seen, situation),
  };
}

function repairEntry(repair: RecordedRepair | undefined): RepairStatus | undefined {
  return repair && { since: new Date(repair.sinceMs).toISOString(), because: repair.because };
}

function probeResult(id: string | undefined, { probes }: EndpointObserved): ProbeResult | undefined {
  const probe = id === undefined ? undefined : probes?.get(id);
  if (probe === undefined) return undefined;
  if (probe.failuresInARow === 0) return "Answered";
  return isProbeBad(probe.failuresInARow) ? "Failed" : "FailedOnce";
}

/** One port says no more than `members` does. */
function portsOf(seen: BalancerObserved | undefined, situation: Situation): Pick<LoadBalancerStatus, "ports"> {
  if (seen === undefined || situation.ports.length < 2) return {};
  return {
    ports: membersByPort(seen, situation).map(({ port: { number: port, protocol }, total, healthy }) => ({
      port,
      protocol,
      total,
      healthy,
    })),
  };
}

/** Said and not left out: another field manager may own the same value, and what is only left out would stay. */
function forgotten(id: string | undefined): string | undefined {
  return id ? "" : undefined;
}

/** The cloud could not be observed: what status remembers stays, but for what came of probes, which are asked on. */
export function rememberedStatus(before: RecordedBalancer, observed: EndpointObserved): LoadBalancerStatus {
  const { name, id, address, isAddressDetached, keptAddress: keptIP, internalAddress, networkId, subnetId } = before;
  const repair = repairEntry(before.repair);
  const probe = probeResult(id, observed);
  const loadBalancerNetwork = describe(observed, networkId, subnetId);
  const addresses = { ip: address, ipDetached: isAddressDetached, keptIP, internalIP: internalAddress };
  return { ...given({ name, id, ...addresses, loadBalancerNetwork, repair, probe }), health: "Unknown" };
}

/** An address stays recorded while its balancer is made again, and marked until it is seen on that one. */
function keptAddress(
  wanted: WantedBalancer,
  observed: EndpointObserved,
  before: RecordedBalancer | undefined,
): Pick<LoadBalancerStatus, "ip" | "ipDetached" | "keptIP"> {
  const { seen } = wanted;
  const left = present({ keptIP: addressLeftBehind(wanted, observed) });
  const attached = seen === undefined ? undefined : floatingAddress(observed, seen).address;
  if (attached !== undefined) return { ip: attached, ...left };
  const address = before?.address ?? before?.keptAddress;
  return observed.intent.floatingIp.enabled && address !== undefined ? { ip: address, ipDetached: true } : left;
}

/** A member of no machine of ours counts, and has no name to say. */
function membersStatus(
  members: readonly MemberNode[],
  { seen }: WantedBalancer,
  observed: EndpointObserved,
): NonNullable<LoadBalancerStatus["members"]> {
  const withHealth = (wanted: Health) =>
    members.filter((member) => memberHealth(member, seen?.balancer.provider, observed) === wanted);
  const machines = withHealth("bad").map((member) => machineOfMember(observed, member));
  const down = new Set(machines.flatMap((machine) => (typeof machine === "string" ? [] : [machine.name])));
  return {
    total: members.length,
    healthy: withHealth("good").length,
    ...(down.size === 0 ? {} : { down: [...down].toSorted() }),
  };
}

/** One that is made again serves nobody: that is a loss, and no beginning. */
function healthOf(wanted: WantedBalancer, situation: Situation): LoadBalancerHealth {
  const health = healthNow(wanted, situation);
  return health === "Empty" && isLost(wanted, situation) ? "Unhealthy" : health;
}

function healthNow(wanted: WantedBalancer, situation: Situation): LoadBalancerHealth {
  const { intent, observed } = situation;
  const { seen } = wanted;
  if (seen === undefined) return "Empty";
  if (!seen.tree.known) return downBecause(seen, observed) === undefined ? "Unknown" : "Unhealthy";
  const members = membersBehind(seen, intent.apiPort);
  if (members.length === 0) return "Empty";
  const { provisioningStatus, adminStateUp } = seen.balancer;
  const mayServe = letsPeopleIn(seen, observed) || (provisioningStatus === "ERROR" && adminStateUp);
  const answering = healthBehind(seen, intent.apiPort, observed);
  if (!mayServe || answering === "bad") return "Unhealthy";
  const isSure = letsPeopleIn(seen, observed) && !isDoubtful(seen, observed);
  if (!isSure || answering === "unknown") return "Unknown";
  const isAllWell = membersByPort(seen, situation).every(
    ({ port, total, healthy, down }) => down.length === 0 && (healthy === total || !isSamePort(port, intent.apiPort)),
  );
  return isAllWell ? "Healthy" : "Degraded";
}

function networkOf(
  { seen, zone }: WantedBalancer,
  observed: EndpointObserved,
  before: RecordedBalancer | undefined,
): NetworkStatus | undefined {
  const placed = seen === undefined ? placeOf(observed, zone) : undefined;
  const place = placed !== undefined && "place" in placed ? placed.place : undefined;
  const networkId = seen?.balancer.vipNetworkId || place?.networkId || before?.networkId;
  const subnetId = seen?.balancer.vipSubnetId || place?.subnetId || before?.subnetId;
  return describe(observed, networkId, subnetId);
}

/** Names only where Neutron was asked for this very one. */
function describe(
  observed: EndpointObserved,
  networkId: string | undefined,
  subnetId: string | undefined,
): NetworkStatus | undefined {
  if (networkId === undefined) return undefined;
  const network = networks(observed).find(({ id }) => id === networkId);
  const subnet = subnets(observed).find(({ id }) => id === subnetId);
  const facts: SubnetStatus | undefined =
    subnet === undefined
      ? subnetId === undefined
        ? undefined
        : { id: subnetId, name: "", cidr: "" }
      : { id: subnet.id, name: subnet.name, cidr: subnet.cidr, tags: subnet.tags };
  return {
    id: networkId,
    name: network?.name ?? "",
    ...(network === undefined ? {} : { tags: network.tags }),
    ...(facts === undefined ? {} : { subnets: [facts] }),
  };
}

function networks({ places }: EndpointObserved): readonly Network[] {
  if (!places.known) return [];
  return [places.value.network, places.value.clusterNetwork].flatMap((found) =>
    found?.found === "one" ? [found.value] : [],
  );
}

function subnets({ places }: EndpointObserved): readonly Subnet[] {
  if (!places.known) return [];
  const chosen = [...places.value.zoneSubnets.values(), places.value.singleSubnet].flatMap((found) =>
    found?.found === "one" ? [found.value] : [],
  );
  return [...chosen, ...places.value.clusterSubnets];
}

type Given<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** Without the parts that are undefined. */
function given<T extends object>(parts: T): Given<T> {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as Given<T>;
}
