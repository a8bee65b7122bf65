// What the server itself puts into a Service: addresses, families, node ports; kept over updates, given back when the type
// changes. Only fills what is free to choose; whether a requested value can be had is for validation to say.

import type { Json, JsonObject } from "../json.ts";
import { objectsAt, stringsAt } from "../json-lists.ts";
import { objectAt, sameJson, stringAt } from "../schema/json-value.ts";
import type { Family, ServiceRanges } from "./service-ranges.ts";

type Fields = Record<string, Json | undefined>;

export function allocate(ranges: ServiceRanges, service: JsonObject, old: JsonObject | undefined): JsonObject {
  const before = old === undefined ? undefined : objectAt(old, "spec");
  const uid = stringAt(objectAt(service, "metadata"), "uid");
  const spec: Fields = { ...objectAt(service, "spec") };
  normalizeAddresses(spec, before);
  if (before !== undefined) {
    keepAllocated(spec, before);
    dropWithType(spec, before);
  }
  if (needsAddress(spec)) assignAddresses(ranges, spec, uid);
  if (wantsNodePorts(spec) || wantsHealthPort(spec)) assignPorts(ranges, spec, uid);
  return { ...service, spec, status: statusFor(service, spec) };
}

export function needsAddress(spec: JsonObject): boolean {
  return stringAt(spec, "type") !== "ExternalName";
}

export function needsNodePorts(spec: JsonObject): boolean {
  return ["NodePort", "LoadBalancer"].includes(stringAt(spec, "type"));
}

/** From outside the cluster. */
export function isReachable(spec: JsonObject): boolean {
  return needsNodePorts(spec) || (stringAt(spec, "type") === "ClusterIP" && stringsAt(spec, "externalIPs").length > 0);
}

export function wantsHealthPort(spec: JsonObject): boolean {
  return stringAt(spec, "type") === "LoadBalancer" && stringAt(spec, "externalTrafficPolicy") === "Local";
}

export function isHeadless(spec: JsonObject): boolean {
  return stringAt(spec, "clusterIP") === "None";
}

function wantsNodePorts(spec: JsonObject): boolean {
  return needsNodePorts(spec) && spec["allocateLoadBalancerNodePorts"] !== false;
}

// `clusterIP` and the first of `clusterIPs` are one value; a client that knows only one of them may change that one.
function normalizeAddresses(spec: Fields, before: JsonObject | undefined): void {
  const single = stringAt(spec, "clusterIP");
  const list = stringsAt(spec, "clusterIPs");
  if (before === undefined) {
    if (single !== "" && list.length === 0) spec["clusterIPs"] = [single];
    return;
  }
  const singleChanged = single !== stringAt(before, "clusterIP");
  const listChanged = !sameJson([...list], [...stringsAt(before, "clusterIPs")]);
  if (singleChanged && !listChanged)
    setField(spec, "clusterIPs", single === "" ? undefined : [single, ...list.slice(1)]);
  if (!singleChanged && listChanged && list.length === 0) setField(spec, "clusterIP", undefined);
}

function keepAllocated(spec: Fields, before: JsonObject): void {
  if (needsAddress(spec) && needsAddress(before)) {
    for (const field of ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"]) {
      if (isUnset(spec[field])) setField(spec, field, before[field]);
    }
  }
  if (needsNodePorts(spec) && needsNodePorts(before)) {
    const earlier = objectsAt(before, "ports");
    spec["ports"] = objectsAt(spec, "ports").map((port) => {
      const same = earlier.find((other) => other["port"] === port["port"] && other["protocol"] === port["protocol"]);
      return isUnset(port["nodePort"]) && same?.["nodePort"] !== undefined
        ? { ...port, nodePort: same["nodePort"] }
        : port;
    });
  }
  if (wantsHealthPort(spec) && wantsHealthPort(before) && isUnset(spec["healthCheckNodePort"])) {
    setField(spec, "healthCheckNodePort", before["healthCheckNodePort"]);
  }
}

// A field that made sense for the old type only goes with it, unless this very write changes it.
function dropWithType(spec: Fields, before: JsonObject): void {
  const drop = (...fields: readonly string[]): void => {
    for (const field of fields) if (sameJson(spec[field], before[field])) delete spec[field];
  };
  if (needsAddress(before) && !needsAddress(spec))
    drop("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy");
  if (needsNodePorts(before) && !needsNodePorts(spec)) {
    const earlier = objectsAt(before, "ports").map((port) => port["nodePort"]);
    const ports = objectsAt(spec, "ports");
    if (ports.every((port) => port["nodePort"] === undefined || earlier.includes(port["nodePort"]))) {
      spec["ports"] = ports.map(({ nodePort: _released, ...port }) => port);
    }
  }
  if (isReachable(before) && !isReachable(spec)) drop("externalTrafficPolicy");
  if (wantsHealthPort(before) && !wantsHealthPort(spec)) drop("healthCheckNodePort");
  if (before["type"] === "LoadBalancer" && spec["type"] !== "LoadBalancer")
    drop("allocateLoadBalancerNodePorts", "loadBalancerClass");
}

function assignAddresses(ranges: ServiceRanges, spec: Fields, uid: string): void {
  const families = assignFamilies(ranges, spec);
  if (isHeadless(spec)) return;
  const given = stringsAt(spec, "clusterIPs");
  const isTaken = (address: string): boolean => ranges.isTaken(address, uid);
  const addresses = families.map((family, index) => given[index] ?? ranges.pickAddress(family, isTaken));
  if (addresses.some((address) => address === undefined)) return;
  spec["clusterIPs"] = addresses.filter((address) => address !== undefined);
  setField(spec, "clusterIP", stringsAt(spec, "clusterIPs")[0]);
}

function assignFamilies(ranges: ServiceRanges, spec: Fields): readonly Family[] {
  const asked = stringsAt(spec, "ipFamilies").filter((word): word is Family => word === "IPv4" || word === "IPv6");
  const selectorless = isHeadless(spec) && Object.keys(objectAt(spec, "selector")).length === 0;
  if (isUnset(spec["ipFamilyPolicy"])) {
    const dual = asked.length === 2 || (selectorless && asked.length === 0);
    spec["ipFamilyPolicy"] = dual ? "RequireDualStack" : "SingleStack";
  }
  const first = asked[0] ?? familyOf(stringsAt(spec, "clusterIPs")[0]) ?? ranges.families[0] ?? "IPv4";
  const second: Family = asked[1] ?? (first === "IPv4" ? "IPv6" : "IPv4");
  const single =
    spec["ipFamilyPolicy"] === "SingleStack" ||
    (spec["ipFamilyPolicy"] === "PreferDualStack" && ranges.families.length < 2);
  // A headless Service without a selector may name families the cluster lacks: nothing is allocated for it.
  const wanted = single && asked.length < 2 ? [first] : [first, second];
  if (spec["ipFamilies"] === undefined || asked.length > 0) spec["ipFamilies"] = wanted;
  return wanted;
}

function familyOf(address: string | undefined): Family | undefined {
  if (address === undefined || address === "None") return undefined;
  return address.includes(":") ? "IPv6" : "IPv4";
}

// One port number served over TCP and UDP shares one node port.
function assignPorts(ranges: ServiceRanges, spec: Fields, uid: string): void {
  const ports = objectsAt(spec, "ports");
  const taken = new Set<number>();
  for (const port of ports) if (typeof port["nodePort"] === "number") taken.add(port["nodePort"]);
  if (typeof spec["healthCheckNodePort"] === "number") taken.add(spec["healthCheckNodePort"]);
  const byPort = new Map(
    ports.filter(({ nodePort }) => !isUnset(nodePort)).map(({ port, nodePort }) => [port, nodePort]),
  );
  const next = (): number | undefined => {
    const picked = ranges.pickPort((port) => taken.has(port) || ranges.isTaken(port, uid));
    if (picked !== undefined) taken.add(picked);
    return picked;
  };
  if (wantsNodePorts(spec)) {
    spec["ports"] = ports.map((port) => {
      if (!isUnset(port["nodePort"])) return port;
      const nodePort = byPort.get(port["port"]) ?? next();
      byPort.set(port["port"], nodePort);
      return nodePort === undefined ? port : { ...port, nodePort };
    });
  }
  if (wantsHealthPort(spec) && isUnset(spec["healthCheckNodePort"])) setField(spec, "healthCheckNodePort", next());
}

function statusFor(service: JsonObject, spec: JsonObject): JsonObject {
  const status = objectAt(service, "status");
  const keeps = stringAt(spec, "type") === "LoadBalancer" || service["status"] === undefined;
  return { ...status, loadBalancer: keeps ? objectAt(status, "loadBalancer") : {} };
}

function isUnset(value: Json | undefined): boolean {
  return value === undefined || value === "" || value === 0 || (Array.isArray(value) && value.length === 0);
}

function setField(spec: Fields, field: string, value: Json | undefined): void {
  if (value === undefined) delete spec[field];
  else spec[field] = value;
}
