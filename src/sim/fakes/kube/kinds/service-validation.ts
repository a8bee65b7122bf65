// What the API server refuses in a Service, field by field, in its words.

import ipaddr from "ipaddr.js";
import type { FieldCause } from "../../../../core/kube-error.ts";
import { duplicate, forbidden, invalid, notSupported, required } from "../field-cause.ts";
import type { JsonObject } from "../json.ts";
import { objectsAt, stringsAt } from "../json-lists.ts";
import { qualifiedNameProblems, subdomainProblems } from "../rest/name-rules.ts";
import { labelCauses } from "../rest/validate-metadata.ts";
import { objectAt, sameJson, stringAt } from "../schema/json-value.ts";
import { isReachable, needsAddress, wantsHealthPort } from "./service-allocation.ts";
import { portsCauses } from "./service-ports.ts";

const types = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const distributions = ["PreferClose", "PreferSameZone", "PreferSameNode"];
const onlyLoadBalancer = "may only be used when `type` is 'LoadBalancer'";
export const ipRule = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";

export function serviceCauses(service: JsonObject): readonly FieldCause[] {
  const spec = objectAt(service, "spec");
  return [
    ...portsCauses(spec),
    ...labelCauses(objectAt(spec, "selector"), "spec.selector"),
    ...affinityCauses(spec),
    ...stringsAt(spec, "externalIPs").flatMap((ip, i) =>
      isIp(ip) ? unreachableCauses(ip, `spec.externalIPs[${i}]`) : [invalid(`spec.externalIPs[${i}]`, ip, ipRule)],
    ),
    ...addressCauses(spec),
    ...typeCauses(spec),
    ...loadBalancerCauses(spec),
    ...trafficCauses(spec),
    ...ingressCauses(service, spec),
  ];
}

export function isIp(text: string): boolean {
  return ipaddr.isValid(text) && !/^\d+$/.test(text) && (text.includes(":") || text.split(".").length === 4);
}

const unreachable: Readonly<Record<string, string>> = {
  loopback: "may not be in the loopback range (127.0.0.0/8, ::1/128)",
  linkLocal: "may not be in the link-local range (169.254.0.0/16, fe80::/10)",
};

/** Addresses that mean something else on every machine. */
export function unreachableCauses(address: string, at: string): readonly FieldCause[] {
  const range = ipaddr.parse(address).range();
  const why = range === "unspecified" ? `may not be unspecified (${address})` : unreachable[range];
  return why === undefined ? [] : [invalid(at, address, why)];
}

function affinityCauses(spec: JsonObject): readonly FieldCause[] {
  const affinity = stringAt(spec, "sessionAffinity");
  if (affinity !== "None" && affinity !== "ClientIP")
    return [notSupported("spec.sessionAffinity", affinity, ["ClientIP", "None"])];
  const seconds = objectAt(objectAt(spec, "sessionAffinityConfig"), "clientIP")["timeoutSeconds"];
  if (affinity !== "ClientIP" || (typeof seconds === "number" && seconds > 0 && seconds <= 86_400)) return [];
  const at = "spec.sessionAffinityConfig.clientIP.timeoutSeconds";
  return [invalid(at, seconds, "must be greater than 0 and less than 86400")];
}

function addressCauses(spec: JsonObject): readonly FieldCause[] {
  const addresses = stringsAt(spec, "clusterIPs");
  const families = stringsAt(spec, "ipFamilies");
  const causes: FieldCause[] = [];
  if (needsAddress(spec) && stringAt(spec, "clusterIP") === "" && addresses.length > 0) {
    return [invalid("spec.clusterIPs", [...addresses], "must be empty when `clusterIP` is not specified")];
  }
  const type = stringAt(spec, "type");
  for (const [index, address] of addresses.entries()) {
    const at = `spec.clusterIPs[${index}]`;
    if (address === "None" && type !== "ClusterIP")
      causes.push(invalid(at, address, `may not be set to 'None' for ${type} services`));
    else if (address !== "None" && !isIp(address)) causes.push(invalid(at, address, ipRule));
    else if (
      address !== "None" &&
      families[index] !== undefined &&
      (families[index] === "IPv6") !== address.includes(":")
    ) {
      causes.push(
        invalid(at, address, `expected an ${families[index]} value as indicated by \`ipFamilies[${index}]\``),
      );
    }
  }
  for (const [index, family] of families.entries()) {
    if (families.indexOf(family) < index) causes.push(duplicate(`spec.ipFamilies[${index}]`, family));
  }
  const policies = ["PreferDualStack", "RequireDualStack", "SingleStack"];
  const policy = stringAt(spec, "ipFamilyPolicy");
  if (needsAddress(spec) && !policies.includes(policy))
    causes.push(notSupported("spec.ipFamilyPolicy", policy, policies));
  return causes;
}

function typeCauses(spec: JsonObject): readonly FieldCause[] {
  const type = stringAt(spec, "type");
  if (!types.includes(type)) return [notSupported("spec.type", type, types)];
  if (type !== "ExternalName") return [];
  const name = stringAt(spec, "externalName").replace(/\.$/, "");
  const causes: FieldCause[] = [];
  const cluster = stringAt(spec, "clusterIP");
  if (cluster !== "") causes.push(forbidden("spec.clusterIP", "may not be set when `type` is 'ExternalName'"));
  for (const field of ["ipFamilies", "ipFamilyPolicy"]) {
    if (spec[field] !== undefined) causes.push(forbidden(`spec.${field}`, "may not be set for ExternalName services"));
  }
  if (name === "") causes.push(required("spec.externalName"));
  else causes.push(...subdomainProblems(name).map((why) => invalid("spec.externalName", name, why)));
  return causes;
}

function loadBalancerCauses(spec: JsonObject): readonly FieldCause[] {
  const causes: FieldCause[] = [];
  const isLoadBalancer = stringAt(spec, "type") === "LoadBalancer";
  const ranges = stringsAt(spec, "loadBalancerSourceRanges");
  if (ranges.length > 0 && !isLoadBalancer) causes.push(forbidden("spec.LoadBalancerSourceRanges", onlyLoadBalancer));
  for (const [index, range] of ranges.entries()) {
    if (ipaddr.isValidCIDR(range.trim())) continue;
    causes.push(
      invalid(
        `spec.LoadBalancerSourceRanges[${index}]`,
        range,
        "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)",
      ),
    );
  }
  if (!isLoadBalancer && spec["allocateLoadBalancerNodePorts"] !== undefined) {
    causes.push(forbidden("spec.allocateLoadBalancerNodePorts", onlyLoadBalancer));
  }
  const className = stringAt(spec, "loadBalancerClass");
  const hasClass = spec["loadBalancerClass"] !== undefined;
  if (!isLoadBalancer && hasClass) causes.push(forbidden("spec.loadBalancerClass", onlyLoadBalancer));
  if (isLoadBalancer && hasClass) {
    causes.push(...qualifiedNameProblems(className).map((why) => invalid("spec.loadBalancerClass", className, why)));
  }
  return causes;
}

function trafficCauses(spec: JsonObject): readonly FieldCause[] {
  const causes: FieldCause[] = [];
  const external = stringAt(spec, "externalTrafficPolicy");
  const reachable = isReachable(spec);
  if (external !== "" && !reachable) {
    causes.push(invalid("spec.externalTrafficPolicy", external, "may only be set for externally-accessible services"));
  } else if (external !== "" && external !== "Local" && external !== "Cluster") {
    causes.push(notSupported("spec.externalTrafficPolicy", external, ["Cluster", "Local"]));
  }
  const healthPort = spec["healthCheckNodePort"];
  if (healthPort !== undefined && healthPort !== 0 && !wantsHealthPort(spec)) {
    const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    causes.push(invalid("spec.healthCheckNodePort", healthPort, why));
  }
  const internal = stringAt(spec, "internalTrafficPolicy");
  if (needsAddress(spec) && internal !== "Local" && internal !== "Cluster") {
    causes.push(notSupported("spec.internalTrafficPolicy", internal, ["Cluster", "Local"]));
  }
  const distribution = spec["trafficDistribution"];
  if (distribution !== undefined && !distributions.some((word) => word === distribution)) {
    causes.push(notSupported("spec.trafficDistribution", distribution, distributions));
  }
  return causes;
}

function ingressCauses(service: JsonObject, spec: JsonObject): readonly FieldCause[] {
  const ingress = objectsAt(objectAt(objectAt(service, "status"), "loadBalancer"), "ingress");
  const at = "status.loadBalancer.ingress";
  if (ingress.length === 0) return [];
  if (stringAt(spec, "type") !== "LoadBalancer")
    return [forbidden(at, "may only be used when `spec.type` is 'LoadBalancer'")];
  return ingress.flatMap((item, index) => {
    const ip = stringAt(item, "ip");
    const hostname = stringAt(item, "hostname");
    const causes: FieldCause[] = [];
    if (ip !== "" && !isIp(ip)) causes.push(invalid(`${at}[${index}].ip`, ip, ipRule));
    if (ip !== "" && item["ipMode"] === undefined)
      causes.push(required(`${at}[${index}].ipMode`, "must be specified when `ip` is set"));
    if (hostname !== "") {
      causes.push(...subdomainProblems(hostname).map((why) => invalid(`${at}[${index}].hostname`, hostname, why)));
      if (isIp(hostname))
        causes.push(invalid(`${at}[${index}].hostname`, hostname, "must be a DNS name, not an IP address"));
    }
    return causes;
  });
}

export function serviceUpdateCauses(service: JsonObject, old: JsonObject): readonly FieldCause[] {
  const spec = objectAt(service, "spec");
  const before = objectAt(old, "spec");
  const causes: FieldCause[] = [];
  const addresses = stringsAt(spec, "clusterIPs");
  const earlier = stringsAt(before, "clusterIPs");
  if (needsAddress(spec) && needsAddress(before) && earlier[0] !== undefined && addresses[0] !== earlier[0]) {
    causes.push(invalid("spec.clusterIPs[0]", [...addresses], "may not change once set"));
  }
  const wasLoadBalancer = stringAt(before, "type") === "LoadBalancer" && stringAt(spec, "type") === "LoadBalancer";
  if (wasLoadBalancer && !sameJson(spec["loadBalancerClass"], before["loadBalancerClass"])) {
    causes.push(invalid("spec.loadBalancerClass", spec["loadBalancerClass"], "may not change once set"));
  }
  if (
    wantsHealthPort(spec) &&
    wantsHealthPort(before) &&
    !sameJson(spec["healthCheckNodePort"], before["healthCheckNodePort"])
  ) {
    causes.push(forbidden("spec.healthCheckNodePort", "field is immutable"));
  }
  return causes;
}
