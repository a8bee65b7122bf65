// Services in a table.

import type { JsonObject } from "../json.ts";
import { objectsAt, stringsAt } from "../json-lists.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import { ageOf } from "./human-duration.ts";
import { ageColumn, column, nameColumn, type PrintedKind, wide } from "./printed-kind.ts";

export const serviceKind: PrintedKind = {
  columns: [
    nameColumn,
    column("Type", "How the Service is exposed."),
    column("Cluster-IP", "Its address inside the cluster."),
    column("External-IP", "Addresses for the outside."),
    column("Port(s)", "Ports, node ports and protocols."),
    ageColumn,
    wide("Selector", "Labels of the Pods behind it."),
  ],
  cells: (service, nowMs) => {
    const spec = objectAt(service, "spec");
    const metadata = objectAt(service, "metadata");
    return [
      stringAt(metadata, "name"),
      stringAt(spec, "type"),
      stringsAt(spec, "clusterIPs")[0] ?? (stringAt(spec, "clusterIP") || "<none>"),
      externalAddresses(service, spec),
      objectsAt(spec, "ports").map(portText).join(",") || "<none>",
      ageOf(metadata["creationTimestamp"], nowMs),
      labelsText(objectAt(spec, "selector")),
    ];
  },
};

/** `a=b,c=d`, sorted. */
export function labelsText(labels: JsonObject): string {
  const pairs = Object.keys(labels).map((key) => `${key}=${stringAt(labels, key)}`);
  return pairs.sort().join(",") || "<none>";
}

function externalAddresses(service: JsonObject, spec: JsonObject): string {
  const own = stringsAt(spec, "externalIPs");
  switch (stringAt(spec, "type")) {
    case "LoadBalancer": {
      const ingress = objectsAt(objectAt(objectAt(service, "status"), "loadBalancer"), "ingress");
      const published = new Set(ingress.map((one) => stringAt(one, "ip") || stringAt(one, "hostname")));
      return [...[...published].filter((address) => address !== "").sort(), ...own].join(",") || "<pending>";
    }
    case "ExternalName":
      return stringAt(spec, "externalName");
    default:
      return own.join(",") || "<none>";
  }
}

function portText(port: JsonObject): string {
  const nodePort = Number(port["nodePort"] ?? 0);
  return `${Number(port["port"])}${nodePort > 0 ? `:${nodePort}` : ""}/${stringAt(port, "protocol")}`;
}
