// Schemas of what status says: balancers, networks and conditions, the same through both doors.

import { type CrdSchema, conditionsSchema } from "../../../../apis/kube/crd.ts";

const text = { type: "string" };
const texts = (description: string) => ({
  type: "array",
  description,
  items: text,
  "x-kubernetes-list-type": "atomic",
});

const subnet: CrdSchema = {
  type: "object",
  "x-kubernetes-preserve-unknown-fields": true,
  properties: {
    id: { ...text, description: "Its id." },
    name: { ...text, description: "Its name." },
    cidr: { ...text, description: "Its range of addresses." },
    tags: texts("Its tags."),
  },
};

export const networkStatus: CrdSchema = {
  type: "object",
  "x-kubernetes-preserve-unknown-fields": true,
  properties: {
    id: { ...text, description: "Its id." },
    name: { ...text, description: "Its name." },
    tags: texts("Its tags."),
    subnets: { type: "array", description: "Its subnets.", items: subnet, "x-kubernetes-list-type": "atomic" },
  },
};

const balancerProperties = {
  name: { ...text, description: "Its name in Octavia." },
  id: { ...text, description: "Its id in Octavia." },
  ip: { ...text, description: "Its floating address, if it has one." },
  ipDetached: {
    type: "boolean",
    description:
      "The floating address is kept for it and was not seen on it: the balancer before it had it. No record leads there meanwhile.",
  },
  keptIP: {
    ...text,
    description:
      "While floating IPs are switched off: the floating address of a balancer that was here before it and is gone. It is kept, and on no balancer.",
  },
  internalIP: { ...text, description: "Its own address." },
  tags: texts("Its tags."),
  allowedCIDRs: texts("Who may connect, as its listeners have it."),
  loadBalancerNetwork: { ...networkStatus, description: "Where its address lies." },
  provisioningStatus: { ...text, description: "Octavia's word for whether it is being changed." },
  operatingStatus: { ...text, description: "Octavia's word for whether it serves." },
  health: {
    ...text,
    description:
      "Healthy: every member is, on every port. Degraded: some are. Unhealthy: none is on the API port, or the balancer itself does not serve. Empty: it has none. Unknown: nobody could look.",
  },
  members: {
    type: "object",
    description: "Machines behind the API port.",
    properties: {
      total: { type: "integer", description: "All of them." },
      healthy: { type: "integer", description: "Those that answer." },
      down: texts("Names of the machines that do not answer."),
    },
  },
  ports: {
    type: "array",
    description:
      "Machines behind each port, where there are others than the API port. That one alone decides about DNS records.",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["port", "protocol"],
    items: {
      type: "object",
      required: ["port", "protocol"],
      properties: {
        port: { type: "integer", description: "Its number." },
        protocol: { ...text, description: "What is spoken there." },
        total: { type: "integer", description: "All machines behind it." },
        healthy: { type: "integer", description: "Those that answer." },
      },
    },
  },
  repair: {
    type: "object",
    description: "Only while the balancer that was there is made again, or is in ERROR.",
    properties: {
      since: { ...text, format: "date-time", description: "Since when." },
      because: { ...text, description: "Gone: it was gone from Octavia. Error: Octavia says ERROR of it." },
    },
  },
  probe: {
    ...text,
    description:
      "What came of the latest probe of its address, where addresses are probed. Answered; FailedOnce; Failed: twice or more in a row.",
  },
  dns: {
    type: "object",
    description: "What is published of it where records are.",
    properties: {
      addresses: texts("Published; none when it was left out."),
      badSince: { ...text, format: "date-time", description: "Since when it has not served." },
    },
  },
};

export const loadBalancerStatus: CrdSchema = {
  type: "object",
  "x-kubernetes-preserve-unknown-fields": true,
  properties: balancerProperties,
};

export const zoneLoadBalancerStatuses: CrdSchema = {
  type: "array",
  description: "One entry for each mapped zone; it is there before its balancer is.",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["availabilityZone"],
  items: {
    type: "object",
    required: ["availabilityZone"],
    "x-kubernetes-preserve-unknown-fields": true,
    properties: { availabilityZone: { ...text, description: "The zone it serves." }, ...balancerProperties },
  },
};

export const leavingLoadBalancers: CrdSchema = {
  type: "array",
  description: "Balancers that are to go: they have left the DNS records, and serve until no resolver remembers them.",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["id"],
  items: {
    type: "object",
    required: ["id"],
    properties: {
      id: { ...text, description: "Its id in Octavia." },
      name: { ...text, description: "Its name in Octavia." },
      since: { ...text, format: "date-time", description: "Since when no record has named it." },
    },
  },
};

export const legacyLoadBalancer: CrdSchema = {
  type: "object",
  description: "The balancer from before the zones that is kept as a fall-back until its removal is agreed.",
  required: ["id"],
  properties: {
    id: { ...text, description: "Its id in Octavia." },
    name: { ...text, description: "Its name in Octavia." },
    networkID: { ...text, description: "The network of its virtual address." },
    subnetID: { ...text, description: "The subnet of its virtual address." },
  },
};

export const lastKnownConditions: CrdSchema = {
  type: "array",
  description: "What conditions that are Unknown said when they were last known.",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["type"],
  items: {
    type: "object",
    required: ["type", "status"],
    properties: {
      type: { ...text, description: "The type of the condition." },
      status: { ...text, enum: ["True", "False"], description: "What it was." },
      message: { ...text, description: "What it said." },
    },
  },
};

export const unansweredUntil: CrdSchema = {
  ...text,
  format: "date-time",
  description: "So long a balancer that was asked for, and that nobody wants any more, may still appear.",
};

export const zonesServed: CrdSchema = {
  ...text,
  description:
    "In how many of the wanted zones the API answers, such as 2/3; ?/3 while nobody can tell. Absent without zones.",
};

export const projectStatus: CrdSchema = {
  ...text,
  description: "The cloud project and region that all of this is in: <project id>/<region>.",
};

export const conditions = conditionsSchema("What is true of this object, each with a reason.");

/** As Cluster API had them: reason and message are not always there, and a severity may be. */
export const formerConditions: CrdSchema = {
  type: "array",
  description: "What is true of this object.",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["type"],
  items: {
    type: "object",
    required: ["type", "status", "lastTransitionTime"],
    properties: {
      type: { ...text, minLength: 1, maxLength: 316 },
      status: { ...text, enum: ["True", "False", "Unknown"] },
      severity: { ...text, maxLength: 32 },
      reason: { ...text, maxLength: 1024 },
      message: { ...text, maxLength: 32768 },
      observedGeneration: { type: "integer", format: "int64", minimum: 0 },
      lastTransitionTime: { ...text, format: "date-time" },
    },
  },
};
