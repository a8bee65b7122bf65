// What has yet to become true of the clusters, in words: balancers by zone, whole and with the right machines behind them, addresses, status,
// and nothing that is no longer wanted. With a zone that is dark for good only its neighbours are asked about.

import { type DnsEndpoint, dnsEndpoints } from "../../apis/dns-endpoint.ts";
import type { Condition, KubeObject } from "../../apis/kube-object.ts";
import { singleName, zoneName } from "../../core/api-endpoint/names.ts";
import { isFloatingIpMade, ownerTag, roleTagOf, zoneTagOf } from "../../core/api-endpoint/ownership.ts";
import { finalizerOf, hasFinalizer } from "../../core/ownership.ts";
import type { BalancerRecord } from "../fakes/openstack/cloud-records.ts";
import { leftOf } from "./checkers/nothing-left.ts";
import { resourceOf } from "./endpoint-objects.ts";
import type { EndpointCluster } from "./endpoint-setting.ts";
import { type EndpointStage, keyOf, objectFor, ownerIdOf } from "./endpoint-stage.ts";
import { apiPort, type EndpointWish } from "./endpoint-wish.ts";
import { areMachinesSettled, machinesBehind } from "./machines-wanted.ts";
import { isHealthy, membersBehind } from "./ways-in.ts";

interface Asked {
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
  const { phases, healthChecks } = stage.fake.cloud;
  if (phases.size + healthChecks.size > 0) return "the cloud has not come to rest";
  const alive = new Set(stage.setting.clusters.map((cluster) => ownerIdOf(objectFor(stage, cluster))));
  const orphan = [...stage.owners.keys()].find(
    (owner) => !alive.has(owner) && !stage.world.lostUids.has(owner) && leftOf(stage, owner) !== undefined,
  );
  return orphan === undefined ? undefined : `${leftOf(stage, orphan)} has no owner any more`;
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
  const zones: readonly (string | undefined)[] = wish.zones.length === 0 ? [undefined] : wish.zones;
  for (const zone of zones.filter((each) => dark === undefined || (each !== undefined && each !== dark))) {
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
  if (cluster.floatingIps && floatingips.count(`port:${balancer.vipPortId}`) !== 1) return "it has no floating IP";
  return lackingPort(asked, balancer, zone, dark);
}

function lackingPort(
  { stage, cluster, wish, owner }: Asked,
  balancer: BalancerRecord,
  zone: string | undefined,
  dark: string | undefined,
): string | undefined {
  const { listeners, healthmonitors, members } = stage.fake.cloud.tables;
  const ports = [apiPort, ...wish.ports];
  const below = listeners.find(`balancer:${balancer.id}`).filter(({ tags }) => tags.includes(ownerTag(owner)));
  const extra = below.find(({ port }) => !ports.includes(port));
  if (extra !== undefined) return `port ${extra.port} is still there`;
  for (const port of ports) {
    const poolId = below.find((listener) => listener.port === port)?.defaultPoolId;
    if (poolId === undefined) return `nothing listens on port ${port}`;
    const [monitor] = healthmonitors.find(`pool:${poolId}`);
    if (monitor?.delaySeconds !== 10) return `port ${port} is not watched as it should be`;
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

/** The fall-back stays until its removal is agreed. */
function surplusOf({ stage, wish, owner }: Asked): string | undefined {
  const { loadbalancers, floatingips } = stage.fake.cloud.tables;
  const ours = loadbalancers.find(`tag:${ownerTag(owner)}`).filter(({ tags }) => roleTagOf(tags) !== "fallback");
  const extra = ours.find(({ tags }) => {
    const zone = zoneTagOf(tags);
    return zone === undefined ? wish.zones.length > 0 : !wish.zones.includes(zone);
  });
  if (extra !== undefined) return `still has ${extra.name}`;
  const loose = floatingips.all().find((one) => isFloatingIpMade(one, owner) && one.portId === undefined);
  return loose === undefined ? undefined : `left floating IP ${loose.address}`;
}

interface ToldBalancer {
  readonly id?: string;
  readonly operatingStatus?: string;
  readonly members?: { readonly total: number; readonly healthy: number };
}

interface Told extends KubeObject {
  readonly spec?: { readonly controlPlaneEndpoint?: { readonly host?: string } };
  readonly status?: {
    readonly initialization?: { readonly provisioned?: boolean };
    readonly apiServerLoadBalancers?: readonly (ToldBalancer & { readonly availabilityZone: string })[];
    readonly apiServerLoadBalancer?: ToldBalancer;
    readonly conditions?: readonly Condition[];
  };
}

function unsaid({ object, wish, stage, owner, cluster }: Asked): string | undefined {
  const { metadata, status, spec } = object as Told;
  if ((spec?.controlPlaneEndpoint?.host ?? "") === "") return "has no endpoint";
  if (status?.initialization?.provisioned !== true) return "is not provisioned";
  const zones = (status.apiServerLoadBalancers ?? []).map(({ availabilityZone }) => availabilityZone);
  if (zones.join() !== wish.zones.join()) return `says ${zones.join()} instead of ${wish.zones.join()}`;
  const first = stage.fake.cloud.tables.loadbalancers
    .find(`tag:${ownerTag(owner)}`)
    .find(({ tags }) => zoneTagOf(tags) === wish.zones[0] && roleTagOf(tags) !== "fallback");
  if (status.apiServerLoadBalancer?.id !== first?.id) return "mirrors another balancer than the first one's";
  const entries = status.apiServerLoadBalancers ?? [status.apiServerLoadBalancer ?? {}];
  if (!entries.every((entry) => isTrue(stage, entry))) return "says what is no longer true of its balancers";
  if (cluster.publishDns && cluster.host !== "" && publishedFor(stage, cluster) !== addressesOf(stage, owner))
    return `publishes ${publishedFor(stage, cluster)} instead of ${addressesOf(stage, owner)}`;
  const ready = status.conditions?.find(({ type }) => type === "Ready");
  if (ready?.status !== "True") return `is not Ready: ${ready?.reason} ${ready?.message}`;
  return ready.observedGeneration === metadata.generation ? undefined : "speaks of an older generation";
}

function isTrue(stage: EndpointStage, { id = "", operatingStatus, members }: ToldBalancer): boolean {
  const balancer = stage.fake.cloud.tables.loadbalancers.get(id);
  if (balancer === undefined) return false;
  const behind = membersBehind(stage, balancer);
  const healthy = behind.filter(isHealthy).length;
  return (
    balancer.operatingStatus === operatingStatus && members?.total === behind.length && members.healthy === healthy
  );
}

function publishedFor({ world }: EndpointStage, cluster: EndpointCluster): string {
  const published: DnsEndpoint | undefined = world.view.objectAt(resourceOf(dnsEndpoints), keyOf(cluster));
  return (published?.spec?.endpoints ?? [])
    .flatMap(({ targets }) => targets)
    .toSorted()
    .join();
}

/** Of balancers that are wanted, by which people come. */
function addressesOf({ fake }: EndpointStage, owner: string): string {
  const { loadbalancers, floatingips } = fake.cloud.tables;
  return loadbalancers
    .find(`tag:${ownerTag(owner)}`)
    .filter(({ tags }) => roleTagOf(tags) !== "fallback")
    .map(({ vipPortId, vipAddress }) => floatingips.find(`port:${vipPortId}`)[0]?.address ?? vipAddress)
    .toSorted()
    .join();
}
