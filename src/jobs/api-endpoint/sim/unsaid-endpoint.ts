// What has yet to be said about a cluster, in words: its endpoint, to CAPO, too, its status, its conditions, its records.

import { type DnsEndpoint, dnsEndpoints } from "../../../apis/external-dns/dns-endpoint.ts";
import type { Condition, KubeObject } from "../../../apis/kube/kube-object.ts";
import { openStackClusters } from "../apis/openstack-cluster/openstack-cluster.ts";
import { ownerTag, roleTagOf, zoneTagOf } from "../core/model/ownership.ts";
import { capoName, resourceOf } from "./endpoint-objects.ts";
import type { EndpointCluster } from "./endpoint-setting.ts";
import { type EndpointStage, keyOf } from "./endpoint-stage.ts";
import type { Asked } from "./missing-endpoint.ts";
import { seatsOf } from "./people/endpoint-wish.ts";
import { isHealthy, membersBehind } from "./ways-in.ts";

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
    readonly unansweredUntil?: string;
  };
}

export function unsaid(asked: Asked): string | undefined {
  const { metadata, status, spec } = asked.object as Told;
  if ((spec?.controlPlaneEndpoint?.host ?? "") === "") return "has no endpoint";
  if (status?.initialization?.provisioned !== true) return "is not provisioned";
  // When it has passed, it is taken out.
  if (status.unansweredUntil !== undefined) return "waits for what was asked for";
  const untold = unsaidBalancers(asked, status) ?? unsaidToOthers(asked);
  if (untold !== undefined) return untold;
  const ready = status.conditions?.find(({ type }) => type === "Ready");
  if (ready?.status !== "True") return `is not Ready: ${ready?.reason} ${ready?.message}`;
  return ready.observedGeneration === metadata.generation ? undefined : "speaks of an older generation";
}

function unsaidBalancers({ stage, wish, owner }: Asked, status: NonNullable<Told["status"]>): string | undefined {
  const wanted = seatsOf(wish).filter((zone) => zone !== undefined);
  const zones = (status.apiServerLoadBalancers ?? []).map(({ availabilityZone }) => availabilityZone);
  if (zones.join() !== wanted.join()) return `says ${zones.join()} instead of ${wanted.join()}`;
  const first = stage.fake.cloud.tables.loadbalancers
    .find(`tag:${ownerTag(owner)}`)
    .find(({ tags }) => zoneTagOf(tags) === wanted[0] && roleTagOf(tags) !== "fallback");
  const mirror = status.apiServerLoadBalancer;
  if (mirror?.id !== first?.id) return "mirrors another balancer than the first one's";
  const entries = status.apiServerLoadBalancers ?? (mirror === undefined ? [] : [mirror]);
  return entries.every((entry) => isTrue(stage, entry)) ? undefined : "says what is no longer true of its balancers";
}

function unsaidToOthers({ stage, cluster, wish, owner }: Asked): string | undefined {
  const published = publishedFor(stage, cluster);
  const addresses = wish.publish && wish.balancer && cluster.host !== "" ? addressesOf(stage, owner) : "";
  if (published !== addresses) return `publishes ${published || "nothing"} instead of ${addresses || "nothing"}`;
  const capo: Told | undefined = stage.world.view.objectAt(
    resourceOf(openStackClusters),
    `${cluster.namespace}/${capoName(cluster)}`,
  );
  return cluster.gate && capo?.spec?.controlPlaneEndpoint?.host !== cluster.host ? "lets CAPO wait" : undefined;
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
