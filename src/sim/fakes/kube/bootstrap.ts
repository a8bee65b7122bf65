// What a server holds before its first client comes: the system namespaces, its own Service, the default roles.

import { bootstrapPolicy } from "./auth/bootstrap-policy.ts";
import type { JsonObject } from "./json.ts";
import { objectAt, stringAt } from "./schema/json-value.ts";
import { isoSeconds, type ServerContext, withMetadata } from "./server-context.ts";

const systemNamespaces = ["default", "kube-system", "kube-public", "kube-node-lease"];

export function bootstrap(server: ServerContext, serviceAddress: string): void {
  for (const name of systemNamespaces) server.store.put("/namespaces", born(server, namespace(name)));
  server.store.put("/services", born(server, ownService(serviceAddress)));
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

function ownService(clusterIP: string): JsonObject {
  return {
    kind: "Service",
    apiVersion: "v1",
    metadata: { name: "kubernetes", namespace: "default", labels: { component: "apiserver", provider: "kubernetes" } },
    spec: {
      type: "ClusterIP",
      clusterIP,
      clusterIPs: [clusterIP],
      ipFamilies: [clusterIP.includes(":") ? "IPv6" : "IPv4"],
      ipFamilyPolicy: "SingleStack",
      internalTrafficPolicy: "Cluster",
      sessionAffinity: "None",
      ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: 6443 }],
    },
    status: { loadBalancer: {} },
  };
}
