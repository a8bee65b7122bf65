// The definition of GatewayPool: what it may say, what it reports, and what `kubectl get` shows of it.

import {
  type CrdSchema,
  type CustomResourceDefinition,
  conditionsSchema,
  ownedCrdMetadata,
} from "../../../apis/kube/crd.ts";
import { gatewayPools, maxAddressesShown, maxTroublesShown } from "./gateway-pool.ts";
import { gatewayPoolSpecSchema } from "./gateway-pool-schema.ts";

/** It counts up with every change of the definition. */
const definitionRevision = 1;

const text = { type: "string" };
const whole = { type: "integer", minimum: 0 };
const version = (description: string): CrdSchema => ({
  type: "object",
  description,
  required: ["epoch", "generation"],
  properties: {
    epoch: { ...whole, format: "int64", description: "The leader's term." },
    generation: { ...whole, format: "int64", description: "Its count within the term." },
  },
});

const gateway: CrdSchema = {
  type: "object",
  required: ["name"],
  properties: {
    name: { ...text, description: "Its name." },
    reachable: { type: "boolean", description: "Whether its agent answers. Absent while nobody can tell." },
    ready: {
      type: "boolean",
      description: "Whether it may lead: its rules are current. Absent while nobody can tell.",
    },
    message: { ...text, description: "Why it is not ready, or not reachable." },
    carries: version("The configuration that it carries."),
    groups: {
      type: "array",
      description: "Its role in each group.",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: {
        type: "object",
        required: ["name", "role"],
        properties: {
          name: { ...text, description: "The group." },
          role: { ...text, enum: ["master", "backup", "fault", "unknown"], description: "Its role there." },
          since: { ...text, format: "date-time", description: "Since when." },
        },
      },
    },
    capability: {
      type: "object",
      description: "What its agent is, and can do.",
      properties: {
        api: { ...text, enum: ["v1", "v2"], description: "v1: today's ch-k8s-lbaas." },
        agent: { ...text, description: "The agent's version." },
        nft: { ...text, description: "The version of nft." },
        keepalived: { ...text, description: "The version of keepalived." },
        kernel: { ...text, description: "The version of the kernel." },
        features: {
          type: "array",
          description: "What it can do besides.",
          items: text,
          "x-kubernetes-list-type": "set",
        },
      },
    },
  },
};

const status: CrdSchema = {
  type: "object",
  description: "What is there.",
  properties: {
    observedGeneration: { ...whole, format: "int64", description: "The generation that this is about." },
    clusterID: { ...text, description: "The mark on what is ours in Neutron." },
    version: version("The configuration that all gateways should carry."),
    gatewaysReady: { ...text, description: "How many gateways may lead, such as 2/3; ?/3 while nobody can tell." },
    gateways: {
      type: "array",
      description: "Each gateway.",
      items: gateway,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
    },
    addresses: {
      type: "object",
      description: "How many addresses there are.",
      properties: {
        inUse: { ...whole, description: "Those that Services have." },
        free: { ...whole, format: "int64", description: "Those that nobody has. Absent where the cloud decides." },
        quarantined: {
          ...whole,
          description: "Those that nobody gets yet, because a gateway may still carry them for somebody else.",
        },
      },
    },
    addressesInUse: {
      type: "array",
      description: `Addresses that Services have, the first ${maxAddressesShown}.`,
      maxItems: maxAddressesShown,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["address"],
      items: {
        type: "object",
        required: ["address", "services"],
        properties: {
          address: { ...text, description: "The address on the gateways." },
          publicAddress: { ...text, description: "The floating IP, where clients use one." },
          portID: { ...text, description: "Its Neutron port." },
          group: { ...text, description: "The group that it moves with." },
          services: { ...whole, description: "How many Services have it." },
        },
      },
    },
    quarantinedAddresses: {
      type: "array",
      description: `Addresses that a gateway which does not answer may still carry, the first ${maxAddressesShown}. Nobody gets them.`,
      maxItems: maxAddressesShown,
      items: text,
      "x-kubernetes-list-type": "set",
    },
    services: {
      type: "object",
      description: "How many Services there are.",
      properties: {
        served: { ...whole, description: "Those with an address." },
        refused: { ...whole, description: "Those without what they ask for; each has an Event." },
      },
    },
    troubledServices: {
      type: "array",
      description: `Services without what they ask for, the first ${maxTroublesShown}.`,
      maxItems: maxTroublesShown,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["service"],
      items: {
        type: "object",
        required: ["service", "reason", "message"],
        properties: {
          service: { ...text, description: "Its namespace and name." },
          reason: { ...text, description: "Why, in one word." },
          message: { ...text, description: "Why, in words." },
        },
      },
    },
    conditions: conditionsSchema("Ready, and what it rests on."),
  },
};

export const gatewayPoolCrd: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: ownedCrdMetadata(`${gatewayPools.plural}.${gatewayPools.group}`, definitionRevision),
  spec: {
    group: gatewayPools.group,
    scope: "Cluster",
    names: {
      kind: gatewayPools.kind,
      listKind: "GatewayPoolList",
      plural: gatewayPools.plural,
      singular: "gatewaypool",
      shortNames: gatewayPools.shortNames ?? [],
      categories: ["mainstay"],
    },
    versions: [
      {
        name: gatewayPools.version,
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          column("Layer", ".spec.backendLayer"),
          column("Gateways", ".status.gatewaysReady"),
          { ...column("Addresses", ".status.addresses.inUse"), type: "integer" },
          { ...column("Services", ".status.services.served"), type: "integer" },
          column("Ready", '.status.conditions[?(@.type=="Ready")].status'),
          column("Reason", '.status.conditions[?(@.type=="Ready")].reason'),
          { ...column("Class", ".spec.loadBalancerClass"), priority: 1 },
          { ...column("Default", ".spec.isDefault"), type: "boolean", priority: 1 },
          { ...column("Message", '.status.conditions[?(@.type=="Ready")].message'), priority: 1 },
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
        schema: {
          openAPIV3Schema: {
            type: "object",
            description:
              "GatewayPool names gateways that carry addresses of Services of type LoadBalancer, and where the addresses come from.",
            required: ["spec"],
            properties: {
              apiVersion: text,
              kind: text,
              metadata: { type: "object" },
              spec: gatewayPoolSpecSchema,
              status,
            },
          },
        },
      },
    ],
  },
};

function column(name: string, jsonPath: string) {
  return { name, type: "string", jsonPath };
}
