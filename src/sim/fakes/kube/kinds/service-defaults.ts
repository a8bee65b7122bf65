// What a Service means where its author was silent. The author then owns these fields, unlike what the server allocates.

import type { Json, JsonObject } from "../json.ts";
import { isJsonList, isJsonObject, objectAt, stringAt } from "../schema/json-value.ts";
import { isReachable } from "./service-allocation.ts";

const clientIpTimeoutSeconds = 10_800;

export function serviceDefaults(service: JsonObject): JsonObject {
  const spec = objectAt(service, "spec");
  const type = stringAt(spec, "type") || "ClusterIP";
  const sessionAffinity = stringAt(spec, "sessionAffinity") || "None";
  const external = isReachable({ ...spec, type });
  return {
    ...withIngressModes(service, type),
    spec: {
      ...spec,
      ...(isJsonList(spec["ports"]) ? { ports: spec["ports"].map(portDefaults) } : {}),
      type,
      sessionAffinity,
      ...affinityConfig(spec, sessionAffinity),
      ...(external ? { externalTrafficPolicy: stringAt(spec, "externalTrafficPolicy") || "Cluster" } : {}),
      ...(type === "ExternalName"
        ? {}
        : { internalTrafficPolicy: stringAt(spec, "internalTrafficPolicy") || "Cluster" }),
      ...(type === "LoadBalancer"
        ? { allocateLoadBalancerNodePorts: spec["allocateLoadBalancerNodePorts"] ?? true }
        : {}),
    },
  };
}

function portDefaults(port: Json): Json {
  if (!isJsonObject(port)) return port;
  const target = port["targetPort"];
  const silent = target === undefined || target === 0 || target === "";
  return { ...port, protocol: stringAt(port, "protocol") || "TCP", targetPort: silent ? (port["port"] ?? 0) : target };
}

function affinityConfig(spec: JsonObject, sessionAffinity: string): JsonObject {
  if (sessionAffinity !== "ClientIP") return { sessionAffinityConfig: undefined };
  const clientIP = objectAt(objectAt(spec, "sessionAffinityConfig"), "clientIP");
  return {
    sessionAffinityConfig: { clientIP: { timeoutSeconds: clientIP["timeoutSeconds"] ?? clientIpTimeoutSeconds } },
  };
}

function withIngressModes(service: JsonObject, type: string): JsonObject {
  const status = objectAt(service, "status");
  const loadBalancer = objectAt(status, "loadBalancer");
  const ingress = loadBalancer["ingress"];
  if (type !== "LoadBalancer" || !isJsonList(ingress)) return service;
  const moded = ingress.map((item) =>
    isJsonObject(item) && stringAt(item, "ip") !== "" ? { ...item, ipMode: item["ipMode"] ?? "VIP" } : item,
  );
  return { ...service, status: { ...status, loadBalancer: { ...loadBalancer, ingress: moded } } };
}
