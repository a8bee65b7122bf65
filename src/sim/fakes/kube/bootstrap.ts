// What a server holds before its first client comes: the system namespaces, its own Service, the default roles.

import { bootstrapPolicy } from "./auth/bootstrap-policy.ts";
import type { JsonObject } from "./json.ts";
import { objectAt, stringAt } from "./schema/json-value.ts";
import { isoSeconds, type ServerContext, withMetadata } from "./server-context.ts";

const systemNamespaces = ["default", "kube-system", "kube-public", "kube-node-lease"];

export function bootstrap(server: ServerContext): void {
  for (const name of systemNamespaces) server.store.put("/namespaces", born(server, namespace(name)));
  for (const object of bootstrapPolicy()) {
    const resource = server.registry.findKind("rbac.authorization.k8s.io", stringAt(object, "kind"));
    if (resource !== undefined) server.store.put(`${resource.group}/${resource.plural}`, born(server, object));
  }
}

function born(server: ServerContext, object: JsonObject): JsonObject {
  return withMetadata(object, {
    ...objectAt(object, "metadata"),
    uid: server.random.uuid(),
    creationTimestamp: isoSeconds(server.clock.nowMs()),
  });
}

function namespace(name: string): JsonObject {
  return {
    kind: "Namespace",
    apiVersion: "v1",
    metadata: { name, labels: { "kubernetes.io/metadata.name": name } },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  };
}
