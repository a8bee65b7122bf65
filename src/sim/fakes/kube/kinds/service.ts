// Services: addresses and node ports are allocated, kept, and given back; requests for taken ones are refused.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { invalid } from "../field-cause.ts";
import type { JsonObject } from "../json.ts";
import { objectsAt, stringsAt } from "../json-lists.ts";
import type { ResourceStrategy } from "../resource.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import { allocate, isHeadless, needsAddress, needsNodePorts } from "./service-allocation.ts";
import { serviceDefaults } from "./service-defaults.ts";
import { nodePortsOf, type ServiceRanges } from "./service-ranges.ts";
import { isIp, serviceCauses, serviceUpdateCauses } from "./service-validation.ts";
import { serviceWarnings } from "./service-warnings.ts";

export function serviceStrategy(ranges: ServiceRanges): ResourceStrategy {
  return {
    defaults: serviceDefaults,
    returnsDeleted: true,
    createsOnUpdate: true,
    warnings: serviceWarnings,
    prepare: (service, old, { subresource }) => (subresource === "status" ? service : allocate(ranges, service, old)),
    validate: (service, old) => {
      const causes = [...(old === undefined ? [] : serviceUpdateCauses(service, old)), ...serviceCauses(service)];
      const refused = allocationCauses(ranges, service, old);
      // A new Service is given its addresses before anything else is looked at, one that changes only when all is well.
      if (old === undefined && refused.length > 0) return refused;
      return causes.length > 0 ? causes : refused;
    },
    selectableFields: (service) => ({
      "spec.clusterIP": stringAt(objectAt(service, "spec"), "clusterIP"),
      "spec.type": stringAt(objectAt(service, "spec"), "type"),
    }),
  };
}

function allocationCauses(
  ranges: ServiceRanges,
  service: JsonObject,
  old: JsonObject | undefined,
): readonly FieldCause[] {
  const spec = objectAt(service, "spec");
  const uid = stringAt(objectAt(service, "metadata"), "uid");
  const families = familyCauses(ranges, spec);
  if (families.length > 0) return families;
  const addresses = addressCauses(ranges, spec, uid);
  if (addresses.length > 0) return addresses;
  return needsNodePorts(spec) ? portCauses(ranges, spec, uid, old) : [];
}

function familyCauses(ranges: ServiceRanges, spec: JsonObject): readonly FieldCause[] {
  if (!needsAddress(spec)) return [];
  const selectorless = isHeadless(spec) && Object.keys(objectAt(spec, "selector")).length === 0;
  if (selectorless) return [];
  if (spec["ipFamilyPolicy"] === "RequireDualStack" && ranges.families.length < 2) {
    return [
      invalid("spec.ipFamilyPolicy", "RequireDualStack", "this cluster is not configured for dual-stack services"),
    ];
  }
  return stringsAt(spec, "ipFamilies").flatMap((family, index) =>
    ranges.families.some((known) => known === family)
      ? []
      : [invalid(`spec.ipFamilies[${index}]`, family, "not configured on this cluster")],
  );
}

function addressCauses(ranges: ServiceRanges, spec: JsonObject, uid: string): readonly FieldCause[] {
  if (!needsAddress(spec) || isHeadless(spec)) return [];
  const addresses = stringsAt(spec, "clusterIPs");
  return addresses.filter(isIp).flatMap((address) => {
    const why = !ranges.contains(address)
      ? "the provided network does not match the current range"
      : ranges.isTaken(address, uid)
        ? "provided IP is already allocated"
        : undefined;
    if (why === undefined) return [];
    return [invalid("spec.clusterIPs", [...addresses], `failed to allocate IP ${address}: ${why}`)];
  });
}

function portCauses(
  ranges: ServiceRanges,
  spec: JsonObject,
  uid: string,
  old: JsonObject | undefined,
): readonly FieldCause[] {
  const held = new Set(nodePortsOf(objectAt(old, "spec")));
  const [first, last] = ranges.nodePorts;
  const mine = new Map<number, number>();
  const causes: FieldCause[] = [];
  for (const [index, { port, nodePort }] of objectsAt(spec, "ports").entries()) {
    if (typeof nodePort !== "number" || nodePort === 0) continue;
    const sharedWithin = mine.get(nodePort);
    const at = `spec.ports[${index}].nodePort`;
    if (nodePort < first || nodePort > last) {
      causes.push(
        invalid(at, nodePort, `provided port is not in the valid range. The range of valid ports is ${first}-${last}`),
      );
    } else if (
      (ranges.isTaken(nodePort, uid) && !held.has(nodePort)) ||
      (sharedWithin !== undefined && sharedWithin !== port)
    ) {
      causes.push(invalid(at, nodePort, "provided port is already allocated"));
    }
    mine.set(nodePort, Number(port));
  }
  const healthPort = spec["healthCheckNodePort"];
  if (typeof healthPort === "number" && healthPort > 0 && (ranges.isTaken(healthPort, uid) || mine.has(healthPort))) {
    causes.push(invalid("spec.healthCheckNodePort", healthPort, "provided port is already allocated"));
  }
  return causes.slice(0, 1);
}
