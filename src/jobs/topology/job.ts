// The topology job: the cluster's high-availability mode as an API that operators obey.

import { z } from "zod";
import { kubeadmControlPlanes, machineDeployments } from "../../apis/cluster-api/cluster-api-kinds.ts";
import { declareJob, type Headline } from "../../core/job/declaration.ts";
import { infrastructureName, infrastructures } from "./apis/infrastructure.ts";
import { infrastructureCrd } from "./apis/infrastructure-crd.ts";
import { topologyReportCrd, topologyReports } from "./apis/topology-report.ts";
import { topologyCauseOrder } from "./core/cause-order.ts";
import { topologyChanges } from "./core/change-reasons.ts";
import { formerTwoModes, ruleSets } from "./core/derive.ts";
import { topologyCauses, topologyReasons } from "./core/reasons.ts";
import { topologyPicture } from "./core/topology-picture.ts";

const headline: Headline = { condition: "Ready", order: topologyCauseOrder };

export const topologyJob = declareJob({
  name: "topology",
  summary: "The cluster's high-availability mode as an API that operators obey.",
  controllers: {
    topology: {
      summary: "Publishes the cluster's high-availability mode and reports what does not fit it.",
      shows: [
        {
          kind: infrastructures,
          what: "The cluster's high-availability mode, as operators read it.",
          picture: topologyPicture,
          headline,
        },
        {
          kind: topologyReports,
          what: "What Mainstay has to say about the published topology: whether it is the declared one, unaltered, and fits.",
          reportsOnRoot: true,
          picture: topologyPicture,
          headline,
        },
      ],
      follows:
        "Whether an upgrade is in progress, whether the definition has the fields, which nodes there are, and the installer's configuration, where the cluster declares its replicas.",
      permissions: [
        {
          rights: [
            { kind: infrastructures, verb: "patch", name: infrastructureName },
            { kind: infrastructures, subresource: "status", verb: "patch", name: infrastructureName },
            { kind: topologyReports, verb: "create" },
            { kind: topologyReports, verb: "delete", name: infrastructureName },
            { kind: topologyReports, subresource: "status", verb: "patch", name: infrastructureName },
          ],
        },
        {
          purpose: "Only with topology.cluster in the configuration.",
          forSomeConfigurations: true,
          rights: [...kubeadmControlPlanes.slice(0, 1), ...machineDeployments.slice(0, 1)].flatMap((kind) =>
            ["list", "watch"].map((verb) => ({ kind, verb, optional: true })),
          ),
        },
      ],
    },
  },
  definitions: [{ crd: infrastructureCrd }, { crd: topologyReportCrd }],
  admission: [],
  conversion: [],
  reasons: topologyReasons,
  causes: topologyCauses,
  changes: topologyChanges,
  metrics: {},
  settings: {
    key: "topology",
    schema: z.strictObject({
      rules: z
        .enum([...ruleSets, formerTwoModes])
        .default("two-modes")
        .describe(
          "How replicas become a topology: `two-modes` knows HighlyAvailable and SingleReplica alone, `current` today's values. `seed` is the former name of `two-modes`.",
        ),
      upgradeGate: z
        .enum(["ClusterVersion", "none"])
        .default("ClusterVersion")
        .describe(
          "What a requested topology waits for: the end of an upgrade that ClusterVersion reports, or nothing, for clusters without ClusterVersion.",
        ),
      cluster: z
        .strictObject({
          namespace: z
            .string()
            .regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, "must be a DNS label: lower case letters, digits and dashes")
            .describe("Namespace of the Cluster API Cluster that describes this very cluster."),
          name: z.string().min(1).describe("Its name."),
        })
        .optional(),
    }),
  },
  featureGates: {
    MutableTopology: {
      stage: "alpha",
      default: false,
      since: "0.1.0",
      description: "A change of the topology in spec reaches status once no upgrade is in progress.",
    },
  },
});
