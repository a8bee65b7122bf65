// Schemas of the block that both doors share, and of what status says about balancers. Numbers and patterns here are the rules that
// the API server enforces by itself; what needs more than one look is in api-server-load-balancer-validation.ts.

import type { CrdSchema } from "../../../../apis/kube/crd.ts";
import { maxMonitorSeconds, maxZoneLength } from "./api-server-load-balancer.ts";

/** Of both definitions: it counts up with every change of either, and most are changes of this block. */
export const definitionRevision = 7;

const text = { type: "string" };
/** No commas: Neutron takes a list of tags as one comma-separated word. */
const tag = { type: "string", minLength: 1, maxLength: 255, pattern: "^[^,]+$" };
const tags = (description: string) => ({
  type: "array",
  description,
  items: tag,
  maxItems: 64,
  "x-kubernetes-list-type": "set",
});

const tagFilters = {
  tags: tags("It must bear all of these tags."),
  tagsAny: tags("It must bear at least one of these tags."),
  notTags: tags("It must not bear all of these tags."),
  notTagsAny: tags("It must bear none of these tags."),
};

const named = {
  name: { ...text, maxLength: 255, description: "Its name, exactly." },
  description: { ...text, maxLength: 255, description: "Its description, exactly." },
  projectID: { ...text, maxLength: 255, description: "The project that it belongs to." },
};

function param(what: string, filter: Readonly<Record<string, unknown>>): CrdSchema {
  return {
    type: "object",
    description: `Names one ${what}: by id, or by a filter that matches exactly one.`,
    minProperties: 1,
    maxProperties: 1,
    properties: {
      id: { ...text, format: "uuid", maxLength: 36, description: `The id of the ${what}.` },
      filter: { type: "object", description: `What the ${what} must look like.`, minProperties: 1, properties: filter },
    },
  };
}

export const networkParam = param("network", { ...named, ...tagFilters });
export const subnetParam = param("subnet", {
  ...named,
  ipVersion: { type: "integer", enum: [4, 6], description: "4 or 6." },
  gatewayIP: { ...text, maxLength: 64, description: "The gateway's address." },
  cidr: { ...text, maxLength: 64, description: "Its range of addresses." },
  ipv6AddressMode: { ...text, maxLength: 64, description: "How IPv6 addresses are given out." },
  ipv6RAMode: { ...text, maxLength: 64, description: "How IPv6 routers advertise it." },
  ...tagFilters,
});

const atomicSubnets = {
  type: "array",
  items: subnetParam,
  maxItems: 32,
  "x-kubernetes-list-type": "atomic",
};

const seconds = { type: "integer", minimum: 0, maximum: maxMonitorSeconds };
const monitor: CrdSchema = {
  type: "object",
  description: "How the health of members is watched. Zero or nothing means the default.",
  properties: {
    delay: { ...seconds, description: "Seconds between two looks; 10 by default." },
    timeout: { ...seconds, description: "Seconds that a look may take; 5 by default." },
    maxRetries: {
      type: "integer",
      minimum: 0,
      maximum: 10,
      description: "Good looks until a member is up; 5 by default.",
    },
    maxRetriesDown: {
      type: "integer",
      minimum: 1,
      maximum: 10,
      description: "Bad looks until it is down; 3 by default.",
    },
  },
};

const mappings: CrdSchema = {
  type: "array",
  description:
    "One balancer for each entry: its address lies in the entry's subnet of the balancers' network. The first entry is mirrored in the deprecated singleton of status.",
  maxItems: 32,
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["availabilityZone"],
  items: {
    type: "object",
    required: ["availabilityZone", "subnet"],
    properties: {
      availabilityZone: {
        ...text,
        minLength: 1,
        maxLength: maxZoneLength,
        description: "The zone: a failure domain of machines, and Octavia's zone where it has one of that name.",
      },
      subnet: { ...subnetParam, description: "Where the zone's balancer has its address." },
    },
  },
};

const uniqueIds =
  "!has(self.availabilityZoneSubnets) || self.availabilityZoneSubnets.all(a, !has(a.subnet.id) || self.availabilityZoneSubnets.exists_one(b, has(b.subnet.id) && b.subnet.id == a.subnet.id))";
const networkGiven =
  "!has(self.availabilityZoneSubnets) || size(self.availabilityZoneSubnets) == 0 || has(self.network)";

/** `apiServerLoadBalancer`, and `apiServer.managedLoadBalancer` in v1beta2. */
export const apiServerLoadBalancerSchema: CrdSchema = {
  type: "object",
  description: "The balancers in front of the API servers. Without this block there is none.",
  "x-kubernetes-preserve-unknown-fields": true,
  "x-kubernetes-validations": [
    {
      rule: networkGiven,
      message: "network is required with availabilityZoneSubnets",
      reason: "FieldValueRequired",
      fieldPath: ".network",
    },
    {
      rule: uniqueIds,
      message: "two entries of availabilityZoneSubnets name the same subnet",
      fieldPath: ".availabilityZoneSubnets",
    },
  ],
  properties: {
    enabled: { type: "boolean", default: true, description: "Whether there is a balancer at all." },
    additionalPorts: {
      type: "array",
      description: "Ports to listen on besides the API server's.",
      items: { type: "integer", minimum: 1, maximum: 65_535 },
      maxItems: 64,
      "x-kubernetes-list-type": "set",
    },
    allowedCIDRs: {
      type: "array",
      description: "Who may connect: addresses and ranges. Nothing means everybody.",
      items: { ...text, maxLength: 64 },
      maxItems: 256,
      "x-kubernetes-list-type": "set",
    },
    provider: { ...text, maxLength: 255, description: "Octavia's provider; its default when absent." },
    network: {
      ...networkParam,
      description: "Where the balancers have their addresses. Needed with availabilityZoneSubnets.",
    },
    subnets: {
      ...atomicSubnets,
      description: "Of a single balancer: the first is taken. Ignored with availabilityZoneSubnets.",
    },
    availabilityZone: {
      ...text,
      maxLength: 255,
      description: "Octavia's zone of a single balancer. Ignored with availabilityZoneSubnets.",
    },
    flavor: { ...text, maxLength: 255, description: "Octavia's flavor, by name." },
    monitor,
    availabilityZoneSubnets: mappings,
    allowCrossAZLoadBalancerMembers: {
      type: "boolean",
      default: false,
      description: "Whether every balancer serves the machines of all zones; otherwise only those of its own.",
    },
  },
};

export const subnetParams = atomicSubnets;
