// What has yet to be reported of a cluster, in words: its endpoint, also to CAPO, its status, its conditions, its records.

import { type DnsEndpoint, dnsEndpoints } from "../../../apis/external-dns/dns-endpoint.ts";
import type { Condition, KubeObject } from "../../../apis/kube/kube-object.ts";
import type { BalancerRecord } from "../../../sim/fakes/openstack/cloud-records.ts";
import { openStackClusters } from "../apis/openstack-cluster/openstack-cluster.ts";
import { ownerTag, roleTagOf, zoneTagOf } from "../core/model/ownership.ts";
import { capoName, resourceOf } from "./endpoint-objects.ts";
import type { EndpointCluster } from "./endpoint-setting.ts";
import { type EndpointSim, keyOf } from "./endpoint-sim.ts";
import type { CheckedEndpoint } from "./missing-endpoint.ts";
import { wantedBalancers } from "./people/desired-endpoint.ts";
import { isHealthy, membersBehind, waysInto } from "./ways-in.ts";

interface ReportedBalancer {
  readonly id?: string;
  readonly operatingStatus?: string;
  readonly members?: { readonly total: number; readonly healthy: number };
}

interface ReportedObject extends KubeObject {
  readonly spec?: { readonly controlPlaneEndpoint?: { readonly host?: string } };
  readonly status?: {
    readonly initialization?: { readonly provisioned?: boolean };
    readonly apiServerLoadBalancers?: readonly (ReportedBalancer & { readonly availabilityZone: string })[];
    readonly apiServerLoadBalancer?: ReportedBalancer;
    readonly conditions?: readonly Condition[];
    readonly unansweredUntil?: string;
  };
}

export function unreportedEndpoint(checked: CheckedEndpoint): string | undefined {
  const { metadata, status, spec } = checked.object as ReportedObject;
  if ((spec?.controlPlaneEndpoint?.host ?? "") === "") return "has no endpoint";
  if (status?.initialization?.provisioned !== true) return "is not provisioned";
  // When it has passed, it is taken out.
  if (status.unansweredUntil !== undefined) return "waits for what was asked for";
  const missing = unreportedBalancers(checked, status) ?? unreportedToOthers(checked);
  if (missing !== undefined) return missing;
  const ready = status.conditions?.find(({ type }) => type === "Ready");
  // Once the last balancer is gone as asked, nobody can tell whether people get in elsewhere.
  const isPastUs = !checked.desired.balancer && ready?.status === "Unknown" && ready.reason === "LoadBalancerUnwanted";
  if (ready === undefined || (ready.status !== "True" && !isPastUs))
    return `is not Ready: ${ready?.reason} ${ready?.message}`;
  return ready.observedGeneration === metadata.generation ? undefined : "is reported for an older generation";
}

function unreportedBalancers(
  { sim, desired, owner }: CheckedEndpoint,
  status: NonNullable<ReportedObject["status"]>,
): string | undefined {
  const wanted = wantedBalancers(desired).filter((zone) => zone !== undefined);
  const zones = (status.apiServerLoadBalancers ?? []).map(({ availabilityZone }) => availabilityZone);
  if (zones.join() !== wanted.join()) return `says ${zones.join()} instead of ${wanted.join()}`;
  const first = sim.fake.cloud.tables.loadbalancers
    .find(`tag:${ownerTag(owner)}`)
    .find(({ tags }) => zoneTagOf(tags) === wanted[0] && roleTagOf(tags) !== "fallback");
  const mirror = status.apiServerLoadBalancer;
  if (mirror?.id !== first?.id) return "mirrors another balancer than the first one's";
  const entries = status.apiServerLoadBalancers ?? (mirror === undefined ? [] : [mirror]);
  return entries.every((entry) => isTrue(sim, entry)) ? undefined : "says what is no longer true of its balancers";
}

function unreportedToOthers({ sim, cluster, desired, owner }: CheckedEndpoint): string | undefined {
  const published = publishedFor(sim, cluster);
  const addresses = desired.publish && desired.balancer && cluster.host !== "" ? addressesOf(sim, owner) : "";
  if (published !== addresses) return `publishes ${published || "nothing"} instead of ${addresses || "nothing"}`;
  const capo: ReportedObject | undefined = sim.world.view.objectAt(
    resourceOf(openStackClusters),
    `${cluster.namespace}/${capoName(cluster)}`,
  );
  return cluster.capoWaits && capo?.spec?.controlPlaneEndpoint?.host !== cluster.host ? "lets CAPO wait" : undefined;
}

function isTrue(sim: EndpointSim, { id = "", operatingStatus, members }: ReportedBalancer): boolean {
  const balancer = sim.fake.cloud.tables.loadbalancers.get(id);
  if (balancer === undefined) return false;
  const behind = membersBehind(sim, balancer);
  const healthy = behind.filter(isHealthy).length;
  return (
    balancer.operatingStatus === operatingStatus && members?.total === behind.length && members.healthy === healthy
  );
}

export function publishedFor({ world }: EndpointSim, cluster: EndpointCluster): string {
  const published: DnsEndpoint | undefined = world.view.objectAt(resourceOf(dnsEndpoints), keyOf(cluster));
  return (published?.spec?.endpoints ?? [])
    .flatMap(({ targets }) => targets)
    .toSorted()
    .join();
}

/** People are still sent to a balancer that does not answer, while another one does: probes were to find that out. */
export function deadAndPublished({ sim, cluster, owner }: CheckedEndpoint): string | undefined {
  const { deadBalancers } = sim.fake.cloud.trouble;
  const ways = waysInto(sim, cluster);
  if (deadBalancers.size === 0 || [...ways.keys()].every((id) => deadBalancers.has(id))) return undefined;
  const published = publishedFor(sim, cluster).split(",");
  const dead = wantedOf(sim, owner).filter(({ id }) => deadBalancers.has(id));
  const named = dead.map((one) => addressOf(sim, one)).find((address) => published.includes(address));
  return named === undefined ? undefined : `still publishes ${named}, where nobody answers`;
}

/** Of balancers that are wanted, by which people come. */
function addressesOf(sim: EndpointSim, owner: string): string {
  return wantedOf(sim, owner)
    .map((balancer) => addressOf(sim, balancer))
    .toSorted()
    .join();
}

function wantedOf({ fake }: EndpointSim, owner: string): readonly BalancerRecord[] {
  const ours = fake.cloud.tables.loadbalancers.find(`tag:${ownerTag(owner)}`);
  return ours.filter(({ tags }) => roleTagOf(tags) !== "fallback");
}

export function addressOf({ fake }: EndpointSim, { vipPortId, vipAddress }: BalancerRecord): string {
  return fake.cloud.tables.floatingips.find(`port:${vipPortId}`)[0]?.address ?? vipAddress;
}
