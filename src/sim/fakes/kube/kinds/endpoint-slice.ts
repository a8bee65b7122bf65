// EndpointSlices: an address family that never changes, addresses of that family, ports with names unlike each other.

import ipaddr from "ipaddr.js";
import type { FieldCause } from "../../../../core/kube-error.ts";
import { duplicate, immutableField, invalid, notSupported, required } from "../field-cause.ts";
import type { JsonObject } from "../json.ts";
import { objectsAt, stringsAt } from "../json-lists.ts";
import type { ResourceStrategy } from "../resource.ts";
import { labelProblems, qualifiedNameProblems, subdomainProblems } from "../rest/name-rules.ts";
import { objectAt, sameJson, stringAt } from "../schema/json-value.ts";
import { ipRule, isIp, unreachableCauses } from "./service-validation.ts";

const addressTypes = ["FQDN", "IPv4", "IPv6"];
const protocols = ["SCTP", "TCP", "UDP"];

export const endpointSliceStrategy: ResourceStrategy = {
  tracksGeneration: true,
  defaults: (slice) => ({
    ...slice,
    endpoints:
      slice["endpoints"] === undefined
        ? null
        : objectsAt(slice, "endpoints").map((endpoint) => ({
            ...endpoint,
            conditions: objectAt(endpoint, "conditions"),
          })),
    ports:
      slice["ports"] === undefined
        ? null
        : objectsAt(slice, "ports").map((port) => ({
            ...port,
            name: stringAt(port, "name"),
            protocol: stringAt(port, "protocol") || "TCP",
          })),
  }),
  validate: (slice, old) => {
    const type = stringAt(slice, "addressType");
    const sameEndpoints = old !== undefined && sameJson(old["endpoints"], slice["endpoints"]);
    return [
      ...(type === "" ? [required("addressType")] : []),
      ...(type === "" || addressTypes.includes(type) ? [] : [notSupported("addressType", type, addressTypes)]),
      ...portCauses(objectsAt(slice, "ports")),
      ...(sameEndpoints ? [] : objectsAt(slice, "endpoints").flatMap((one, index) => endpointCauses(one, index, type))),
      ...(old !== undefined && type !== old["addressType"] ? [immutableField("addressType", type)] : []),
    ];
  },
  warnings: (slice, old) =>
    old === undefined && slice["addressType"] === "FQDN" ? ["spec.addressType: FQDN endpoints are deprecated"] : [],
};

function portCauses(ports: readonly JsonObject[]): readonly FieldCause[] {
  const names = ports.map((port) => stringAt(port, "name"));
  return ports.flatMap((port, index) => {
    const at = `ports[${index}]`;
    const name = names[index] ?? "";
    const protocol = stringAt(port, "protocol");
    const application = port["appProtocol"] === undefined ? undefined : stringAt(port, "appProtocol");
    return [
      ...(name === "" ? [] : labelProblems(name).map((why) => invalid(`${at}.name`, name, why))),
      ...(names.indexOf(name) < index ? [duplicate(`${at}.name`, name)] : []),
      ...(protocols.includes(protocol) ? [] : [notSupported(`${at}.protocol`, protocol, protocols)]),
      ...(application === undefined ? [] : qualifiedNameProblems(application)).map((why) =>
        invalid(`${at}.appProtocol`, application, why),
      ),
    ];
  });
}

function endpointCauses(endpoint: JsonObject, index: number, type: string): readonly FieldCause[] {
  const at = `endpoints[${index}]`;
  const addresses = stringsAt(endpoint, "addresses");
  const named = (field: string, problems: (name: string) => readonly string[]) => {
    const name = endpoint[field];
    return typeof name === "string" ? problems(name).map((why) => invalid(`${at}.${field}`, name, why)) : [];
  };
  return [
    ...(addresses.length === 0 ? [required(`${at}.addresses`, "must contain at least 1 address")] : []),
    ...addresses.flatMap((address, position) => addressCauses(address, type, `${at}.addresses`, position)),
    ...named("nodeName", subdomainProblems),
    ...named("hostname", labelProblems),
  ];
}

function addressCauses(address: string, type: string, list: string, position: number): readonly FieldCause[] {
  const at = `${list}[${position}]`;
  if (type === "FQDN") return subdomainProblems(address).map((why) => invalid(at, address, why));
  if (!addressTypes.includes(type)) return [];
  if (!isIp(address)) return [invalid(at, address, ipRule)];
  const fits = ipaddr.parse(address).kind() === type.toLowerCase();
  return [
    // The list as a whole is to blame, says the server.
    ...(fits ? [] : [invalid(list, address, `must be an ${type} address`)]),
    ...unreachableCauses(address, at),
  ];
}
