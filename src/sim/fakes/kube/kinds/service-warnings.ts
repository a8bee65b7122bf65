// What the server says about fields of a Service that it takes but does not use, or will not for long.

import type { JsonObject } from "../json.ts";
import { stringsAt } from "../json-lists.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";

export function serviceWarnings(service: JsonObject): readonly string[] {
  const spec = objectAt(service, "spec");
  const type = stringAt(spec, "type");
  const headless = type === "ClusterIP" && stringAt(spec, "clusterIP") === "None";
  const external = type === "ExternalName";
  const reachable = stringsAt(spec, "externalIPs").length > 0;
  const warnings: readonly (readonly [boolean, string])[] = [
    [headless && stringAt(spec, "loadBalancerIP") !== "", "spec.loadBalancerIP is ignored for headless services"],
    [headless && reachable, "spec.externalIPs is ignored for headless services"],
    [headless && stringAt(spec, "sessionAffinity") !== "None", "spec.SessionAffinity is ignored for headless services"],
    [
      reachable && !headless && !external,
      "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
    ],
    [external && reachable, 'spec.externalIPs is ignored when spec.type is "ExternalName"'],
    [
      !external && stringAt(spec, "externalName") !== "",
      'spec.externalName is ignored when spec.type is not "ExternalName"',
    ],
    [
      stringAt(spec, "trafficDistribution") === "PreferClose",
      'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
    ],
  ];
  return warnings.filter(([applies]) => applies).map(([, text]) => text);
}
