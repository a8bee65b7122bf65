// What is wrong with a GatewayPool or a change of one, all of it at once. It repeats what the API server checks by itself, because the
// definition may be older than this program. What needs numbers of addresses or other pools is in core/pools.

import { isAddress } from "../../../apis/text/address-text.ts";
import type { Problem } from "../../../apis/text/problem.ts";
import { sourceProblems } from "./address-source-validation.ts";
import { isUuid, missing, repeated, wrong } from "./field-problems.ts";
import {
  backendLayers,
  clientAddressModes,
  type GatewayPool,
  type PoolLimits,
  sharingPolicies,
} from "./gateway-pool.ts";
import { vrrpChangeProblems, vrrpProblems } from "./vrrp-validation.ts";

const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const agentUrl = /^https?:\/\/[^/?#\s]+(\/[^?#\s]*)?$/;
/** As Kubernetes demands it of a Service's class. */
const className = /^([a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([-._A-Za-z0-9]{0,61}[A-Za-z0-9])?$/;
const clusterId = /^[A-Za-z0-9][-._A-Za-z0-9]{0,99}$/;

export function gatewayPoolProblems({ spec = {} }: GatewayPool): readonly Problem[] {
  return [
    ...gatewayProblems(spec.gateways ?? []),
    ...sourceProblems(spec.addresses, "spec.addresses"),
    ...choice(spec.backendLayer, backendLayers, "spec.backendLayer"),
    ...choice(spec.sharing, sharingPolicies, "spec.sharing"),
    ...choice(spec.clientAddress, clientAddressModes, "spec.clientAddress"),
    ...choice(spec.withoutEndpoints, ["Reject", "Drop"], "spec.withoutEndpoints"),
    ...vrrpProblems(spec),
    ...pattern(spec.loadBalancerClass, className, "spec.loadBalancerClass", "a class", "Write it as example.com/name."),
    ...limitProblems(spec.limits),
    ...pattern(
      spec.clusterID,
      clusterId,
      "spec.clusterID",
      "an id",
      "Use letters, digits, dots, dashes and underscores, at most 100, or leave it out.",
    ),
  ];
}

export function gatewayPoolUpdateProblems(before: GatewayPool, after: GatewayPool): readonly Problem[] {
  const [was, is] = [before.spec ?? {}, after.spec ?? {}];
  const found: Problem[] = [...vrrpChangeProblems(was.vrrp, is.vrrp)];
  if (was.clusterID !== is.clusterID) {
    const hint = "What is in Neutron bears it. Make another pool.";
    found.push({ where: "spec.clusterID", message: "it cannot change", hint });
  }
  const [region, wanted] = [was, is].map(({ addresses }) => addresses?.neutron?.identityRef?.region);
  if (was.addresses?.neutron !== undefined && is.addresses?.neutron !== undefined && region !== wanted) {
    const hint = "Addresses cannot move to another region. Make another pool.";
    found.push({ where: "spec.addresses.neutron.identityRef.region", message: "it cannot change", hint });
  }
  return found;
}

function gatewayProblems(gateways: NonNullable<GatewayPool["spec"]>["gateways"] & {}): readonly Problem[] {
  const at = "spec.gateways";
  if (gateways.length === 0) return [{ where: at, message: "it is empty", hint: "Name at least one gateway." }];
  const withAddress = gateways.filter(({ vrrpAddress }) => vrrpAddress !== undefined).length;
  const mixed = withAddress > 0 && withAddress < gateways.length;
  const own = gateways.flatMap(({ name, url, externalPortID, internalPortID, vrrpAddress }, i) => [
    ...pattern(name, label, `${at}[${i}].name`, "a name", "Use lower-case letters, digits and dashes, at most 63."),
    ...(name ? [] : [missing(`${at}[${i}].name`, "Name the gateway as its agent calls itself.")]),
    ...pattern(url, agentUrl, `${at}[${i}].url`, "a URL of http or https", "Write it as https://gw1.example.com:8443."),
    ...(url ? [] : [missing(`${at}[${i}].url`, "Say where its agent answers.")]),
    ...portProblems(externalPortID, `${at}[${i}].externalPortID`),
    ...portProblems(internalPortID, `${at}[${i}].internalPortID`),
    ...(vrrpAddress === undefined || isAddress(vrrpAddress)
      ? []
      : [wrong(`${at}[${i}].vrrpAddress`, vrrpAddress, "an address", "Write the gateway's own address.")]),
  ]);
  return [
    ...own,
    ...(["name", "url", "externalPortID", "vrrpAddress"] as const).flatMap((field) =>
      repeated(
        gateways.map((gateway) => gateway[field]),
        (i) => `${at}[${i}].${field}`,
      ),
    ),
    ...(mixed
      ? [{ where: at, message: "vrrpAddress is set on some gateways", hint: "Set it on all or on none." }]
      : []),
  ];
}

function portProblems(id: string | undefined, where: string): readonly Problem[] {
  return id === undefined || isUuid(id) ? [] : [wrong(where, id, "a UUID", "Copy the id of the gateway's port.")];
}

function limitProblems(limits: PoolLimits | undefined): readonly Problem[] {
  return (["addresses", "servicesPerNamespace"] as const).flatMap((name) => {
    const value = limits?.[name];
    if (value === undefined || (Number.isSafeInteger(value) && value >= 1)) return [];
    return [wrong(`spec.limits.${name}`, value, "a number from 1", "Use a number from 1, or leave it out.")];
  });
}

function choice(value: string | undefined, known: readonly string[], where: string): readonly Problem[] {
  if (value === undefined || known.includes(value)) return [];
  return [wrong(where, value, "known", `Use one of ${known.join(", ")}.`)];
}

function pattern(
  value: string | undefined,
  expected: RegExp,
  where: string,
  what: string,
  hint: string,
): readonly Problem[] {
  return value === undefined || value === "" || expected.test(value) ? [] : [wrong(where, value, what, hint)];
}
