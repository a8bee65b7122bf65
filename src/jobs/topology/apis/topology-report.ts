// TopologyReport: what Mainstay has to say about the cluster's topology. It exists because the upstream Infrastructure
// has no conditions and its schema would prune them. Consumers never read it; people and alerts do.

import { type CustomResourceDefinition, conditionsSchema, ownedCrdMetadata } from "../../../apis/kube/crd.ts";
import type { Condition, Kind, KubeObject } from "../../../apis/kube/kube-object.ts";

export interface TopologyReport extends KubeObject {
  readonly status?: {
    readonly published?: TopologyText;
    readonly declared?: TopologyText & { readonly source?: string; readonly rules?: string };
    readonly seen?: { readonly controlPlaneNodes: number; readonly workerNodes: number; readonly arbiterNodes: number };
    readonly conditions?: readonly Condition[];
  };
}

/** Values as text: the cluster may hold some that this version does not know. */
export interface TopologyText {
  readonly controlPlaneTopology?: string;
  readonly infrastructureTopology?: string;
}

export const topologyReports: Kind<TopologyReport> = {
  group: "topology.mainstay.dev",
  version: "v1alpha1",
  kind: "TopologyReport",
  plural: "topologyreports",
  namespaced: false,
};

const text = { type: "string" };
const pair = {
  controlPlaneTopology: { ...text, description: "Expectation for operands on control-plane nodes." },
  infrastructureTopology: { ...text, description: "Expectation for operands on all other nodes." },
};

export const topologyReportCrd: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: ownedCrdMetadata(`${topologyReports.plural}.${topologyReports.group}`, 2),
  spec: {
    group: topologyReports.group,
    scope: "Cluster",
    names: {
      kind: "TopologyReport",
      listKind: "TopologyReportList",
      plural: "topologyreports",
      singular: "topologyreport",
      categories: ["mainstay"],
    },
    versions: [
      {
        name: topologyReports.version,
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          column("Control Plane", ".status.published.controlPlaneTopology"),
          column("Infrastructure", ".status.published.infrastructureTopology"),
          column("Ready", conditionPath("Ready")),
          column("Reason", conditionPath("Ready", "reason")),
          column("Published", conditionPath("Published")),
          column("Unaltered", conditionPath("Unaltered")),
          column("Matches", conditionPath("MatchesCluster")),
          { ...column("Settled", conditionPath("Settled")), priority: 1 },
          { ...column("Message", conditionPath("Ready", "message")), priority: 1 },
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
        schema: {
          openAPIV3Schema: {
            type: "object",
            description:
              "TopologyReport says whether the published topology is the declared one, whether somebody altered it, and whether it fits what the cluster looks like. Mainstay writes it; nothing reads it back.",
            properties: {
              apiVersion: text,
              kind: text,
              metadata: { type: "object" },
              status: { type: "object", description: "Written by Mainstay.", properties: statusProperties() },
            },
          },
        },
      },
    ],
  },
};

function statusProperties() {
  return {
    published: { type: "object", description: "What Infrastructure/cluster says right now.", properties: pair },
    declared: {
      type: "object",
      description: "What was declared when the cluster was made.",
      properties: {
        ...pair,
        source: { ...text, description: "Where the declaration was read." },
        rules: { ...text, description: "The rule set it was derived by: two-modes (formerly seed) or current." },
      },
    },
    seen: {
      type: "object",
      description: "Nodes, counted for this report alone: no topology is ever derived from them.",
      properties: {
        controlPlaneNodes: { type: "integer", description: "Nodes with the control-plane role." },
        workerNodes: { type: "integer", description: "Nodes with neither the control-plane nor the arbiter role." },
        arbiterNodes: { type: "integer", description: "Nodes with the arbiter role." },
      },
    },
    conditions: conditionsSchema(
      "Ready: all the others are True; if not, it names the root cause. Published: the fields hold what was declared. Unaltered: nobody else changed them since. MatchesCluster: they fit the nodes and the replicas declared today. Settled: no request for another topology is open.",
    ),
  };
}

function column(name: string, jsonPath: string) {
  return { name, type: "string", jsonPath };
}

function conditionPath(type: string, field = "status"): string {
  return `.status.conditions[?(@.type=="${type}")].${field}`;
}
