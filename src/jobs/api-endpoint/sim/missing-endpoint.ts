// What has yet to become true of the clusters, in words: balancers by zone, whole and with the right machines behind them, addresses, what is
// said of them (unsaid-endpoint.ts), and nothing that is no longer wanted. With a zone that is dark for good only its neighbours are asked about.

import type { KubeObject } from "../../../apis/kube/kube-object.ts";
import { finalizerOf, hasFinalizer } from "../../../core/ownership.ts";
import type { BalancerRecord } from "../../../sim/fakes/openstack/cloud-records.ts";
import { isConsent, removeLegacyAnnotation } from "../apis/annotations.ts";
import { portName, singleName, zoneName } from "../core/model/names.ts";
import { isFloatingIpFor, isFloatingIpMade, ownerTag, roleTagOf, zoneTagOf } from "../core/model/ownership.ts";
import { leftOf } from "./checkers/nothing-left.ts";
import { type EndpointCluster, hasFloatingIps } from "./endpoint-setting.ts";
import { type EndpointStage, keyOf, objectFor, ownerIdOf } from "./endpoint-stage.ts";
import { apiPort, type EndpointWish, seatsOf } from "./people/endpoint-wish.ts";
import { areMachinesSettled, machinesBehind } from "./people/machines-wanted.ts";
import { unsaid } from "./unsaid-endpoint.ts";

export interface Asked {
  readonly stage: EndpointStage;
  readonly cluster: EndpointCluster;
  readonly wish: EndpointWish;
  readonly owner: string;
  readonly object: KubeObject;
}

export function missingEndpoint(
  stage: EndpointStage,
  wishes: ReadonlyMap<EndpointCluster, EndpointWish>,
  dark: string | undefined,
): string | undefined {
  for (const [cluster, wish] of wishes) {
    const lacking = lackingIn(stage, cluster, wish, dark);
    if (lacking !== undefined) return `${cluster.door} ${keyOf(cluster)} ${lacking}`;
  }
  if (dark !== undefined) return undefined;
  const { cloud, gate } = stage.fake;
  if (cloud.phases.size + cloud.healthChecks.size + gate.late.waiting > 0) return "the cloud has not come to rest";
  const alive = new Set(stage.setting.clusters.map((cluster) => ownerIdOf(objectFor(stage, cluster))));
  const { lostUids } = stage.world;
  const [orphan] = [...stage.owners].flatMap(([owner, uids]) =>
    alive.has(owner) || [...uids].some((uid) => lostUids.has(uid)) ? [] : (leftOf(stage, owner) ?? []),
  );
  return orphan === undefined ? undefined : `${orphan} has no owner any more`;
}

function lackingIn(
  stage: EndpointStage,
  cluster: EndpointCluster,
  wish: EndpointWish,
  dark: string | undefined,
): string | undefined {
  const object = objectFor(stage, cluster);
  if (!wish.present) return object !== undefined && dark === undefined ? "is still there" : undefined;
  if (object === undefined || object.metadata.deletionTimestamp !== undefined)
    return dark === undefined ? "is missing" : undefined;
  const owner = ownerIdOf(object);
  if (owner === undefined || !hasFinalizer(object, finalizerOf(cluster.door))) return "is not claimed";
  if (stage.moving.has(keyOf(cluster))) return "is still on the move";
  if (!areMachinesSettled(stage, cluster)) return "has machines that come and go";
  const asked: Asked = { stage, cluster, wish, owner, object };
  for (const zone of seatsOf(wish).filter((each) => dark === undefined || (each !== undefined && each !== dark))) {
    const lacking = lackingAt(asked, zone, dark);
    if (lacking !== undefined) return `at ${zone ?? "its balancer"}: ${lacking}`;
  }
  return dark === undefined ? (surplusOf(asked) ?? unsaid(asked)) : undefined;
}

function lackingAt(asked: Asked, zone: string | undefined, dark: string | undefined): string | undefined {
  const { stage, cluster, owner } = asked;
  const { loadbalancers, floatingips } = stage.fake.cloud.tables;
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
  return lackingPort(asked, balancer, zone, dark);
}

function lackingPort(
  { stage, cluster, wish, owner }: Asked,
  balancer: BalancerRecord,
  zone: string | undefined,
  dark: string | undefined,
): string | undefined {
  const { listeners, pools, healthmonitors, members } = stage.fake.cloud.tables;
  const ports = [apiPort, ...wish.ports];
  const below = listeners.find(`balancer:${balancer.id}`).filter(({ tags }) => tags.includes(ownerTag(owner)));
  const extra = below.find(({ port }) => !ports.includes(port));
  if (extra !== undefined) return `port ${extra.port} is still there`;
  for (const port of ports) {
    const poolId = below.find((listener) => listener.port === port)?.defaultPoolId;
    if (poolId === undefined) return `nothing listens on port ${port}`;
    const pool = pools.get(poolId);
    if (pool?.name !== portName(balancer.name, port)) return `the pool of port ${port} is called ${pool?.name}`;
    if (!pool.tags.includes(ownerTag(owner))) return `the pool of port ${port} has no mark`;
    if (pool.protocol !== "TCP") return `the pool of port ${port} speaks ${pool.protocol}`;
    const [monitor] = healthmonitors.find(`pool:${poolId}`);
    if (monitor?.delaySeconds !== 10 || monitor.type !== "TCP") return `port ${port} is not watched as it should be`;
    const wanted = machinesBehind(stage, cluster, zone === undefined || wish.crossZone ? undefined : zone);
    const present = members.find(`pool:${poolId}`).filter(({ name }) => !name.startsWith("stranger-"));
    const addresses = present
      .map(({ address }) => address)
      .toSorted()
      .join();
    // Where a zone is dark, those behind it leave later.
    if (dark === undefined && addresses !== wanted.join())
      return `port ${port} has ${addresses} instead of ${wanted.join()}`;
    const absent = wanted.find((address) => !present.some((member) => member.address === address));
    if (absent !== undefined) return `port ${port} lacks ${absent}`;
  }
  return undefined;
}

/** The fall-back stays until its removal is agreed, and an address that machines take while there is no balancer. */
function surplusOf({ stage, wish, owner, object }: Asked): string | undefined {
  const { loadbalancers, floatingips } = stage.fake.cloud.tables;
  const isAgreed = isConsent(object.metadata.annotations?.[removeLegacyAnnotation]);
  const extra = loadbalancers
    .find(`tag:${ownerTag(owner)}`)
    .find(({ tags }) => (roleTagOf(tags) === "fallback" ? isAgreed : !seatsOf(wish).includes(zoneTagOf(tags))));
  if (extra !== undefined) return `still has ${extra.name}`;
  const loose = floatingips
    .all()
    .filter((one) => isFloatingIpMade(one, owner) && one.portId === undefined)
    .find((one) => wish.balancer || !isFloatingIpFor(one, owner, undefined));
  return loose === undefined ? undefined : `left floating IP ${loose.address}`;
}
