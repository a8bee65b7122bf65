// Our definition of Infrastructure, for clusters that have none: it describes the fields we own and keeps all others.
// On OpenShift the upstream definition is there already, lacks our mark, and is left alone.

import { type CustomResourceDefinition, ownedCrdMetadata } from "../../../apis/kube/crd.ts";
import {
  controlPlaneTopologies,
  defaultTopology,
  infrastructures,
  infrastructureTopologies,
} from "./infrastructure.ts";

// A request may always be absent, be withdrawn, stay as it is, or repeat what is published; the one change that can be
// asked for is from a single replica to high availability. An empty status reads as HighlyAvailable, as for consumers.
const requestRule = [
  "!has(self.spec) || !has(self.spec.controlPlaneTopology)",
  "(has(oldSelf.spec) && has(oldSelf.spec.controlPlaneTopology) && oldSelf.spec.controlPlaneTopology == self.spec.controlPlaneTopology)",
  "self.spec.controlPlaneTopology == (has(self.status) && has(self.status.controlPlaneTopology) ? self.status.controlPlaneTopology : 'HighlyAvailable')",
  "(self.spec.controlPlaneTopology == 'HighlyAvailable' && has(self.status) && has(self.status.controlPlaneTopology) && self.status.controlPlaneTopology == 'SingleReplica')",
].join(" || ");

export const infrastructureCrd: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: ownedCrdMetadata(`${infrastructures.plural}.${infrastructures.group}`, 1),
  spec: {
    group: infrastructures.group,
    scope: "Cluster",
    names: {
      kind: "Infrastructure",
      listKind: "InfrastructureList",
      plural: "infrastructures",
      singular: "infrastructure",
    },
    versions: [
      {
        name: infrastructures.version,
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          column("Control Plane", ".status.controlPlaneTopology", "Expectation for operands on control-plane nodes"),
          column("Infrastructure", ".status.infrastructureTopology", "Expectation for operands on all other nodes"),
          { ...column("Requested", ".spec.controlPlaneTopology", "Requested control-plane topology"), priority: 1 },
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
        schema: {
          openAPIV3Schema: {
            type: "object",
            description:
              "Infrastructure tells every operator of the cluster how the cluster is built. The object named cluster is the only one that is read.",
            "x-kubernetes-preserve-unknown-fields": true,
            "x-kubernetes-validations": [
              {
                rule: requestRule,
                message:
                  "spec.controlPlaneTopology may repeat status.controlPlaneTopology, or ask for HighlyAvailable while it is SingleReplica",
              },
            ],
            properties: {
              apiVersion: { type: "string" },
              kind: { type: "string" },
              metadata: { type: "object" },
              spec: {
                type: "object",
                description: "What an administrator wants of the infrastructure.",
                "x-kubernetes-preserve-unknown-fields": true,
                properties: {
                  controlPlaneTopology: {
                    type: "string",
                    enum: ["HighlyAvailable", "SingleReplica"],
                    description:
                      "Asks for another control-plane topology. Honoured only while the feature gate MutableTopology is on and no upgrade is under way; leave it out to ask for nothing. The one possible change is from SingleReplica to HighlyAvailable.",
                  },
                },
              },
              status: {
                type: "object",
                description: "What operators may rely on.",
                "x-kubernetes-preserve-unknown-fields": true,
                properties: {
                  controlPlaneTopology: {
                    type: "string",
                    enum: [...controlPlaneTopologies],
                    default: defaultTopology,
                    description:
                      "How hard operators should work for the availability of operands that normally run on control-plane nodes. HighlyAvailable: spread several replicas. SingleReplica: one replica is all there is. DualReplica and HighlyAvailableArbiter: two nodes can run operands. External: the control plane runs outside this cluster. Empty means HighlyAvailable. Set once when the cluster is made; node counts never change it.",
                  },
                  infrastructureTopology: {
                    type: "string",
                    enum: [...infrastructureTopologies],
                    default: defaultTopology,
                    description:
                      "The same expectation for operands that run on any other node: registry, router, monitoring and the like. Empty means HighlyAvailable. Set once when the cluster is made; node counts never change it.",
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};

function column(name: string, jsonPath: string, description: string) {
  return { name, type: "string", jsonPath, description };
}
