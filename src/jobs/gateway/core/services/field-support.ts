// What becomes of each field of a Service in each backend layer. It is data, so that the reference pages and the warnings on a Service
// cannot differ.

import { type BackendLayer, backendLayers } from "../../apis/gateway-pool.ts";
import { excludeNodeLabel, type Service } from "../../apis/kube-objects.ts";

/**
 * `honoured`: as Kubernetes says. `warned`: it works otherwise than people may expect, and the Service is told. `refused`: the ports
 * concerned are not served, and the Service is told. `irrelevant`: it means nothing here.
 */
export type Verdict = "honoured" | "warned" | "refused" | "irrelevant";

interface Support {
  readonly verdict: Verdict;
  readonly because: string;
}

interface FieldRow {
  /** As people write it. */
  readonly field: string;
  /** Whether a Service uses it. Absent: it is not of Services, but of Nodes. */
  readonly isUsed?: (service: Service) => boolean;
  readonly layers: Readonly<Record<BackendLayer, Support>>;
}

const honoured = (because: string): Support => ({ verdict: "honoured", because });
const warned = (because: string): Support => ({ verdict: "warned", because });
const refused = (because: string): Support => ({ verdict: "refused", because });
const irrelevant = (because: string): Support => ({ verdict: "irrelevant", because });
const everywhere = (support: Support) => ({ Pod: support, NodePort: support, ClusterIP: support });

const behindProxy = warned(
  "gateways send each client to one node, and kube-proxy there sees the gateways' address: clients may share an endpoint",
);
const noNodes = irrelevant("connections do not go through node ports");
const hidden = "endpoints see the client's address only where the pool preserves it";

export const fieldSupport: readonly FieldRow[] = [
  {
    field: "externalTrafficPolicy: Local",
    isUsed: ({ spec }) => spec?.externalTrafficPolicy === "Local",
    layers: {
      Pod: honoured(`connections go to Pods without a second hop; ${hidden}`),
      NodePort: honoured(`connections go to nodes with an endpoint of their own; ${hidden}`),
      ClusterIP: warned("the Service's own address leads to endpoints on any node; use the Pod or NodePort layer"),
    },
  },
  {
    field: "sessionAffinity: ClientIP",
    isUsed: ({ spec }) => spec?.sessionAffinity === "ClientIP",
    layers: {
      Pod: honoured("a client's address decides about its endpoint, also after another gateway took over"),
      NodePort: behindProxy,
      ClusterIP: behindProxy,
    },
  },
  {
    field: "sessionAffinityConfig.clientIP.timeoutSeconds",
    isUsed: ({ spec }) => {
      const seconds = spec?.sessionAffinityConfig?.clientIP?.timeoutSeconds;
      return spec?.sessionAffinity === "ClientIP" && seconds !== undefined && seconds !== 10_800;
    },
    layers: everywhere(
      warned("gateways go by the client's address and not by time: affinity lasts while the endpoint does"),
    ),
  },
  {
    field: "loadBalancerSourceRanges",
    isUsed: ({ spec }) => (spec?.loadBalancerSourceRanges ?? []).length > 0,
    layers: everywhere(honoured("gateways drop everybody else; a family that no range is of lets nobody in")),
  },
  {
    field: "allocateLoadBalancerNodePorts: false",
    isUsed: ({ spec }) => (spec?.ports ?? []).some(({ nodePort = 0 }) => nodePort === 0),
    layers: {
      Pod: honoured("no node port is needed"),
      NodePort: refused("a port without a node port cannot be reached; allocate node ports, or use the Pod layer"),
      ClusterIP: honoured("no node port is needed"),
    },
  },
  {
    field: "publishNotReadyAddresses",
    isUsed: ({ spec }) => spec?.publishNotReadyAddresses === true,
    layers: {
      Pod: honoured("endpoints are used whether they are ready or not"),
      NodePort: honoured("kube-proxy uses endpoints whether they are ready or not"),
      ClusterIP: honoured("kube-proxy uses endpoints whether they are ready or not"),
    },
  },
  {
    field: "ipFamilies, ipFamilyPolicy",
    isUsed: ({ spec }) => (spec?.ipFamilies ?? []).length > 1,
    layers: everywhere(honoured("one address of each family, and endpoints of the same family")),
  },
  {
    field: "loadBalancerIP",
    isUsed: ({ spec }) => spec?.loadBalancerIP !== undefined && spec.loadBalancerIP !== "",
    layers: everywhere(honoured("the address is given if the pool has it and nobody else does")),
  },
  {
    field: "ports[].targetPort, by name",
    isUsed: ({ spec }) => (spec?.ports ?? []).some(({ targetPort }) => typeof targetPort === "string"),
    layers: {
      Pod: honoured("each Pod's own port of that name is used"),
      NodePort: honoured("kube-proxy does it"),
      ClusterIP: honoured("kube-proxy does it"),
    },
  },
  {
    field: "ports[].protocol: SCTP",
    isUsed: ({ spec }) => (spec?.ports ?? []).some(({ protocol }) => protocol === "SCTP"),
    layers: everywhere(
      warned("an association goes on after another gateway took over only when the client sends its next heartbeat"),
    ),
  },
  {
    field: "internalTrafficPolicy: Local",
    isUsed: ({ spec }) => spec?.internalTrafficPolicy === "Local",
    layers: {
      Pod: irrelevant("it is about clients inside the cluster"),
      NodePort: irrelevant("it is about clients inside the cluster"),
      ClusterIP: warned("a gateway that runs kube-proxy finds no endpoint of its own, and does not answer"),
    },
  },
  {
    field: "trafficDistribution",
    isUsed: ({ spec }) => spec?.trafficDistribution !== undefined,
    layers: everywhere(irrelevant("it is about clients inside the cluster")),
  },
  {
    field: "healthCheckNodePort",
    isUsed: ({ spec }) => (spec?.healthCheckNodePort ?? 0) > 0,
    layers: everywhere(irrelevant("EndpointSlices say which nodes have endpoints")),
  },
  {
    field: excludeNodeLabel,
    layers: { Pod: noNodes, NodePort: honoured("such a node gets no connection"), ClusterIP: noNodes },
  },
  {
    field: "nodes that are not ready",
    layers: {
      Pod: noNodes,
      NodePort: honoured("such a node gets no connection while another is ready"),
      ClusterIP: noNodes,
    },
  },
];

export interface FieldNote extends Support {
  readonly field: string;
}

/** What a Service has to be told in this layer. */
export function fieldNotes(service: Service, layer: BackendLayer): readonly FieldNote[] {
  return fieldSupport
    .filter(({ isUsed }) => isUsed?.(service) === true)
    .map(({ field, layers }) => ({ field, ...layers[layer] }))
    .filter(({ verdict }) => verdict === "warned" || verdict === "refused");
}

/** For the reference page: a row for each field. */
export function fieldSupportRows(): readonly (readonly string[])[] {
  return fieldSupport.map(({ field, layers }) => [
    field,
    ...backendLayers.map((layer) => `${layers[layer].verdict}: ${layers[layer].because}`),
  ]);
}
