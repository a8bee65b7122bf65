// What the API server itself demands of a GatewayPool's spec. It holds where nobody runs a webhook; what needs more than one look is in
// gateway-pool-validation.ts.

import type { CrdSchema } from "../../../apis/kube/crd.ts";
import {
  advertIntervalRangeMs,
  backendLayers,
  clientAddressModes,
  maxVirtualRouterId,
  sharingPolicies,
  vrrpModes,
} from "./gateway-pool.ts";

const text = { type: "string" };
const uuid = { ...text, format: "uuid", maxLength: 36 };
const address = { ...text, minLength: 2, maxLength: 45 };
const label = { ...text, minLength: 1, maxLength: 63, pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" };
const objectName = { ...text, minLength: 1, maxLength: 253 };
const routerId = { type: "integer", minimum: 1, maximum: maxVirtualRouterId };

const gateway: CrdSchema = {
  type: "object",
  required: ["name", "url"],
  properties: {
    name: { ...label, description: "Its name, as its agent calls itself." },
    url: {
      ...text,
      maxLength: 1024,
      pattern: "^https?://[^/?#\\s]+(/[^?#\\s]*)?$",
      description: "Where its agent answers.",
    },
    externalPortID: { ...uuid, description: "Its Neutron port on the side of clients." },
    internalPortID: { ...uuid, description: "Its Neutron port on the side of endpoints, where that is another." },
    credentialsRef: {
      type: "object",
      description:
        "The Secret with tls.crt, tls.key and ca.crt for client certificates, or with shared-secret for signed tokens.",
      required: ["namespace", "name"],
      properties: {
        namespace: { ...label, description: "Its namespace." },
        name: { ...objectName, description: "Its name." },
      },
    },
    vrrpAddress: { ...address, description: "Where it speaks VRRP from. On all gateways or on none: then multicast." },
  },
};

const subnet = (family: string): CrdSchema => ({
  type: "object",
  description: `Where ${family} addresses come from.`,
  required: ["id"],
  properties: { id: { ...uuid, description: "The id of the subnet." } },
});

const neutron: CrdSchema = {
  type: "object",
  description: "Every address is a Neutron port.",
  required: ["identityRef", "subnets"],
  properties: {
    identityRef: {
      type: "object",
      description: "Names the credentials for OpenStack.",
      required: ["name", "cloudName"],
      "x-kubernetes-validations": [
        {
          rule: "has(self.region) == has(oldSelf.region) && (!has(self.region) || self.region == oldSelf.region)",
          message: "region is immutable",
          fieldPath: ".region",
        },
        {
          rule: "(has(self.type) && self.type == 'ClusterIdentity') != has(self.namespace)",
          message: "namespace is required for a Secret, and means nothing for a ClusterIdentity",
          fieldPath: ".namespace",
        },
      ],
      properties: {
        type: {
          ...text,
          enum: ["Secret", "ClusterIdentity"],
          default: "Secret",
          description: "Secret, or ClusterIdentity: an OpenStackClusterIdentity.",
        },
        namespace: { ...label, description: "The namespace of the Secret." },
        name: { ...objectName, description: "The name of the Secret or of the identity." },
        cloudName: { ...text, minLength: 1, maxLength: 255, description: "The entry of clouds.yaml." },
        region: { ...text, maxLength: 255, description: "Overrides the region of clouds.yaml. It cannot be changed." },
      },
    },
    subnets: {
      type: "object",
      description: "Where addresses come from, by family.",
      minProperties: 1,
      properties: { ipv4: subnet("IPv4"), ipv6: subnet("IPv6") },
    },
    floatingIPs: {
      type: "object",
      description: "Each IPv4 address gets a floating IP, and clients use that. Absent: clients use the subnet's.",
      required: ["networkID"],
      properties: { networkID: { ...uuid, description: "The network that floating IPs come from." } },
    },
  },
};

const addressList = (family: string, example: string): CrdSchema => ({
  type: "array",
  description: `${family} addresses, ranges and prefixes, such as ${example}.`,
  items: { ...text, minLength: 2, maxLength: 91 },
  maxItems: 1024,
  "x-kubernetes-list-type": "set",
});

const addresses: CrdSchema = {
  type: "object",
  description: "Where addresses of Services come from: exactly one source.",
  minProperties: 1,
  maxProperties: 1,
  properties: {
    neutron,
    static: {
      type: "object",
      description: "Addresses that are routed to the gateways' network.",
      minProperties: 1,
      properties: {
        ipv4: addressList("IPv4", "192.0.2.7, 192.0.2.10-192.0.2.20 or 192.0.2.32/28"),
        ipv6: addressList("IPv6", "2001:db8::7 or 2001:db8::100-2001:db8::1ff"),
      },
    },
  },
};

const vrrp: CrdSchema = {
  type: "object",
  description: "Who leads, and how gateways tell each other.",
  required: ["virtualRouterIDBase", "groups"],
  "x-kubernetes-validations": [
    {
      rule: "!has(self.mode) || self.mode != 'Compat' || size(self.groups) == 1",
      message: "Compat has one group, as ch-k8s-lbaas has",
      fieldPath: ".groups",
    },
    {
      rule: "!has(self.mode) || self.mode != 'Compat' || !has(self.advertIntervalMs) || self.advertIntervalMs % 1000 == 0",
      message: "Compat counts whole seconds",
      fieldPath: ".advertIntervalMs",
    },
  ],
  properties: {
    mode: {
      ...text,
      enum: [...vrrpModes],
      default: "VRRP3",
      description: "Compat: VRRP 2 as ch-k8s-lbaas speaks it, for as long as one gateway runs that.",
    },
    advertIntervalMs: {
      type: "integer",
      minimum: advertIntervalRangeMs.lowest,
      maximum: advertIntervalRangeMs.highest,
      multipleOf: 10,
      description: "100 by default, 1000 with Compat. Three of them without a word, and the next gateway leads.",
    },
    virtualRouterIDBase: { ...routerId, description: "The first group's id, counted up for the others." },
    groups: {
      type: "array",
      description: "Addresses of a group move together. Several groups spread the load over gateways.",
      minItems: 1,
      maxItems: 16,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: {
        type: "object",
        required: ["name", "sourceAddresses"],
        properties: {
          name: { ...label, maxLength: 15, description: "Its name." },
          virtualRouterID: { ...routerId, description: "The base plus its place in the list by default." },
          sourceAddresses: {
            type: "array",
            description:
              "Where endpoints see connections come from. At least one of IPv4; four keep the ports of clients apart.",
            items: address,
            minItems: 1,
            maxItems: 32,
            "x-kubernetes-list-type": "set",
          },
          order: {
            type: "array",
            description: "Gateways by name: the first that is ready leads. Spread by default.",
            items: label,
            maxItems: 16,
            "x-kubernetes-list-type": "set",
          },
        },
      },
    },
  },
};

const count = (description: string): CrdSchema => ({ type: "integer", minimum: 1, maximum: 1_000_000, description });

export const gatewayPoolSpecSchema: CrdSchema = {
  type: "object",
  description: "The gateways, their addresses, and which Services they serve.",
  required: ["gateways", "addresses", "vrrp"],
  "x-kubernetes-validations": [
    {
      rule: "!has(self.clientAddress) || self.clientAddress != 'Preserved' || size(self.vrrp.groups) == 1",
      message: "a preserved client address needs a single group: there is one way back",
      fieldPath: ".vrrp.groups",
    },
    {
      rule: "self.gateways.all(g, has(g.vrrpAddress)) || !self.gateways.exists(g, has(g.vrrpAddress))",
      message: "set vrrpAddress on all gateways or on none",
      fieldPath: ".gateways",
    },
    {
      rule: "has(self.clusterID) == has(oldSelf.clusterID) && (!has(self.clusterID) || self.clusterID == oldSelf.clusterID)",
      message: "clusterID is immutable: what is in Neutron bears it",
      fieldPath: ".clusterID",
    },
  ],
  properties: {
    gateways: {
      type: "array",
      description: "The gateways.",
      items: gateway,
      minItems: 1,
      maxItems: 16,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
    },
    addresses,
    backendLayer: {
      ...text,
      enum: [...backendLayers],
      default: "NodePort",
      description: "Where connections are sent: to Pods, to a port of Nodes, or to the Service's own address.",
    },
    sharing: {
      ...text,
      enum: [...sharingPolicies],
      default: "ByPort",
      description:
        "Which Services may share an address, each with ports of its own: those of all namespaces, of one namespace, those that name the same key, or none.",
    },
    clientAddress: {
      ...text,
      enum: [...clientAddressModes],
      default: "Replaced",
      description: "What endpoints see. Preserved needs gateways that are the endpoints' way back to clients.",
    },
    withoutEndpoints: {
      ...text,
      enum: ["Reject", "Drop"],
      default: "Reject",
      description: "What clients are told while a Service has no endpoint: a refusal, or nothing.",
    },
    vrrp,
    loadBalancerClass: {
      ...text,
      minLength: 1,
      maxLength: 317,
      description: "It serves Services of this class. Without a class it serves those without.",
    },
    isDefault: { type: "boolean", default: false, description: "Whether it also serves Services without a class." },
    limits: {
      type: "object",
      description: "They hold back what is new, and take nothing from a Service that has it.",
      properties: {
        addresses: count("How many addresses may be in use."),
        servicesPerNamespace: count("How many Services of one namespace it serves."),
      },
    },
    clusterID: {
      ...text,
      maxLength: 100,
      pattern: "^[A-Za-z0-9][-._A-Za-z0-9]*$",
      description:
        "Marks what is ours in Neutron; the uid of the namespace kube-system by default. It cannot be changed.",
    },
  },
};
