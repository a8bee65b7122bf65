// The objects that the commands of runbook pages look at, as a user or a controller would have written them.

import { allReasons } from "../../src/core/reasons.ts";
import { ids, zonesSpec } from "../api-endpoint/api/api-world.ts";
import type { Preferred } from "./kubectl-world.ts";

export const names = {
  namespace: "clusters",
  cluster: "blue",
  machine: "blue-cp-1",
  secret: "cloud",
  pod: "mainstay-0",
  node: "node-1",
} as const;

const { namespace, cluster, machine, secret, pod, node } = names;
const owner = { "cluster.x-k8s.io/managed-by": "mainstay", "mainstay.dev/owner-id": "5f8c" };
const ofControlPlane = { "cluster.x-k8s.io/cluster-name": cluster, "cluster.x-k8s.io/control-plane": "" };

/** In the order in which they can be made. `kubeletPort`: where the Pod's log is asked for. */
export function worldObjects(preferred: Preferred, kubeletPort: number): readonly object[] {
  return [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    ...managedCluster(preferred),
    ...topologyObjects,
    ...managerObjects(kubeletPort),
    ...[...allReasons().keys()].map(eventWith),
  ];
}

function managedCluster(preferred: Preferred): readonly object[] {
  const clusterApi = `cluster.x-k8s.io/${preferred}`;
  const infrastructure = "infrastructure.cluster.x-k8s.io";
  const reference =
    preferred === "v1beta2" ? { apiGroup: infrastructure } : { apiVersion: `${infrastructure}/v1beta1` };
  const data = { "clouds.yaml": Buffer.from("clouds: {}\n").toString("base64") };
  const inNamespace = (name: string, more: object = {}) => ({ name, namespace, ...more });
  const spec = { ...zonesSpec, identityRef: { name: secret, cloudName: "openstack" } };
  return [
    { apiVersion: "v1", kind: "Secret", metadata: inNamespace(secret), data },
    {
      apiVersion: clusterApi,
      kind: "Cluster",
      metadata: inNamespace(cluster),
      spec: {
        paused: true,
        controlPlaneEndpoint: spec.controlPlaneEndpoint,
        infrastructureRef: { ...reference, kind: "OpenStackCluster", name: cluster },
      },
    },
    {
      apiVersion: `${infrastructure}/v1beta1`,
      kind: "OpenStackCluster",
      metadata: inNamespace(cluster, { annotations: owner, finalizers: ["mainstay.dev/api-endpoint"] }),
      spec,
    },
    {
      apiVersion: "mainstay.dev/v1alpha1",
      kind: "APIEndpoint",
      metadata: inNamespace(cluster, { annotations: { "mainstay.dev/owner-id": "6a1d" } }),
      spec: { clusterRef: { name: cluster }, ...spec, network: { id: ids.network } },
    },
    {
      apiVersion: clusterApi,
      kind: "Machine",
      metadata: inNamespace(machine, { labels: ofControlPlane }),
      spec: {
        clusterName: cluster,
        failureDomain: "az1",
        bootstrap: { dataSecretName: secret },
        infrastructureRef: { ...reference, kind: "OpenStackMachine", name: machine },
      },
    },
    {
      apiVersion: `${infrastructure}/${preferred}`,
      kind: "OpenStackMachine",
      metadata: inNamespace(machine),
      status: { addresses: [{ type: "InternalIP", address: "10.0.1.11" }] },
    },
    {
      apiVersion: "externaldns.k8s.io/v1alpha1",
      kind: "DNSEndpoint",
      metadata: inNamespace(cluster),
      spec: { endpoints: [{ dnsName: "api.blue.example.com", recordType: "A", targets: ["192.0.2.7"] }] },
    },
  ];
}

const topology = { controlPlaneTopology: "SingleReplica", infrastructureTopology: "SingleReplica" };
const settled = {
  type: "Settled",
  status: "False",
  reason: "ClusterVersionProgressing",
  message: "an upgrade is in progress",
  lastTransitionTime: "2026-01-01T00:00:00Z",
};

const topologyObjects: readonly object[] = [
  {
    apiVersion: "config.openshift.io/v1",
    kind: "Infrastructure",
    metadata: {
      name: "cluster",
      annotations: { "topology.mainstay.dev/recorded": "{}", "topology.mainstay.dev/declared": "{}" },
    },
    spec: { controlPlaneTopology: "HighlyAvailable" },
    status: topology,
  },
  {
    apiVersion: "topology.mainstay.dev/v1alpha1",
    kind: "TopologyReport",
    metadata: { name: "cluster" },
    status: { published: topology, seen: { controlPlaneNodes: 1 }, conditions: [settled] },
  },
  {
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterVersion",
    metadata: { name: "version" },
    status: { conditions: [{ type: "Progressing", status: "True" }] },
  },
  { apiVersion: "config.openshift.io/v1", kind: "ClusterOperator", metadata: { name: "etcd" } },
  {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "cluster-config-v1", namespace: "kube-system" },
    data: { "install-config": "controlPlane: {replicas: 1}\n" },
  },
];

/** The manager's Pod, its Lease, and the node that answers for its log. */
function managerObjects(kubeletPort: number): readonly object[] {
  const addresses = [{ type: "InternalIP", address: "127.0.0.1" }];
  const system = { namespace: "mainstay-system" };
  return [
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "somebody-elses" },
      webhooks: [],
    },
    {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: node, labels: { "node-role.kubernetes.io/control-plane": "" } },
      status: { addresses, daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort } } },
    },
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: pod, ...system },
      spec: { nodeName: node, serviceAccountName: "mainstay", containers: [{ name: "manager", image: "mainstay" }] },
    },
    {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name: "mainstay", ...system },
      spec: { holderIdentity: pod, leaseTransitions: 2, renewTime: "2026-01-01T00:00:00.000000Z" },
    },
  ];
}

function eventWith(reason: string): object {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: reason.toLowerCase(), namespace },
    involvedObject: { kind: "OpenStackCluster", name: cluster, namespace },
    reason,
    message: reason,
    type: "Warning",
  };
}
