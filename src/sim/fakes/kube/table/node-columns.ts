// Nodes in a table.

import type { JsonObject } from "../json.ts";
import { objectsAt } from "../json-lists.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import { ageOf } from "./human-duration.ts";
import { ageColumn, column, nameColumn, type PrintedKind, wide } from "./printed-kind.ts";

const rolePrefix = "node-role.kubernetes.io/";

export const nodeKind: PrintedKind = {
  columns: [
    nameColumn,
    column("Status", "Whether it is ready, and whether it takes new Pods."),
    column("Roles", "Roles its labels name."),
    ageColumn,
    column("Version", "Version of the kubelet."),
    wide("Internal-IP", "Address inside the cluster's network."),
    wide("External-IP", "Address for the outside."),
    wide("OS-Image", "Operating system."),
    wide("Kernel-Version", "Kernel."),
    wide("Container-Runtime", "Container runtime."),
  ],
  cells: (node, nowMs) => {
    const metadata = objectAt(node, "metadata");
    const info = objectAt(objectAt(node, "status"), "nodeInfo");
    const known = (field: string) => stringAt(info, field) || "<unknown>";
    const architecture = stringAt(info, "architecture");
    return [
      stringAt(metadata, "name"),
      statusOf(node),
      rolesOf(objectAt(metadata, "labels")),
      ageOf(metadata["creationTimestamp"], nowMs),
      stringAt(info, "kubeletVersion"),
      addressOf(node, "InternalIP"),
      addressOf(node, "ExternalIP"),
      known("osImage"),
      known("kernelVersion") + (architecture === "" ? "" : ` (${architecture})`),
      known("containerRuntimeVersion"),
    ];
  },
};

function statusOf(node: JsonObject): string {
  const ready = objectsAt(objectAt(node, "status"), "conditions").find((one) => stringAt(one, "type") === "Ready");
  const words = [ready === undefined ? "Unknown" : stringAt(ready, "status") === "True" ? "Ready" : "NotReady"];
  if (objectAt(node, "spec")["unschedulable"] === true) words.push("SchedulingDisabled");
  return words.join(",");
}

function rolesOf(labels: JsonObject): string {
  const roles = Object.entries(labels).flatMap(([key, value]) => {
    if (key.startsWith(rolePrefix)) return [key.slice(rolePrefix.length)];
    return key === "kubernetes.io/role" && typeof value === "string" ? [value] : [];
  });
  return (
    roles
      .filter((role) => role !== "")
      .sort()
      .join(",") || "<none>"
  );
}

function addressOf(node: JsonObject, type: string): string {
  const address = objectsAt(objectAt(node, "status"), "addresses").find((one) => stringAt(one, "type") === type);
  return stringAt(address, "address") || "<none>";
}
