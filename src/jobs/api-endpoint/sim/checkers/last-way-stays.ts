// Never last: as long as a cluster is wanted, nothing of ours takes away its last way in, nor the last one that its DNS records lead to. Checked
// by what could be known: there must have been another way at some moment since the round began that decided it.

import { machines } from "../../../../apis/cluster-api/cluster-api-kinds.ts";
import { type DnsEndpoint, dnsEndpoints } from "../../../../apis/external-dns/dns-endpoint.ts";
import { type Checker, isBlindAfterRestore, type WorldView } from "../../../../sim/checkers/checker.ts";
import type { BalancerRecord } from "../../../../sim/fakes/openstack/cloud-records.ts";
import type { CallEffect } from "../../../../sim/openstack/call-effects.ts";
import { isConsent, removeLegacyAnnotation, repairAnnotation } from "../../apis/annotations.ts";
import type { OpenStackCluster } from "../../apis/openstack-cluster/openstack-cluster.ts";
import { resourceOf } from "../endpoint-objects.ts";
import type { EndpointCluster } from "../endpoint-setting.ts";
import { clusterOfRound, type EndpointSim, keyOf, objectFor } from "../endpoint-sim.ts";
import { followRounds } from "../follow-rounds.ts";
import { followWays, type Ways, waysInto } from "../ways-in.ts";
import type { SimOf } from "./endpoint-checkers.ts";

export function lastWayStays(simOf: SimOf): Checker {
  return {
    name: "last-way-stays",
    promise:
      "no balancer and no member goes by our hand that was the last healthy way into a wanted cluster, or the last that its DNS records name",
    watch: (view, broken) => {
      const sim = simOf();
      const roundOf = followRounds(sim, view);
      const history = followWays(sim);
      const wasGone = followGone(view);
      const isAgreed = followConsent(sim, view);
      let before: Ways = new Map();
      view.on("arrived", ({ call }) => {
        const cluster = call.port === "cloud" && call.write ? clusterOfRound(sim, call.actor) : undefined;
        if (cluster !== undefined) before = waysInto(sim, cluster);
      });
      sim.effects.on((effect) => {
        const { call, changes } = effect;
        const cluster = clusterOfRound(sim, call.actor);
        const round = roundOf(call);
        if (cluster === undefined || round === undefined || changes.length === 0) return;
        if (isBlindAfterRestore(view)) return;
        const object = objectFor(sim, cluster);
        if (object === undefined || object.metadata.deletionTimestamp !== undefined || isAgreed(cluster, effect))
          return;
        const gone = new Set(changes.flatMap(({ id, after }) => (after === undefined || isLeaving(after) ? [id] : [])));
        if (gone.size === 0 || changes.some(({ before: row }) => wasGone(cluster, row))) return;
        const known = history.since(cluster, round.beganMs);
        const takes = `${call.process.name}: ${call.verb} ${call.target} took the last way into ${keyOf(cluster)}`;
        if (isLast(before, known, gone)) return broken(takes);
        const named = namedBalancers(sim, cluster);
        const namedWays = known.map((ways) => only(ways, named));
        if (isLast(only(before, named), namedWays, gone)) broken(`${takes} that its DNS records name`);
      });
    },
  };
}

/** A cache may still show that a Machine is gone when another of its name has come: then its member is nobody's. */
const cacheLagMs = 60_000;

function followGone(view: WorldView): (cluster: EndpointCluster, row: object | undefined) => boolean {
  const goneMs = new Map<string, number>();
  view.on("changed", ({ change }) => {
    if (change.type === "DELETED" && change.resource === resourceOf(machines)) goneMs.set(change.key, view.nowMs());
  });
  return ({ namespace }, row) => {
    const name = row !== undefined && "poolId" in row && "name" in row ? String(row.name) : "";
    return [...goneMs].some(([key, ms]) => {
      const [place = "", machine = ""] = key.split("/");
      return place === namespace && name.endsWith(`-${machine}`) && ms > view.nowMs() - cacheLagMs;
    });
  };
}

/** By whom the loss was agreed to, lately enough for a cache to show it: balancers switched off, or something in ERROR made again. */
function followConsent(sim: EndpointSim, view: WorldView): (cluster: EndpointCluster, effect: CallEffect) => boolean {
  const agreedMs = { off: new Map<EndpointCluster, number>(), repair: new Map<EndpointCluster, number>() };
  const note = (agreed: Map<EndpointCluster, number>, cluster: EndpointCluster, isAgreed: boolean): void => {
    if (isAgreed) agreed.set(cluster, Number.POSITIVE_INFINITY);
    else if (agreed.get(cluster) === Number.POSITIVE_INFINITY) agreed.set(cluster, view.nowMs());
  };
  view.on("changed", ({ change }) => {
    const cluster = sim.setting.clusters.find((each) => keyOf(each) === change.key);
    const object: OpenStackCluster | undefined = cluster === undefined ? undefined : objectFor(sim, cluster);
    if (cluster === undefined || object === undefined) return;
    const { metadata, spec } = object;
    const agrees = (annotation: string) => isConsent(metadata.annotations?.[annotation]);
    note(agreedMs.off, cluster, agrees(removeLegacyAnnotation) && spec?.apiServerLoadBalancer?.enabled === false);
    note(agreedMs.repair, cluster, agrees(repairAnnotation));
  });
  const lately = (agreed: ReadonlyMap<EndpointCluster, number>, cluster: EndpointCluster): boolean =>
    (agreed.get(cluster) ?? Number.NEGATIVE_INFINITY) > view.nowMs() - cacheLagMs;
  return (cluster, { changes }) =>
    lately(agreedMs.off, cluster) ||
    (lately(agreedMs.repair, cluster) && changes.some(({ before }) => before !== undefined && isBroken(before)));
}

function isBroken(row: object): boolean {
  return "provisioningStatus" in row && row.provisioningStatus === "ERROR";
}

function isLeaving(row: object): boolean {
  return "provisioningStatus" in row && row.provisioningStatus === "PENDING_DELETE";
}

function isLast(before: Ways, known: readonly Ways[], gone: ReadonlySet<string>): boolean {
  return before.size > 0 && [before, ...known].every((ways) => left(ways, gone) === 0);
}

function only(ways: Ways, balancers: ReadonlySet<string>): Ways {
  return new Map([...ways].filter(([id]) => balancers.has(id)));
}

/** By the records as they are published now. */
function namedBalancers({ world, fake }: EndpointSim, cluster: EndpointCluster): ReadonlySet<string> {
  const published: DnsEndpoint | undefined = world.view.objectAt(resourceOf(dnsEndpoints), keyOf(cluster));
  const targets = new Set((published?.spec?.endpoints ?? []).flatMap((endpoint) => endpoint.targets));
  const { loadbalancers, floatingips } = fake.cloud.tables;
  const isNamed = ({ vipPortId, vipAddress }: BalancerRecord): boolean =>
    targets.has(vipAddress) || floatingips.find(`port:${vipPortId}`).some(({ address }) => targets.has(address));
  return new Set(targets.size === 0 ? [] : loadbalancers.all().flatMap((row) => (isNamed(row) ? [row.id] : [])));
}

/** How many ways there are without these. */
function left(ways: Ways, gone: ReadonlySet<string>): number {
  return [...ways].filter(([id, members]) => !gone.has(id) && [...members].some((member) => !gone.has(member))).length;
}
