// What is wrong with the block that both doors share, all of it at once. It repeats what the API server checks by itself, because
// the definition may be older than this program, and adds what a schema cannot say. What needs Neutron is the controller's.

import { isTagText } from "../../../../apis/openstack/tag-text.ts";
import { isAddress, isAddressOrRange } from "../../../../apis/text/address-text.ts";
import { isDnsName } from "../../../../apis/text/dns-name.ts";
import { sameJson } from "../../../../apis/text/json-path.ts";
import { isRecord, type Problem, quote } from "../../../../apis/text/problem.ts";
import {
  type ApiServerLoadBalancer,
  type ControlPlaneEndpoint,
  type IdentityRef,
  mappingsOf,
  maxMonitorSeconds,
  maxZoneLength,
  type Param,
} from "./api-server-load-balancer.ts";
import { misspeltFieldProblems } from "./unknown-fields.ts";

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** `at`: where the block is, such as `spec.apiServerLoadBalancer`. */
export function blockProblems(block: ApiServerLoadBalancer | undefined, at: string): readonly Problem[] {
  if (block === undefined) return [];
  const { network, subnets = [], additionalPorts = [], monitor, allowedCIDRs = [] } = block;
  return [
    ...paramProblems(network, `${at}.network`, "network"),
    ...subnets.flatMap((subnet, i) => paramProblems(subnet, `${at}.subnets[${i}]`, "subnet")),
    ...mappingProblems(block, at),
    ...additionalPorts.flatMap((port, i) => portProblems(port, 1, `${at}.additionalPorts[${i}]`)),
    ...monitorProblems(monitor, `${at}.monitor`),
    ...cidrProblems(allowedCIDRs, `${at}.allowedCIDRs`),
    ...misspeltFieldProblems(block, at),
  ];
}

function mappingProblems(block: ApiServerLoadBalancer, at: string): readonly Problem[] {
  const mappings = mappingsOf(block);
  if (mappings.length === 0) return [];
  const path = `${at}.availabilityZoneSubnets`;
  const found: Problem[] = [];
  if (block.network === undefined) {
    const hint = "Name the network that all mapped subnets belong to.";
    found.push({ where: `${at}.network`, message: "it is required with availabilityZoneSubnets", hint });
  }
  for (const [i, { availabilityZone, subnet }] of mappings.entries()) {
    const earlier = mappings.slice(0, i);
    if (typeof availabilityZone !== "string" || availabilityZone === "") {
      found.push({ where: `${path}[${i}].availabilityZone`, message: "it is not set", hint: "Name the zone." });
    } else if (!isZoneName(availabilityZone)) {
      const hint = `Write its name as failure domains have it: no space around it, at most ${maxZoneLength} characters, none of four bytes.`;
      found.push({
        where: `${path}[${i}].availabilityZone`,
        message: `${quote(availabilityZone)} is no zone's name`,
        hint,
      });
    } else if (earlier.some((one) => one.availabilityZone === availabilityZone)) {
      const hint = "Map each zone once.";
      found.push({
        where: `${path}[${i}].availabilityZone`,
        message: `${quote(availabilityZone)} is mapped twice`,
        hint,
      });
    }
    const withSameSubnet = earlier.find((one) => sameJson(one.subnet, subnet));
    if (withSameSubnet !== undefined) {
      const message = `${quote(subnet)} is the subnet of ${quote(withSameSubnet.availabilityZone)} too`;
      found.push({ where: `${path}[${i}].subnet`, message, hint: "Give each zone a subnet of its own." });
    }
    found.push(...requiredParam(subnet, `${path}[${i}].subnet`, "subnet"));
  }
  return found;
}

/** It stands in a tag. */
function isZoneName(name: string): boolean {
  return name.trim() === name && name.length <= maxZoneLength && isTagText(name);
}

/** With one balancer per zone there is no single address that could be the endpoint, so a name must be. */
export function endpointProblems(
  endpoint: ControlPlaneEndpoint | undefined,
  block: ApiServerLoadBalancer | undefined,
  at: string,
): readonly Problem[] {
  const { host = "", port = 0 } = endpoint ?? {};
  const problems = portProblems(port, 0, `${at}.port`);
  if (mappingsOf(block).length === 0) return problems;
  const hint = "Set a DNS name that will have one record for each zone's address.";
  if (host === "")
    return [...problems, { where: `${at}.host`, message: "it is required with availabilityZoneSubnets", hint }];
  if (isDnsName(host)) return problems;
  const what = isAddress(host.replace(/^\[|\]$|%.*$/g, "")) ? "is an address, not a DNS name" : "is not a DNS name";
  return [...problems, { where: `${at}.host`, message: `${quote(host)} ${what}`, hint }];
}

export function requiredParam(param: Param<unknown> | undefined, where: string, what: string): readonly Problem[] {
  if (param !== undefined) return paramProblems(param, where, what);
  return [{ where, message: "it is not set", hint: `Name the ${what} by id or by filter.` }];
}

export function paramProblems(param: Param<unknown> | undefined, where: string, what: string): readonly Problem[] {
  if (param === undefined) return [];
  const { id, filter } = param;
  if ((id === undefined) === (filter === undefined)) {
    const message = id === undefined ? "neither id nor filter is set" : "both id and filter are set";
    return [{ where, message, hint: `Name the ${what} by exactly one of them.` }];
  }
  if (id !== undefined && !uuid.test(id)) {
    return [
      {
        where: `${where}.id`,
        message: `${quote(id)} is not a UUID`,
        hint: `Copy the id of the ${what}, or use a filter.`,
      },
    ];
  }
  if (filter === undefined) return [];
  const isEmpty = !isRecord(filter) || Object.keys(filter).length === 0;
  if (isEmpty) return [{ where: `${where}.filter`, message: "it is empty", hint: "Say what to look for." }];
  return tagProblems(filter, `${where}.filter`);
}

function tagProblems(filter: Readonly<Record<string, unknown>>, where: string): readonly Problem[] {
  return ["tags", "tagsAny", "notTags", "notTagsAny"].flatMap((name) => {
    const tags: unknown = filter[name];
    const wrong = Array.isArray(tags)
      ? tags.filter((tag) => typeof tag !== "string" || tag === "" || tag.includes(","))
      : [];
    const hint = "Use tags that are not empty and have no comma.";
    return wrong.map((tag) => ({ where: `${where}.${name}`, message: `${quote(tag)} is not a tag`, hint }));
  });
}

export function portProblems(port: number | undefined, lowest: number, where: string): readonly Problem[] {
  if (port === undefined || (Number.isInteger(port) && port >= lowest && port <= 65_535)) return [];
  return [{ where, message: `${quote(port)} is not a port`, hint: `Use a number from ${lowest} to 65535.` }];
}

const monitorRanges = {
  delay: [0, maxMonitorSeconds],
  timeout: [0, maxMonitorSeconds],
  maxRetries: [0, 10],
  maxRetriesDown: [0, 10],
} as const;

function monitorProblems(monitor: ApiServerLoadBalancer["monitor"], at: string): readonly Problem[] {
  return Object.entries(monitorRanges).flatMap(([name, [lowest, highest]]) => {
    const value = monitor?.[name as keyof typeof monitorRanges];
    if (value === undefined || (Number.isInteger(value) && value >= lowest && value <= highest)) return [];
    const hint =
      highest === 10
        ? "Use a number from 1 to 10, or leave it out."
        : `Use at most ${highest} seconds, or leave it out.`;
    return [{ where: `${at}.${name}`, message: `${quote(value)} is out of range`, hint }];
  });
}

/** One bad entry is left out with a warning. A list without a good one would let everybody in, which nobody meant who wrote it. */
function cidrProblems(cidrs: readonly string[], where: string): readonly Problem[] {
  if (cidrs.length === 0 || cidrs.some(isAddressOrRange)) return [];
  const message = `none of ${quote(cidrs)} is an address or a range, and an empty list admits everybody`;
  return [{ where, message, hint: "Write entries such as 192.0.2.0/24, or remove the list." }];
}

export function identityProblems(identity: IdentityRef | undefined, at: string): readonly Problem[] {
  const hint = "Name the Secret that holds clouds.yaml, and the entry in it.";
  if (identity === undefined) return [{ where: at, message: "it is not set", hint }];
  const { type = "Secret", name, cloudName } = identity;
  return [
    ...(!name ? [{ where: `${at}.name`, message: "it is not set", hint }] : []),
    ...(!cloudName ? [{ where: `${at}.cloudName`, message: "it is not set", hint }] : []),
    ...(type === "Secret" || type === "ClusterIdentity"
      ? []
      : [
          {
            where: `${at}.type`,
            message: `${quote(type)} is no kind of identity`,
            hint: "Use Secret or ClusterIdentity.",
          },
        ]),
  ];
}

export function addressProblems(address: string | undefined, where: string): readonly Problem[] {
  if (address === undefined || address === "" || isAddress(address)) return [];
  return [
    { where, message: `${quote(address)} is not an address`, hint: "Write an IPv4 or IPv6 address, or leave it out." },
  ];
}
