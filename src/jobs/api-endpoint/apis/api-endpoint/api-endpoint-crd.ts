// The definition of APIEndpoint. Its block and its status are those of OpenStackCluster, so that people learn them once.

import { type CrdSchema, type CustomResourceDefinition, ownedCrdMetadata } from "../../../../apis/kube/crd.ts";
import { identityRefSchema } from "../../../../apis/openstack/identity-ref-schema.ts";
import {
  apiServerLoadBalancerSchema,
  definitionRevision,
  networkParam,
  subnetParams,
} from "../load-balancer/api-server-load-balancer-schema.ts";
import {
  conditions,
  lastKnownConditions,
  leavingLoadBalancers,
  legacyLoadBalancer,
  loadBalancerStatus,
  networkStatus,
  projectStatus,
  unansweredUntil,
  zoneLoadBalancerStatuses,
  zonesServed,
} from "../load-balancer/load-balancer-status-schema.ts";
import { endpointRules } from "../openstack-cluster/openstack-cluster-schema.ts";
import { apiEndpoints } from "./api-endpoint.ts";

const text = { type: "string" };

const spec: CrdSchema = {
  type: "object",
  description: "Which cluster, and how its API is to be reached.",
  required: ["clusterRef", "identityRef", "controlPlaneEndpoint", "apiServerLoadBalancer"],
  "x-kubernetes-validations": endpointRules("self.apiServerLoadBalancer"),
  properties: {
    clusterRef: {
      type: "object",
      description: "The Cluster of Cluster API in this namespace. It cannot be changed.",
      required: ["name"],
      properties: { name: { ...text, minLength: 1, maxLength: 253 } },
      "x-kubernetes-validations": [{ rule: "self.name == oldSelf.name", message: "clusterRef is immutable" }],
    },
    identityRef: identityRefSchema,
    controlPlaneEndpoint: {
      type: "object",
      description: "The DNS name and the port that clients use. The name stays as long as the cluster.",
      required: ["host"],
      properties: {
        host: { ...text, minLength: 1, maxLength: 253, description: "A DNS name." },
        port: { type: "integer", minimum: 1, maximum: 65_535, default: 6443, description: "6443 by default." },
      },
      "x-kubernetes-validations": [
        { rule: "self.host == oldSelf.host && self.port == oldSelf.port", message: "the endpoint is immutable" },
      ],
    },
    apiServerLoadBalancer: apiServerLoadBalancerSchema,
    floatingIP: {
      type: "object",
      description: "Floating addresses of the balancers.",
      default: {},
      properties: {
        enabled: { type: "boolean", default: true, description: "Whether each balancer has one." },
        address: { ...text, maxLength: 64, description: "The address to use; with several zones the first zone's." },
      },
    },
    fixedIP: {
      ...text,
      maxLength: 64,
      description: "The balancer's own address; with several zones the first zone's.",
    },
    network: {
      ...networkParam,
      description: "The cluster's own network; found through its OpenStackCluster when absent.",
    },
    subnets: { ...subnetParams, description: "The subnets that machines are in; all of the network when empty." },
    externalNetwork: { ...networkParam, description: "Where floating addresses come from; the only one when absent." },
    tags: {
      type: "array",
      description: "Put on everything that is made for this cluster.",
      items: { ...text, maxLength: 255 },
      maxItems: 64,
      "x-kubernetes-list-type": "set",
    },
    openGate: {
      type: "boolean",
      default: false,
      description:
        "Whether the endpoint is written to the cluster's OpenStackCluster, which waits for it, when the balancers are ready.",
    },
    publishDNS: {
      type: "boolean",
      default: false,
      description: "Whether a DNSEndpoint for external-dns is written with the addresses of healthy zones.",
    },
  },
};

const status: CrdSchema = {
  type: "object",
  description: "What is there.",
  properties: {
    initialization: {
      type: "object",
      description: "How far the first provisioning came.",
      properties: {
        provisioned: { type: "boolean", description: "Whether the API was reachable once. Never taken back." },
      },
    },
    controlPlaneEndpoint: {
      type: "object",
      description: "The endpoint in use.",
      properties: { host: text, port: { type: "integer" } },
    },
    apiServerLoadBalancers: zoneLoadBalancerStatuses,
    apiServerLoadBalancer: {
      ...loadBalancerStatus,
      description: "The balancer of a single zone, or the first mapping's.",
    },
    lastKnownConditions,
    leavingLoadBalancers,
    legacyLoadBalancer,
    unansweredUntil,
    zonesServed,
    project: projectStatus,
    network: { ...networkStatus, description: "The cluster's own network." },
    externalNetwork: { ...networkStatus, description: "Where floating addresses come from." },
    failureDomains: {
      type: "array",
      description: "Zones.",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: { type: "object", required: ["name"], properties: { name: text, controlPlane: { type: "boolean" } } },
    },
    conditions,
  },
};

const metadata = ownedCrdMetadata(`${apiEndpoints.plural}.${apiEndpoints.group}`, definitionRevision);

export const apiEndpointCrd: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: {
    ...metadata,
    // `clusterctl move` takes them along although no owner leads to them.
    labels: { ...metadata.labels, "clusterctl.cluster.x-k8s.io": "", "clusterctl.cluster.x-k8s.io/move": "" },
  },
  spec: {
    group: apiEndpoints.group,
    scope: "Namespaced",
    names: {
      kind: "APIEndpoint",
      listKind: "APIEndpointList",
      plural: "apiendpoints",
      singular: "apiendpoint",
      shortNames: apiEndpoints.shortNames ?? [],
      categories: ["cluster-api", "mainstay"],
    },
    versions: [
      {
        name: apiEndpoints.version,
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          column("Cluster", ".spec.clusterRef.name"),
          column("Endpoint", ".spec.controlPlaneEndpoint.host"),
          column("Ready", '.status.conditions[?(@.type=="Ready")].status'),
          column("Reason", '.status.conditions[?(@.type=="Ready")].reason'),
          column("Zones", ".status.zonesServed"),
          { ...column("Message", '.status.conditions[?(@.type=="Ready")].message'), priority: 1 },
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
        schema: {
          openAPIV3Schema: {
            type: "object",
            description:
              "APIEndpoint asks for balancers in front of a cluster's API servers, beside whoever made the cluster.",
            required: ["spec"],
            properties: { apiVersion: text, kind: text, metadata: { type: "object" }, spec, status },
          },
        },
      },
    ],
  },
};

function column(name: string, jsonPath: string) {
  return { name, type: "string", jsonPath };
}
