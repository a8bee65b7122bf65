// Which ways lead into a cluster, by the cloud itself and by which machines there are, now and at every moment so far. A way is a balancer
// that serves, with its address, through a healthy member whose Machine exists. One in ERROR serves all the same.

import { machines, openStackMachines } from "../../../apis/cluster-api/cluster-api-kinds.ts";
import type { BalancerRecord, MemberRecord } from "../../../sim/fakes/openstack/cloud-records.ts";
import { ownerTag } from "../core/model/ownership.ts";
import { isOn } from "../core/model/port.ts";
import { resourceOf } from "./endpoint-objects.ts";
import { type EndpointCluster, hasFloatingIps } from "./endpoint-setting.ts";
import { type EndpointSim, objectFor, ownerIdOf } from "./endpoint-sim.ts";
import { apiPort } from "./people/desired-endpoint.ts";

/** Balancer → its healthy members. */
export type Ways = ReadonlyMap<string, ReadonlySet<string>>;

export function waysInto(
  sim: EndpointSim,
  cluster: EndpointCluster,
  addresses: ReadonlySet<string> = machineAddresses(sim, cluster),
): Ways {
  const { loadbalancers, floatingips } = sim.fake.cloud.tables;
  const owner = ownerIdOf(objectFor(sim, cluster));
  if (owner === undefined) return new Map();
  const ours = loadbalancers
    .all()
    .filter(({ id, tags }) => tags.includes(ownerTag(owner)) || sim.legacy.get(id) === cluster)
    .filter(({ provisioningStatus, adminStateUp }) => ["ACTIVE", "ERROR"].includes(provisioningStatus) && adminStateUp)
    .filter(({ vipPortId }) => !hasFloatingIps(cluster) || floatingips.count(`port:${vipPortId}`) > 0);
  const ways = ours.map((balancer) => {
    const healthy = membersBehind(sim, balancer).filter((member) => isHealthy(member) && addresses.has(member.address));
    return [balancer.id, new Set(healthy.map(({ id }) => id))] as const;
  });
  return new Map(ways.filter(([, healthy]) => healthy.size > 0));
}

export function membersBehind({ fake }: EndpointSim, { id }: Pick<BalancerRecord, "id">): readonly MemberRecord[] {
  const { listeners, members } = fake.cloud.tables;
  const listener = listeners.find(`balancer:${id}`).find((each) => isOn(each, apiPort));
  return listener?.defaultPoolId === undefined ? [] : members.find(`pool:${listener.defaultPoolId}`);
}

export function isHealthy({ operatingStatus, provisioningStatus }: MemberRecord): boolean {
  return ["ONLINE", "NO_MONITOR"].includes(operatingStatus) && provisioningStatus !== "PENDING_DELETE";
}

/** Of Machines that exist, on their way out or not. */
function machineAddresses({ world }: EndpointSim, { namespace, name }: EndpointCluster): ReadonlySet<string> {
  const named = new Set(
    world.view.objects(resourceOf(machines)).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
  );
  const found = world.view.objects(resourceOf(openStackMachines)).flatMap((machine) => {
    const { metadata, status } = machine as typeof machine & {
      readonly status?: { readonly addresses?: readonly { readonly address: string }[] };
    };
    const isOurs = metadata.namespace === namespace && metadata.name.startsWith(`${name}-m`);
    return isOurs && named.has(`${metadata.namespace}/${metadata.name}`) ? (status?.addresses ?? []) : [];
  });
  return new Set(found.map(({ address }) => address));
}

export interface WayHistory {
  /** Every state of the ways since then, the one that held at that moment included, as far as a lagging cache may believe in it. */
  since(cluster: EndpointCluster, ms: number): readonly Ways[];
}

const seenKinds = new Set(["loadbalancers", "listeners", "members", "floatingips"]);
/** Longer than any round. */
const keptMs = 180_000;
/** A cache may show a Machine for so long after it has gone. */
const cacheLagMs = 60_000;

export function followWays(sim: EndpointSim): WayHistory {
  const { view } = sim.world;
  const states = new Map<EndpointCluster, { readonly ms: number; readonly ways: Ways }[]>();
  const seenMs = new Map<string, number>();
  const lately = (cluster: EndpointCluster, ms: number): ReadonlySet<string> => {
    for (const address of machineAddresses(sim, cluster)) seenMs.set(address, ms);
    return new Set([...seenMs].filter(([, seen]) => seen > ms - cacheLagMs).map(([address]) => address));
  };
  const note = (): void => {
    const ms = view.nowMs();
    for (const cluster of sim.setting.clusters) {
      const past = states.get(cluster) ?? [];
      states.set(cluster, past);
      const ways = waysInto(sim, cluster, lately(cluster, ms));
      const last = past.at(-1);
      if (last !== undefined && same(last.ways, ways)) continue;
      past.push({ ms, ways });
      while (past.length > 2 && (past[1]?.ms ?? ms) < ms - keptMs) past.shift();
    }
  };
  sim.fake.onChange(({ kind }) => {
    if (seenKinds.has(kind)) note();
  });
  view.on("changed", ({ change }) => {
    if (change.resource === resourceOf(machines)) note();
  });
  return {
    since: (cluster, ms) => {
      const past = states.get(cluster) ?? [];
      const before = past.findLast((state) => state.ms < ms);
      return [...(before === undefined ? [] : [before]), ...past.filter((state) => state.ms >= ms)].map(
        ({ ways }) => ways,
      );
    },
  };
}

function same(a: Ways, b: Ways): boolean {
  return a.size === b.size && [...a].every(([id, members]) => sameSet(members, b.get(id)));
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string> | undefined): boolean {
  return b !== undefined && a.size === b.size && [...a].every((each) => b.has(each));
}
