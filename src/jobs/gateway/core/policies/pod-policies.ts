// Which clients NetworkPolicies let through to a Pod. Gateways enforce them where the client's own address is still known: behind them, Pods see
// an address of the gateways. Peers that are named by selectors are inside the cluster, and no client from outside is one of them.

import { matchesSelector } from "../../../../core/label-selector.ts";
import { canonicalAddress } from "../../../../core/net/ip.ts";
import type { NetworkPolicy, NetworkPolicyPort, NetworkPolicyRule, Pod } from "../../apis/kube-objects.ts";
import type { Endpoint, Protocol } from "../model/document.ts";
import { type AddressRange, type AddressRanges, addressRange, without } from "./client-ranges.ts";

export interface PolicyWorld {
  readonly policies: readonly NetworkPolicy[];
  readonly pods: readonly Pod[];
}

/** Who may connect to an endpoint. "any" also for one that is no Pod. */
export type ClientsOf = (endpoint: Endpoint, protocol: Protocol) => AddressRanges;

export function clientsOf({ policies, pods }: PolicyWorld): ClientsOf {
  const byNamespace = new Map<string, NetworkPolicy[]>();
  for (const policy of policies.filter(isAboutIngress)) {
    const { namespace = "" } = policy.metadata;
    byNamespace.set(namespace, [...(byNamespace.get(namespace) ?? []), policy]);
  }
  const byAddress = new Map(
    pods.filter(isConcerned).flatMap((pod) => addressesOf(pod).map((address) => [address, pod])),
  );
  return ({ address, port }, protocol) => {
    const pod = byAddress.get(canonicalAddress(address) ?? address);
    if (pod === undefined) return "any";
    const { namespace = "", labels = {} } = pod.metadata;
    const applied = (byNamespace.get(namespace) ?? []).filter(({ spec }) =>
      matchesSelector(spec?.podSelector ?? {}, labels),
    );
    return applied.length === 0 ? "any" : allowedBy(applied, (filter) => matches(filter, pod, port, protocol));
  };
}

/** Without types a policy is about ingress. */
function isAboutIngress({ spec }: NetworkPolicy): boolean {
  return spec?.policyTypes === undefined || spec.policyTypes.includes("Ingress");
}

/** One in the network of its node is not what a policy is about, and one that has ended has given its address back. */
function isConcerned({ spec, status }: Pod): boolean {
  return spec?.hostNetwork !== true && status?.phase !== "Succeeded" && status?.phase !== "Failed";
}

function addressesOf({ status }: Pod): readonly string[] {
  return (status?.podIPs ?? []).flatMap(({ ip }) => canonicalAddress(ip ?? "") ?? []);
}

/** Whoever a rule of any of them lets through. */
function allowedBy(
  policies: readonly NetworkPolicy[],
  isThisPort: (filter: NetworkPolicyPort) => boolean,
): AddressRanges {
  const rules = policies
    .flatMap(({ spec }) => spec?.ingress ?? [])
    .filter(({ ports }) => (ports ?? []).length === 0 || (ports ?? []).some(isThisPort));
  return rules.some(({ from }) => (from ?? []).length === 0) ? "any" : rules.flatMap(rangesOf);
}

function rangesOf({ from }: NetworkPolicyRule): readonly AddressRange[] {
  return (from ?? []).flatMap(({ ipBlock }) => {
    const range = addressRange(ipBlock?.cidr ?? "");
    const taken = (ipBlock?.except ?? []).flatMap((text) => addressRange(text) ?? []);
    return taken.reduce<readonly AddressRange[]>(
      (left, one) => left.flatMap((part) => without(part, one)),
      range === undefined ? [] : [range],
    );
  });
}

function matches(filter: NetworkPolicyPort, pod: Pod, port: number, protocol: Protocol): boolean {
  if ((filter.protocol ?? "TCP") !== protocol) return false;
  if (typeof filter.port === "string") return isNamed(pod, filter.port, port, protocol);
  return filter.port === undefined || (port >= filter.port && port <= (filter.endPort ?? filter.port));
}

function isNamed({ spec }: Pod, name: string, port: number, protocol: Protocol): boolean {
  const own = (spec?.containers ?? []).flatMap(({ ports = [] }) => ports);
  return own.some((one) => one.name === name && one.containerPort === port && (one.protocol ?? "TCP") === protocol);
}
