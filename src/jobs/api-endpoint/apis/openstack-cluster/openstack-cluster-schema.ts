// Schemas of OpenStackCluster in both versions: the fields that we read and write in full, everything else kept as it comes.

import type { CrdSchema } from "../../../../apis/kube/crd.ts";
import { identityRefSchema } from "../../../../apis/openstack/identity-ref-schema.ts";
import { dnsNamePattern, numericEndPattern } from "../../../../apis/text/dns-name.ts";
import {
  apiServerLoadBalancerSchema,
  networkParam,
  subnetParam,
  subnetParams,
} from "../load-balancer/api-server-load-balancer-schema.ts";
import {
  conditions,
  formerConditions,
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
import { namesOfV1beta1, namesOfV1beta2 } from "./misplaced-fields-schema.ts";

const text = { type: "string" };
const flag = (description: string) => ({ type: "boolean", description });
const port = { type: "integer", minimum: 0, maximum: 65_535 };
const keepOthers = { "x-kubernetes-preserve-unknown-fields": true };

/** Rules on the endpoint, given where the block is. Both doors use them. */
export function endpointRules(block: string, endpoint = "self.controlPlaneEndpoint"): readonly CrdSchema[] {
  const parents = block
    .split(".")
    .slice(1)
    .map(
      (_, depth) =>
        `has(self.${block
          .split(".")
          .slice(1, depth + 2)
          .join(".")})`,
    );
  const mapped = `${parents.join(" && ")} && has(${block}.availabilityZoneSubnets) && size(${block}.availabilityZoneSubnets) > 0`;
  const host = `has(${endpoint}) && has(${endpoint}.host) && size(${endpoint}.host) > 0`;
  const fieldPath = `${endpoint.replace(/^self/, "")}.host`;
  const isName = `${endpoint}.host.matches('${dnsNamePattern}') && !${endpoint}.host.matches('${numericEndPattern}')`;
  return [
    {
      rule: `!(${mapped}) || (${host})`,
      message:
        "controlPlaneEndpoint.host is required with availabilityZoneSubnets: nobody could choose one of the zones' addresses",
      reason: "FieldValueRequired",
      fieldPath,
    },
    {
      rule: `!(${mapped}) || !(${host}) || (${isName})`,
      message: "it must be a DNS name, not an address, with availabilityZoneSubnets",
      messageExpression: `'"' + ${endpoint}.host + '" is not a DNS name, which it must be with availabilityZoneSubnets: one address cannot stand for many balancers'`,
      fieldPath,
    },
  ];
}

const shared = {
  identityRef: identityRefSchema,
  network: { ...networkParam, description: "The cluster's own network, when it exists already." },
  subnets: { ...subnetParams, description: "Its subnets that are used; all when empty." },
  primarySubnet: { ...subnetParam, description: "The subnet that machines are registered with." },
  externalNetwork: { ...networkParam, description: "Where floating addresses come from." },
  tags: {
    type: "array",
    description: "Put on everything that is made for this cluster.",
    items: { ...text, maxLength: 255 },
    maxItems: 64,
    "x-kubernetes-list-type": "set",
  },
  controlPlaneAvailabilityZones: {
    type: "array",
    description: "Zones that control-plane machines may be put in.",
    items: { ...text, maxLength: 255 },
    maxItems: 64,
    "x-kubernetes-list-type": "set",
  },
  controlPlaneOmitAvailabilityZone: flag("Whether control-plane machines are made without naming a zone."),
};

function rules(disabled: string, floatingIpOff: string, words: string, block: string): readonly CrdSchema[] {
  return [
    {
      rule: `!(${disabled}) || !has(self.bastion) || !has(self.bastion.floatingIP)`,
      message: `bastion.floatingIP cannot be set without an external network`,
    },
    { rule: `!(${disabled}) || (${floatingIpOff})`, message: words },
    ...endpointRules(block),
  ];
}

const bastion = { type: "object", ...keepOthers, properties: { floatingIP: text } };

/** Those that v1beta2 has under another name. */
const movedV1beta1 = {
  apiServerLoadBalancer: apiServerLoadBalancerSchema,
  disableAPIServerFloatingIP: flag("Whether the API goes without a floating address."),
  apiServerFloatingIP: {
    ...text,
    maxLength: 64,
    description: "The floating address to use; with several zones the first zone's.",
  },
  apiServerFixedIP: {
    ...text,
    maxLength: 64,
    description: "The balancer's own address; with several zones the first zone's.",
  },
  apiServerPort: { ...port, description: "Where the API server listens; 6443 by default." },
  disableExternalNetwork: flag("Whether the cluster has no external network."),
};

export const specV1beta1: CrdSchema = {
  type: "object",
  description: "What is wanted of the cluster's infrastructure.",
  required: ["identityRef"],
  ...keepOthers,
  "x-kubernetes-validations": rules(
    "has(self.disableExternalNetwork) && self.disableExternalNetwork",
    "has(self.disableAPIServerFloatingIP) && self.disableAPIServerFloatingIP",
    "disableAPIServerFloatingIP must be true when disableExternalNetwork is",
    "self.apiServerLoadBalancer",
  ),
  properties: {
    ...shared,
    bastion,
    controlPlaneEndpoint: {
      type: "object",
      description:
        "Where the API is reached. A host of the user's is never changed; with several zones it must be a DNS name.",
      properties: { host: { ...text, maxLength: 512 }, port: { ...port, format: "int32" } },
    },
    ...movedV1beta1,
    ...namesOfV1beta2(movedV1beta1),
  },
};

export const specV1beta2: CrdSchema = {
  type: "object",
  description: "What is wanted of the cluster's infrastructure.",
  required: ["identityRef"],
  ...keepOthers,
  "x-kubernetes-validations": rules(
    "has(self.enableExternalNetwork) && !self.enableExternalNetwork",
    "has(self.apiServer) && has(self.apiServer.enableFloatingIP) && !self.apiServer.enableFloatingIP",
    "apiServer.enableFloatingIP must be false when enableExternalNetwork is",
    "self.apiServer.managedLoadBalancer",
  ),
  properties: {
    ...shared,
    bastion,
    controlPlaneEndpoint: {
      type: "object",
      description:
        "Where the API is reached. A host of the user's is never changed; with several zones it must be a DNS name.",
      minProperties: 1,
      properties: {
        host: { ...text, minLength: 1, maxLength: 512 },
        port: { ...port, minimum: 1, format: "int32" },
      },
    },
    apiServer: {
      type: "object",
      description: "How the API is reached.",
      ...keepOthers,
      properties: {
        managedLoadBalancer: apiServerLoadBalancerSchema,
        enableFloatingIP: flag("Whether the API has a floating address; it has by default."),
        floatingIP: {
          ...text,
          maxLength: 64,
          description: "The floating address to use; with several zones the first zone's.",
        },
        fixedIP: {
          ...text,
          maxLength: 64,
          description: "The balancer's own address; with several zones the first zone's.",
        },
        port: { ...port, description: "Where the API server listens; 6443 by default." },
      },
    },
    enableExternalNetwork: flag("Whether the cluster has an external network; it has by default."),
    ...namesOfV1beta1(movedV1beta1),
  },
};

const provisioned = {
  type: "object",
  description: "How far the first provisioning came.",
  ...keepOthers,
  properties: { provisioned: flag("Whether the cluster was reachable once. Never taken back.") },
};

const sharedStatus = {
  initialization: provisioned,
  lastKnownConditions,
  leavingLoadBalancers,
  legacyLoadBalancer,
  unansweredUntil,
  zonesServed,
  project: projectStatus,
  network: { ...networkStatus, description: "The cluster's own network." },
  externalNetwork: { ...networkStatus, description: "Where floating addresses come from." },
};

const deprecated = "Deprecated: with several zones it repeats the entry of the first mapping.";

export const statusV1beta1: CrdSchema = {
  type: "object",
  description: "What is there.",
  ...keepOthers,
  properties: {
    ...sharedStatus,
    ready: { ...flag("Whether the infrastructure is provisioned."), default: false },
    apiServerLoadBalancers: zoneLoadBalancerStatuses,
    apiServerLoadBalancer: { ...loadBalancerStatus, description: deprecated },
    failureDomains: {
      type: "object",
      description: "Zones, by name.",
      additionalProperties: { type: "object", ...keepOthers, properties: { controlPlane: { type: "boolean" } } },
    },
    conditions: formerConditions,
  },
};

export const statusV1beta2: CrdSchema = {
  type: "object",
  description: "What is there.",
  ...keepOthers,
  properties: {
    ...sharedStatus,
    apiServerManagedLoadBalancers: zoneLoadBalancerStatuses,
    apiServerManagedLoadBalancer: { ...loadBalancerStatus, description: deprecated },
    failureDomains: {
      type: "array",
      description: "Zones.",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: {
        type: "object",
        required: ["name"],
        ...keepOthers,
        properties: { name: { ...text, minLength: 1, maxLength: 256 }, controlPlane: { type: "boolean" } },
      },
    },
    conditions,
  },
};
