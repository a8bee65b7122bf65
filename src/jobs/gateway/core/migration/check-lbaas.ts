// Whether a cluster can switch from ch-k8s-lbaas with these Services, ports and agents, and what people have to know before. Pure: others
// have asked the cluster, the cloud and the agents.

import { isInside, sameAddress } from "../../../../core/net/ip.ts";
import type { Port } from "../../../../core/openstack/neutron-objects.ts";
import { addressRecord, referenceManagedAnnotation, referencePortAnnotation } from "../../apis/annotations.ts";
import type { GatewayPool } from "../../apis/gateway-pool.ts";
import { gatewayPoolProblems } from "../../apis/gateway-pool-validation.ts";
import type { Service } from "../../apis/kube-objects.ts";
import { lbaasTag } from "../situation/marks.ts";

export interface SwitchFinding {
  readonly check: string;
  readonly result: "ok" | "note" | "no" | "unknown";
  readonly says: string;
  readonly fix?: string;
}

/** What could be asked. Absent: nobody asked. */
export interface SwitchWorld {
  readonly services?: readonly Service[];
  readonly pools?: readonly GatewayPool[] | "not-served";
  /** By id: ports that Services and gateways name; undefined for one that is not there. */
  readonly ports?: ReadonlyMap<string, Port | undefined>;
  /** By gateway: the version of its agent, `v1` for one of ch-k8s-lbaas, or why nobody answers. */
  readonly agents?: ReadonlyMap<string, { readonly runs: string } | { readonly problem: string }>;
}

export function checkLbaas(pool: GatewayPool, notes: readonly string[], world: SwitchWorld): readonly SwitchFinding[] {
  return [
    ...poolFindings(pool, world),
    ...notes.map((says): SwitchFinding => ({ check: "configuration", result: "note", says })),
    ...serviceFindings(pool, world),
    ...portFindings(pool, world),
    ...agentFindings(pool, world),
  ];
}

function poolFindings(pool: GatewayPool, { pools }: SwitchWorld): readonly SwitchFinding[] {
  const check = "pool";
  const problems = gatewayPoolProblems(pool).map(
    ({ where, message, hint }): SwitchFinding => ({ check, result: "no", says: `${where} ${message}`, fix: hint }),
  );
  const sources = pool.spec?.vrrp?.groups?.[0]?.sourceAddresses ?? [];
  const withoutSource: readonly SwitchFinding[] =
    sources.length > 0
      ? []
      : [
          {
            check,
            result: "no",
            says: "no source address is chosen: with ch-k8s-lbaas endpoints see each gateway's own address, with Mainstay one that moves with the addresses, so that connections survive",
            fix: "Name free IPv4 addresses of the gateways' inner network with --source-address; four are best.",
          },
        ];
  const own = problems.filter(({ says }) => !says.includes("sourceAddresses"));
  const there =
    pools === "not-served" ? undefined : pools?.find(({ metadata }) => metadata.name === pool.metadata.name);
  return [
    ...withoutSource,
    ...own,
    ...(pools === "not-served"
      ? [
          {
            check,
            result: "no" as const,
            says: "this cluster does not know GatewayPools",
            fix: "Run mainstay crds install.",
          },
        ]
      : []),
    ...(there === undefined
      ? []
      : [{ check, result: "note" as const, says: `a GatewayPool ${pool.metadata.name} is there already` }]),
    ...(withoutSource.length + own.length === 0
      ? [{ check, result: "ok" as const, says: "it can be made as printed below" }]
      : []),
  ];
}

function serviceFindings(pool: GatewayPool, { services }: SwitchWorld): readonly SwitchFinding[] {
  if (services === undefined) return [];
  const check = "Services";
  const managed = services.filter(({ metadata }) => metadata.annotations?.[referenceManagedAnnotation] === "true");
  const recorded = managed.filter(({ metadata }) => metadata.annotations?.[referencePortAnnotation]);
  const of = (
    result: SwitchFinding["result"],
    list: readonly Service[],
    says: string,
    fix?: string,
  ): readonly SwitchFinding[] =>
    list.length === 0
      ? []
      : [{ check, result, says: `${named(list)}: ${says}`, ...(fix === undefined ? {} : { fix }) }];
  const withClass = managed.filter(({ spec }) => spec?.loadBalancerClass !== undefined);
  const optedOut = services.filter(
    ({ metadata }) =>
      metadata.annotations?.[referenceManagedAnnotation] === "false" && metadata.annotations[referencePortAnnotation],
  );
  const outside = recorded.filter((service) => !isInPool(service, pool));
  return [
    {
      check,
      result: "ok",
      says: `${managed.length} are managed by ch-k8s-lbaas; ${recorded.length} have an address on record, which stays`,
    },
    ...of(
      "no",
      withClass,
      "they have a loadBalancerClass, which ch-k8s-lbaas ignores and Mainstay obeys: they would lose their address",
      "Set loadBalancerClass of the pool to their class, or leave them to whoever that class is.",
    ),
    ...of(
      "note",
      managed.filter(({ spec }) => spec?.type !== "LoadBalancer"),
      "they are no LoadBalancers any more: Mainstay takes back what they have",
    ),
    ...of("note", optedOut, "they opted out and ch-k8s-lbaas still carries them: Mainstay releases them"),
    ...of(
      "no",
      outside,
      "the address on record is not in the pool's list",
      "Add it to static.ipv4-addresses before you print the pool.",
    ),
    ...of(
      "note",
      managed.filter(usesSourceRanges),
      "their loadBalancerSourceRanges were ignored, and are obeyed after the switch",
    ),
    ...of(
      "note",
      managed.filter(({ spec }) => (spec?.ports ?? []).some(({ protocol }) => protocol === "SCTP")),
      "SCTP, which stopped ch-k8s-lbaas altogether, is carried",
    ),
    ...of(
      "note",
      managed.filter(({ metadata }) => addressRecord(metadata.annotations).disagreement !== undefined),
      "Mainstay and ch-k8s-lbaas have recorded different addresses: Mainstay's counts",
    ),
  ];
}

function usesSourceRanges({ spec }: Service): boolean {
  return (spec?.loadBalancerSourceRanges ?? []).length > 0;
}

/** Only a list can be asked: what is in a subnet the cloud says. */
function isInPool({ metadata }: Service, { spec }: GatewayPool): boolean {
  const list = spec?.addresses?.static?.ipv4;
  const recorded = metadata.annotations?.[referencePortAnnotation] ?? "";
  return list === undefined || list.some((one) => sameAddress(one, recorded) || isInside(recorded, one));
}

function portFindings({ spec }: GatewayPool, { ports }: SwitchWorld): readonly SwitchFinding[] {
  if (ports === undefined) return [];
  const check = "ports";
  const subnet = spec?.addresses?.neutron?.subnets?.ipv4?.id;
  const ofGateways = new Set((spec?.gateways ?? []).flatMap(({ externalPortID }) => externalPortID ?? []));
  const own = [...ports].filter(([id]) => !ofGateways.has(id));
  const missing = [...ports].filter(([, port]) => port === undefined).map(([id]) => id);
  const untagged = own.filter(([, port]) => port !== undefined && !port.tags.includes(lbaasTag)).map(([id]) => id);
  const elsewhere = own
    .filter(([, port]) => port !== undefined && !port.fixedIps.some(({ subnetId }) => subnetId === subnet))
    .map(([id]) => id);
  const of = (list: readonly string[], says: string, fix: string): readonly SwitchFinding[] =>
    list.length === 0 ? [] : [{ check, result: "no", says: `${firstOf(list)}: ${says}`, fix }];
  const bad = [
    ...of(
      missing,
      "not in Neutron",
      "Services that name such a port get another address; gateways need theirs: correct port-id.",
    ),
    ...of(
      untagged,
      `without the tag of ch-k8s-lbaas, so that Mainstay does not take them over`,
      `Add the tag: openstack port set --tag ${lbaasTag} <port>.`,
    ),
    ...of(
      elsewhere,
      "not in the subnet of the pool",
      "Their Services get another address. Name their subnet, or make a second pool.",
    ),
  ];
  return bad.length > 0 ? bad : [{ check, result: "ok", says: `${ports.size} are in Neutron as Mainstay needs them` }];
}

function agentFindings({ spec }: GatewayPool, { agents }: SwitchWorld): readonly SwitchFinding[] {
  return (spec?.gateways ?? []).flatMap(({ name }): readonly SwitchFinding[] => {
    const answer = agents?.get(name);
    const check = `agent ${name}`;
    if (answer === undefined) return [];
    if ("problem" in answer) return [{ check, result: "unknown", says: answer.problem }];
    if (answer.runs === "v1")
      return [{ check, result: "ok", says: "runs ch-k8s-lbaas; Mainstay's controller can drive it" }];
    return [
      {
        check,
        result: "ok",
        says: `runs Mainstay's agent ${answer.runs}; ch-k8s-lbaas can drive it until Mainstay's controller has`,
      },
    ];
  });
}

function named(services: readonly Service[]): string {
  return firstOf(services.map(({ metadata: { namespace = "", name } }) => `${namespace}/${name}`));
}

function firstOf(names: readonly string[]): string {
  return names.length <= 3 ? names.join(", ") : `${names.slice(0, 2).join(", ")} and ${names.length - 2} more`;
}
