// What has yet to become true of the clusters, in words: balancers by zone, whole and with the right machines behind them, addresses, what is
// reported of them (unreported-endpoint.ts), and nothing that is no longer wanted. While a zone is dark only its neighbours are checked, and
// that nobody is sent to a balancer that is dead.

import type { KubeObject } from "../../../apis/kube/kube-object.ts";
import { finalizerOf, hasFinalizer } from "../../../core/ownership.ts";
import type { BalancerRecord } from "../../../sim/fakes/openstack/cloud-records.ts";
import { isConsent, removeLegacyAnnotation } from "../apis/annotations.ts";
import { portName, singleName, zoneName } from "../core/model/names.ts";
import { isFloatingIpFor, isFloatingIpMade, ownerTag, roleTagOf, zoneTagOf } from "../core/model/ownership.ts";
import { isOn, isSpokenOn, monitorTypeOf, portWords } from "../core/model/port.ts";
import { leftOf } from "./checkers/nothing-left.ts";
import { type EndpointCluster, hasFloatingIps } from "./endpoint-setting.ts";
import { type EndpointSim, keyOf, objectFor, ownerIdOf } from "./endpoint-sim.ts";
import { apiPort, type DesiredEndpoint, wantedBalancers } from "./people/desired-endpoint.ts";
import { areMachinesSettled, machinesBehind } from "./people/machines-wanted.ts";
import { deadAndPublished, unreportedEndpoint } from "./unreported-endpoint.ts";

export interface CheckedEndpoint {
  readonly sim: EndpointSim;
  readonly cluster: EndpointCluster;
  readonly desired: DesiredEndpoint;
  readonly owner: string;
  readonly object: KubeObject;
}

export function missingEndpoint(
  sim: EndpointSim,
  desiredByCluster: ReadonlyMap<EndpointCluster, DesiredEndpoint>,
  dark: string | undefined,
): string | undefined {
  for (const [cluster, desired] of desiredByCluster) {
    const lacking = lackingIn(sim, cluster, desired, dark);
    if (lacking !== undefined) return `${cluster.door} ${keyOf(cluster)} ${lacking}`;
  }
  if (dark !== undefined) return undefined;
  const { cloud, calls } = sim.fake;
  if (cloud.phases.size + cloud.healthChecks.size + calls.late.waiting > 0) return "the cloud has not come to rest";
  const alive = new Set(sim.setting.clusters.map((cluster) => ownerIdOf(objectFor(sim, cluster))));
  const { lostUids } = sim.world;
  const [orphan] = [...sim.owners].flatMap(([owner, uids]) =>
    alive.has(owner) || [...uids].some((uid) => lostUids.has(uid)) ? [] : (leftOf(sim, owner) ?? []),
  );
  return orphan === undefined ? undefined : `${orphan} has no owner any more`;
}

function lackingIn(
  sim: EndpointSim,
  cluster: EndpointCluster,
  desired: DesiredEndpoint,
  dark: string | undefined,
): string | undefined {
  const object = objectFor(sim, cluster);
  if (!desired.present) return object !== undefined && dark === undefined ? "is still there" : undefined;
  if (object === undefined || object.metadata.deletionTimestamp !== undefined)
    return dark === undefined ? "is missing" : undefined;
  const owner = ownerIdOf(object);
  if (owner === undefined || !hasFinalizer(object, finalizerOf(cluster.door))) return "is not claimed";
  if (sim.moving.has(keyOf(cluster))) return "is still on the move";
  if (!areMachinesSettled(sim, cluster)) return "has machines that come and go";
  const checked: CheckedEndpoint = { sim, cluster, desired, owner, object };
  for (const zone of wantedBalancers(desired).filter(
    (each) => dark === undefined || (each !== undefined && each !== dark),
  )) {
    const lacking = lackingAt(checked, zone, dark);
    if (lacking !== undefined) return `at ${zone ?? "its balancer"}: ${lacking}`;
  }
  return dark === undefined ? (unwantedOf(checked) ?? unreportedEndpoint(checked)) : deadAndPublished(checked);
}

function lackingAt(checked: CheckedEndpoint, zone: string | undefined, dark: string | undefined): string | undefined {
  const { sim, cluster, owner } = checked;
  const { loadbalancers, floatingips } = sim.fake.cloud.tables;
  const role = zone === undefined ? "single" : "zone";
  const found = loadbalancers
    .find(`tag:${ownerTag(owner)}`)
    .filter(({ tags }) => roleTagOf(tags) === role && zoneTagOf(tags) === zone);
  const [balancer] = found;
  if (balancer === undefined) return "there is no balancer";
  if (found.length > 1) return `there are ${found.length} balancers`;
  if (balancer.provisioningStatus !== "ACTIVE") return `it is ${balancer.provisioningStatus}`;
  const name = zone === undefined ? singleName(cluster) : zoneName(cluster, zone);
  if (balancer.name !== name) return `it is called ${balancer.name}`;
  if (hasFloatingIps(cluster) && floatingips.count(`port:${balancer.vipPortId}`) !== 1) return "it has no floating IP";
  return lackingPort(checked, balancer, zone, dark);
}

function lackingPort(
  { sim, cluster, desired, owner }: CheckedEndpoint,
  balancer: BalancerRecord,
  zone: string | undefined,
  dark: string | undefined,
): string | undefined {
  const { listeners, pools, healthmonitors, members } = sim.fake.cloud.tables;
  const ports = [apiPort, ...desired.ports];
  const below = listeners.find(`balancer:${balancer.id}`).filter(({ tags }) => tags.includes(ownerTag(owner)));
  const extra = below.find((listener) => !ports.some((port) => isOn(listener, port)));
  if (extra !== undefined) return `port ${extra.port} is still there`;
  for (const port of ports) {
    const words = `port ${portWords(port)}`;
    const poolId = below.find((listener) => isOn(listener, port))?.defaultPoolId;
    if (poolId === undefined) return `nothing listens on ${words}`;
    const pool = pools.get(poolId);
    if (pool?.name !== portName(balancer.name, port)) return `the pool of ${words} is called ${pool?.name}`;
    if (!pool.tags.includes(ownerTag(owner))) return `the pool of ${words} has no mark`;
    if (!isSpokenOn(pool, port)) return `the pool of ${words} speaks ${pool.protocol}`;
    const [monitor] = healthmonitors.find(`pool:${poolId}`);
    if (monitor?.delaySeconds !== 10 || monitor.type !== monitorTypeOf(port))
      return `${words} is not watched as it should be`;
    const wanted = machinesBehind(sim, cluster, zone === undefined || desired.crossZone ? undefined : zone);
    const present = members.find(`pool:${poolId}`).filter(({ name }) => !name.startsWith("foreign-"));
    const addresses = present
      .map(({ address }) => address)
      .toSorted()
      .join();
    // Where a zone is dark, those behind it leave later.
    if (dark === undefined && addresses !== wanted.join())
      return `${words} has ${addresses} instead of ${wanted.join()}`;
    const absent = wanted.find((address) => !present.some((member) => member.address === address));
    if (absent !== undefined) return `${words} lacks ${absent}`;
  }
  return undefined;
}

/** The fall-back stays until its removal is agreed, and an address that machines take while there is no balancer. */
function unwantedOf({ sim, desired, owner, object }: CheckedEndpoint): string | undefined {
  const { loadbalancers, floatingips } = sim.fake.cloud.tables;
  const isAgreed = isConsent(object.metadata.annotations?.[removeLegacyAnnotation]);
  const extra = loadbalancers
    .find(`tag:${ownerTag(owner)}`)
    .find(({ tags }) =>
      roleTagOf(tags) === "fallback" ? isAgreed : !wantedBalancers(desired).includes(zoneTagOf(tags)),
    );
  if (extra !== undefined) return `still has ${extra.name}`;
  const loose = floatingips
    .all()
    .filter((one) => isFloatingIpMade(one, owner) && one.portId === undefined)
    .find((one) => desired.balancer || !isFloatingIpFor(one, owner, undefined));
  return loose === undefined ? undefined : `left floating IP ${loose.address}`;
}
