// EndpointSlices: an address family that never changes, addresses of that family.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { immutableField, invalid, notSupported, required } from "../field-cause.ts";
import type { JsonObject } from "../json.ts";
import { objectsAt, stringsAt } from "../json-lists.ts";
import type { ResourceStrategy } from "../resource.ts";
import { subdomainProblems } from "../rest/name-rules.ts";
import { stringAt } from "../schema/json-value.ts";
import { ipRule, isIp } from "./service-validation.ts";

const addressTypes = ["FQDN", "IPv4", "IPv6"];

export const endpointSliceStrategy: ResourceStrategy = {
  tracksGeneration: true,
  defaults: (slice) => ({
    ...slice,
    endpoints: slice["endpoints"] ?? null,
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
    if (old !== undefined && type !== old["addressType"]) return [immutableField("addressType", type)];
    if (type === "") return [required("addressType")];
    if (!addressTypes.includes(type)) return [notSupported("addressType", type, addressTypes)];
    return objectsAt(slice, "endpoints").flatMap((endpoint, index) => endpointCauses(endpoint, index, type));
  },
};

function endpointCauses(endpoint: JsonObject, index: number, type: string): readonly FieldCause[] {
  const addresses = stringsAt(endpoint, "addresses");
  const at = `endpoints[${index}].addresses`;
  if (addresses.length === 0) return [required(at, "must contain at least 1 address")];
  return addresses.flatMap((address, position) => {
    const here = `${at}[${position}]`;
    if (type === "FQDN") return subdomainProblems(address).map((why) => invalid(here, address, why));
    if (!isIp(address)) return [invalid(here, address, ipRule)];
    const fits = address.includes(":") === (type === "IPv6");
    return fits ? [] : [invalid(here, address, `must be an ${type} address`)];
  });
}
