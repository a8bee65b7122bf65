// Tables of the built-in kinds, with the columns and cells the real server prints.

import type { Json, JsonObject } from "../json.ts";
import { objectsAt, stringsAt } from "../json-lists.ts";
import { listAt, objectAt, stringAt } from "../schema/json-value.ts";
import { eventKind } from "./event-columns.ts";
import { ageOf } from "./human-duration.ts";
import { nodeKind } from "./node-columns.ts";
import { podKind } from "./pod-columns.ts";
import { ageColumn, column, nameColumn, type PrintedKind, wide } from "./printed-kind.ts";
import { serviceKind } from "./service-columns.ts";
import { deploymentKind, disruptionBudgetKind, replicaSetKind } from "./workload-columns.ts";

/** Kinds without columns of their own show when they were created. */
export function builtinColumns(group: string, kind: string): PrintedKind {
  return kinds[`${group}/${kind}`] ?? createdAt;
}

const createdAt: PrintedKind = {
  columns: [nameColumn, column("Created At", "When the object was created.", "date")],
  cells: (object) => [nameOf(object), stringAt(objectAt(object, "metadata"), "creationTimestamp")],
};

const kinds: Readonly<Record<string, PrintedKind>> = {
  "/Pod": podKind,
  "/Service": serviceKind,
  "/Node": nodeKind,
  "/Event": eventKind,
  "events.k8s.io/Event": eventKind,
  "apps/Deployment": deploymentKind,
  "apps/ReplicaSet": replicaSetKind,
  "policy/PodDisruptionBudget": disruptionBudgetKind,
  "/Namespace": named([column("Status", "Whether the namespace is in use or going away.")], (object) => [
    stringAt(objectAt(object, "status"), "phase"),
  ]),
  "/ConfigMap": named([column("Data", "How many entries it holds.")], (object) => [
    count(object, "data", "binaryData"),
  ]),
  "/Secret": named(
    [column("Type", "What the secret is for."), column("Data", "How many entries it holds.")],
    (object) => [stringAt(object, "type"), count(object, "data")],
  ),
  "/ServiceAccount": named([], () => []),
  "/Endpoints": named([column("Endpoints", "Ready addresses with their ports.")], (object) => [endpointsOf(object)]),
  "coordination.k8s.io/Lease": named([column("Holder", "Who holds the lease.")], (object) => [
    stringAt(objectAt(object, "spec"), "holderIdentity"),
  ]),
  "discovery.k8s.io/EndpointSlice": named(
    [
      column("AddressType", "Family of the addresses."),
      column("Ports", "Ports of every endpoint."),
      column("Endpoints", "Addresses."),
    ],
    (object) => [
      stringAt(object, "addressType"),
      firstThree(listAt(object, "ports").length === 0 ? undefined : objectsAt(object, "ports").map(portText)),
      firstThree(addressesOf(object)),
    ],
  ),
  "rbac.authorization.k8s.io/RoleBinding": bindings(),
  "rbac.authorization.k8s.io/ClusterRoleBinding": bindings(),
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": webhooks(),
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": webhooks(),
};

/** Name first, age after the kind's own narrow columns, wide columns last. */
function named(
  own: PrintedKind["columns"],
  cells: (object: JsonObject) => readonly Json[],
  wideColumns: PrintedKind["columns"] = [],
  wideCells: (object: JsonObject) => readonly Json[] = () => [],
): PrintedKind {
  return {
    columns: [nameColumn, ...own, ageColumn, ...wideColumns],
    cells: (object, nowMs) => {
      const age = ageOf(objectAt(object, "metadata")["creationTimestamp"], nowMs);
      return [nameOf(object), ...cells(object), age, ...wideCells(object)];
    },
  };
}

function bindings(): PrintedKind {
  const subjects = (object: JsonObject, kind: string, text: (subject: JsonObject) => string) =>
    objectsAt(object, "subjects")
      .filter((subject) => stringAt(subject, "kind") === kind)
      .map(text)
      .join(", ");
  const name = (subject: JsonObject) => stringAt(subject, "name");
  return named(
    [column("Role", "The role it gives.")],
    (object) => [`${stringAt(objectAt(object, "roleRef"), "kind")}/${stringAt(objectAt(object, "roleRef"), "name")}`],
    [
      wide("Users", "Bound users."),
      wide("Groups", "Bound groups."),
      wide("ServiceAccounts", "Bound service accounts."),
    ],
    (object) => [
      subjects(object, "User", name),
      subjects(object, "Group", name),
      subjects(object, "ServiceAccount", (subject) => `${stringAt(subject, "namespace")}/${name(subject)}`),
    ],
  );
}

function webhooks(): PrintedKind {
  return named([column("Webhooks", "How many webhooks it registers.", "integer")], (object) => [
    listAt(object, "webhooks").length,
  ]);
}

function nameOf(object: JsonObject): string {
  return stringAt(objectAt(object, "metadata"), "name");
}

function count(object: JsonObject, ...fields: readonly string[]): number {
  return fields.reduce((sum, field) => sum + Object.keys(objectAt(object, field)).length, 0);
}

function portText(port: JsonObject): string {
  return port["port"] === undefined || port["port"] === null ? "*" : String(Number(port["port"]));
}

function addressesOf(slice: JsonObject): readonly string[] | undefined {
  const endpoints = objectsAt(slice, "endpoints");
  return endpoints.length === 0 ? undefined : endpoints.flatMap((endpoint) => stringsAt(endpoint, "addresses"));
}

function endpointsOf(object: JsonObject): string {
  const all = objectsAt(object, "subsets").flatMap((subset) =>
    objectsAt(subset, "addresses").flatMap((address) =>
      objectsAt(subset, "ports").map((port) => `${stringAt(address, "ip")}:${Number(port["port"])}`),
    ),
  );
  return all.length === 0 ? "<none>" : firstThree(all);
}

function firstThree(items: readonly string[] | undefined): string {
  if (items === undefined) return "<unset>";
  const shown = items.slice(0, 3).join(",");
  return items.length > 3 ? `${shown} + ${items.length - 3} more...` : shown;
}
