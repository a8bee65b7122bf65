// The picture of a cluster's API endpoint: the name that clients use, the addresses it leads to, the balancer behind each, and the
// control-plane machines behind them. Built from the object's status, its Machines and its DNSEndpoint; nobody asks the cloud for it.

import { type DnsEndpoint, dnsEndpoints } from "../../../../apis/external-dns/dns-endpoint.ts";
import { isSameKind, type KubeObject } from "../../../../apis/kube/kube-object.ts";
import { isDnsName, withoutClosingDot } from "../../../../apis/text/dns-name.ts";
import type { Health } from "../../../../core/views/object-view.ts";
import type { EdgeState, Picture, PictureEdge, PictureInput, PictureNode } from "../../../../core/views/picture.ts";
import {
  type ApiServerLoadBalancer,
  type ControlPlaneEndpoint,
  defaultApiPort,
  type KnownCondition,
} from "../../apis/load-balancer/api-server-load-balancer.ts";
import { hasRefusedPlace } from "../status/refused-place.ts";
import { type EndpointBalancer, type EndpointLike, shownBalancers } from "../status/shown-balancers.ts";
import { balancerNode } from "./balancer-node.ts";
import { controlPlaneMachines, machineNode, waysToMachines } from "./machine-nodes.ts";
import { reachWords } from "./reach-words.ts";
import { addressOf, ownHealth, throughBalancer, type Way, wayOf } from "./way.ts";

interface PicturedEndpoint extends EndpointLike {
  readonly spec?: {
    readonly controlPlaneEndpoint?: ControlPlaneEndpoint;
    readonly apiServerLoadBalancer?: ApiServerLoadBalancer;
  };
  readonly status?: EndpointLike["status"] & {
    readonly controlPlaneEndpoint?: ControlPlaneEndpoint;
    readonly lastKnownConditions?: readonly KnownCondition[];
  };
}

/** Undefined while there is nothing to show. */
export function endpointPicture({ object, related }: PictureInput): Picture | undefined {
  const { spec, status } = object as PicturedEndpoint;
  const shown = shownBalancers(object);
  if (shown === undefined) return undefined;
  const { host, port = defaultApiPort } = spec?.controlPlaneEndpoint ?? status?.controlPlaneEndpoint ?? {};
  const targets = publishedTargets(object, withoutClosingDot(host ?? ""), related);
  const leaving = new Set((status?.leavingLoadBalancers ?? []).map(({ id }) => id));
  const isRefused = ({ entry }: EndpointBalancer) => hasRefusedPlace(object, entry);
  const wanted = shown.parts.map((one) => wayOf(one, targets, isRefused(one)));
  const beside = shown.others.map((one) => ({
    ...wayOf(one, targets, isRefused(one)),
    beside: leaving.has(one.entry.id ?? "") ? ("leaving" as const) : ("fall-back" as const),
  }));
  const ways: readonly Way[] = [...wanted, ...beside];
  const machines = controlPlaneMachines(related, ways);
  const behind = waysToMachines(ways, machines, spec?.apiServerLoadBalancer?.allowCrossAZLoadBalancerMembers === true);
  const toAddress = ways.map((way) => wayToAddress(way, host));
  const stray = strayTargets(targets, ways);
  return {
    reach: reachWords(wanted, status?.lastKnownConditions),
    columns: [
      {
        title: host !== undefined && isDnsName(host) ? "DNS name" : "Endpoint",
        nodes: [{ ...nameNode(host, toAddress, stray.length), note: `port ${port}` }],
      },
      { title: "Addresses", nodes: [...ways.map(addressNode), ...stray.map(strayNode)] },
      { title: "Load balancers", nodes: ways.map(balancerNode) },
      ...(machines.length === 0
        ? []
        : [{ title: "Machines", nodes: machines.map((machine) => machineNode(machine, behind, ways)) }]),
    ],
    edges: [
      ...toAddress,
      ...stray.map((address): PictureEdge => ({ from: "name", to: `stray ${address}`, state: "broken" })),
      ...ways.map((way) => ({ from: `address ${way.key}`, to: `balancer ${way.key}`, state: throughBalancer(way) })),
      ...behind,
    ],
  };
}

/** Undefined: nobody sees records that are Mainstay's. */
function publishedTargets(
  { metadata: { uid } }: KubeObject,
  host: string,
  related: PictureInput["related"],
): readonly string[] | undefined {
  const found = related
    .filter(({ kind, object }) => isSameKind(kind, dnsEndpoints) && isOwned(object, uid))
    .flatMap(({ object }) => (object as DnsEndpoint).spec?.endpoints ?? []);
  const own = found.filter(({ dnsName }) => withoutClosingDot(dnsName) === host);
  return found.length === 0 ? undefined : own.flatMap(({ targets }) => targets);
}

function isOwned({ metadata: { ownerReferences = [] } }: KubeObject, uid: string | undefined): boolean {
  return uid !== undefined && ownerReferences.some((owner) => owner.uid === uid);
}

/** Published addresses that no balancer of the status has. */
function strayTargets(targets: readonly string[] = [], ways: readonly Way[]): readonly string[] {
  return targets.filter((target) => !ways.some(({ entry }) => [entry.ip, entry.internalIP].includes(target)));
}

function strayNode(address: string): PictureNode {
  return { id: `stray ${address}`, name: address, exact: true, health: "unhealthy", word: "of no balancer" };
}

/** Where the records are somebody else's, only an endpoint that is itself an address is known to lead somewhere. */
function wayToAddress(way: Way, host: string | undefined): PictureEdge {
  const state = (): EdgeState => {
    if (way.published === undefined) {
      if (host === undefined || isDnsName(host)) return way.beside === undefined ? "unknown" : "closed";
      return [way.entry.ip, way.entry.internalIP].includes(host) ? "open" : "closed";
    }
    return way.published ? "open" : "closed";
  };
  return { from: "name", to: `address ${way.key}`, state: state() };
}

function nameNode(name: string | undefined, leads: readonly PictureEdge[], stray: number): PictureNode {
  const node = (health: Health, word: string): PictureNode => ({
    id: "name",
    name: name ?? "none yet",
    exact: true,
    health,
    word,
  });
  if (name === undefined) return node("progressing", "not given yet");
  const open = leads.filter(({ state }) => state === "open").length + stray;
  if (open > 0)
    return node(stray > 0 ? "degraded" : "healthy", `leads to ${open} ${open === 1 ? "address" : "addresses"}`);
  return leads.some(({ state }) => state === "unknown")
    ? node("unknown", "its records are not Mainstay's")
    : node("unhealthy", "leads nowhere");
}

function addressNode(way: Way): PictureNode {
  const { key, entry, published, beside } = way;
  const address = addressOf(entry);
  const node = (health: Health, word: string): PictureNode => ({
    id: `address ${key}`,
    name: address ?? "none yet",
    ...(address === undefined ? {} : { exact: true }),
    health,
    word,
  });
  if (address === undefined) return node("progressing", "no address");
  if (entry.ipDetached === true) return node("progressing", "kept for the new balancer");
  if (published === false)
    return node(beside === undefined && ownHealth(way) !== "healthy" ? way.health : "progressing", "left out of DNS");
  const word = published === true ? "in the DNS records" : entry.ip ? "floating IP" : "internal address";
  return node(throughBalancer(way) === "broken" ? "unhealthy" : ownHealth(way), word);
}
