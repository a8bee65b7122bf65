// The api-endpoint job: one Kubernetes API load balancer per availability zone on OpenStack Octavia.

import { clusters } from "../../apis/cluster-api/cluster-api-kinds.ts";
import { dnsEndpoints } from "../../apis/external-dns/dns-endpoint.ts";
import { namespaces, secrets } from "../../apis/kube/builtin-kinds.ts";
import type { Kind } from "../../apis/kube/kube-object.ts";
import { annotationsInCel } from "../../apis/kube/webhook-configuration.ts";
import { openStackClusterIdentities } from "../../apis/openstack/openstack-cluster-identity.ts";
import { admission } from "../../core/job/admission.ts";
import { declareJob, type Headline } from "../../core/job/declaration.ts";
import type { PermissionGroup } from "../../core/job/permission.ts";
import { externallyManagedAnnotation } from "./apis/annotations.ts";
import { apiEndpoints } from "./apis/api-endpoint/api-endpoint.ts";
import { apiEndpointCrd } from "./apis/api-endpoint/api-endpoint-crd.ts";
import {
  apiEndpointProblems,
  apiEndpointUpdateProblems,
  apiEndpointUpdateWarnings,
  apiEndpointWarnings,
} from "./apis/api-endpoint/api-endpoint-validation.ts";
import { capoFinalizer, openStackClusters } from "./apis/openstack-cluster/openstack-cluster.ts";
import { convertOpenStackCluster, spokenVersion } from "./apis/openstack-cluster/openstack-cluster-conversion.ts";
import { openStackClusterCrd } from "./apis/openstack-cluster/openstack-cluster-crd.ts";
import {
  openStackClusterUpdateProblems,
  openStackClusterUpdateWarnings,
} from "./apis/openstack-cluster/openstack-cluster-update.ts";
import {
  openStackClusterProblems,
  openStackClusterWarnings,
} from "./apis/openstack-cluster/openstack-cluster-validation.ts";
import { endpointChanges } from "./core/model/change-reasons.ts";
import { endpointMetrics } from "./core/model/metrics.ts";
import { endpointPicture } from "./core/picture/endpoint-picture.ts";
import { endpointCauses, endpointReasons } from "./core/reasons.ts";
import { causeOrder } from "./core/status/cause-order.ts";
import { zoneParts } from "./core/status/zone-parts.ts";
import { endpointSettings } from "./settings.ts";

/** Conditions that mean a problem when they are True. */
const badWhenTrue = ["LoadBalancerKept"];

const headline: Headline = { condition: "Ready", order: causeOrder };

export const apiEndpointJob = declareJob({
  name: "api-endpoint",
  summary: "One Kubernetes API load balancer per availability zone on OpenStack Octavia.",
  controllers: {
    "openstack-cluster": {
      summary: "API load balancers on OpenStack, one per zone, for clusters that Mainstay owns.",
      shows: [
        {
          kind: openStackClusters,
          what: "A cluster's API load balancers on OpenStack, one for each availability zone.",
          parts: zoneParts,
          picture: endpointPicture,
          badWhenTrue,
          headline,
          meantBy: {
            names: ["cluster", "clusters", "clusters.cluster.x-k8s.io"],
            words: "A Cluster's balancers are those of its OpenStackCluster",
          },
        },
      ],
      follows:
        "Clusters and machines: whose load balancers they are, and which machines are members. APIEndpoints: whether one has the same owner id.",
      permissions: permissionsFor(openStackClusters),
    },
    "api-endpoint": {
      summary: "The same beside CAPO, through an object of our own.",
      shows: [
        {
          kind: apiEndpoints,
          what: "API load balancers for a cluster whose OpenStackCluster belongs to CAPO.",
          parts: zoneParts,
          picture: endpointPicture,
          badWhenTrue,
          headline,
        },
      ],
      follows: "Machines: which of them are members.",
      permissions: [
        ...permissionsFor(apiEndpoints),
        {
          purpose: "An APIEndpoint goes with its Cluster, when the last machine is gone; unless its user keeps it.",
          rights: [{ kind: apiEndpoints, verb: "delete" }],
        },
        {
          purpose:
            "An OpenStackCluster that Mainstay manages comes before an APIEndpoint of the same cluster. Only with `openGate`: the endpoint is written to CAPO's object, which waits for it.",
          rights: [
            { kind: openStackClusters, verb: "get", optional: true },
            { kind: openStackClusters, verb: "patch", optional: true },
            { kind: clusters, verb: "get" },
          ],
        },
      ],
    },
  },
  definitions: [{ crd: openStackClusterCrd(), withConversion: openStackClusterCrd }, { crd: apiEndpointCrd }],
  admission: [
    admission({
      kind: openStackClusters,
      only: [{ name: "not-of-capo", expression: notOfCapo() }],
      problems: (object, version) => openStackClusterProblems(object, spokenVersion(version)),
      updateProblems: (before, after, version) => openStackClusterUpdateProblems(before, after, spokenVersion(version)),
      warnings: (object, version) => openStackClusterWarnings(object, spokenVersion(version)),
      updateWarnings: (before, after, version) => openStackClusterUpdateWarnings(before, after, spokenVersion(version)),
    }),
    admission({
      kind: apiEndpoints,
      problems: apiEndpointProblems,
      updateProblems: apiEndpointUpdateProblems,
      warnings: apiEndpointWarnings,
      updateWarnings: apiEndpointUpdateWarnings,
    }),
  ],
  conversion: [{ kind: openStackClusters, convert: convertOpenStackCluster }],
  reasons: endpointReasons,
  causes: endpointCauses,
  changes: endpointChanges,
  metrics: endpointMetrics,
  settings: { key: "apiEndpoint", schema: endpointSettings },
  featureGates: {},
});

/** Which OpenStackClusters the API server asks us about, as CEL. CAPO's own are CAPO's to check: they bear its finalizer, and nobody gave them to us. */
function notOfCapo(): string {
  const finalizers = "(has(object.metadata.finalizers) ? object.metadata.finalizers : [])";
  const labels = "(has(object.metadata.labels) ? object.metadata.labels : {})";
  const managedBy = `'${externallyManagedAnnotation}'`;
  return `!('${capoFinalizer}' in ${finalizers}) || ${finalizers}.exists(f, f.startsWith('mainstay.dev/')) || ${managedBy} in ${annotationsInCel("object")} || ${managedBy} in ${labels}`;
}

/** The same for both front doors. */
function permissionsFor(root: Kind): readonly PermissionGroup[] {
  return [
    {
      rights: [
        { kind: root, verb: "get" },
        { kind: root, verb: "patch" },
        { kind: root, subresource: "status", verb: "patch" },
      ],
    },
    {
      purpose:
        "Credentials: the Secrets that objects name, and identities that lend one to chosen namespaces. A Secret gets our finalizer while it is needed to clean up, and no other change. Where all of them are known, replace this rule by Roles in their namespaces with resourceNames.",
      rights: [
        { kind: secrets, verb: "get" },
        { kind: secrets, verb: "patch", optional: true },
        { kind: openStackClusterIdentities, verb: "get", optional: true },
        { kind: namespaces, verb: "get", optional: true },
      ],
    },
    {
      purpose:
        "Reading: no address is given back before it is known that no record names it. Writing: only for objects that ask for their records to be published.",
      rights: ["get", "create", "patch", "delete"].map((verb) => ({ kind: dnsEndpoints, verb, optional: true })),
    },
  ];
}
