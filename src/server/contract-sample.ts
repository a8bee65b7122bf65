// Example answers of the read API, complete enough to build a page on: one object of every health, one of every kind of entry.

import type { ObjectDetail, ObjectId, ObjectSummary, PlanLogEntry } from "../core/views/object-view.ts";
import type { Fault, ManagerInfo, StreamMessage } from "./contract.ts";

const infrastructure: ObjectId = {
  resource: "infrastructures.config.openshift.io",
  kind: "Infrastructure",
  name: "cluster",
};
const report: ObjectId = {
  resource: "topologyreports.topology.mainstay.dev",
  kind: "TopologyReport",
  name: "cluster",
};
const pool = (name: string): ObjectId => ({
  resource: "gatewaypools.gateway.mainstay.dev",
  kind: "GatewayPool",
  namespace: "edge",
  name,
});

export const sampleObjects: readonly ObjectSummary[] = [
  {
    id: infrastructure,
    controllers: ["topology"],
    health: "refused",
    sentence: "Published topology does not fit the cluster: declared are 1 control-plane nodes, seen are 3.",
    reason: "TopologyDrift",
    since: "2026-01-01T10:03:00Z",
    deleting: false,
    revision: "412-7",
  },
  {
    id: report,
    controllers: ["topology"],
    health: "degraded",
    sentence: "MatchesCluster is not so: declared are 1 control-plane nodes, seen are 3.",
    reason: "TopologyDrift",
    since: "2026-01-01T10:03:00Z",
    deleting: false,
    revision: "413-7",
  },
  {
    id: pool("public"),
    controllers: ["gateway-pool"],
    health: "progressing",
    sentence: "Waits: port 10.0.0.7 is being built.",
    deleting: false,
    revision: "500-1",
  },
  {
    id: pool("internal"),
    controllers: ["gateway-pool"],
    health: "healthy",
    sentence: "Everything is as it should be.",
    since: "2026-01-01T09:00:00Z",
    deleting: false,
    revision: "501-1",
  },
  {
    id: pool("lost"),
    controllers: ["gateway-pool"],
    health: "unknown",
    sentence: "Nothing has been reported yet.",
    deleting: true,
    revision: "502-1",
  },
];

const drift = {
  reason: "TopologyDrift",
  severity: "warning",
  summary: "The published topology does not fit what the cluster looks like; it is not changed.",
  runbook: "docs/operations/TopologyDrift.md",
} as const;

export const sampleLog: readonly PlanLogEntry[] = [
  {
    id: 4,
    time: "2026-01-01T10:03:00.000Z",
    controller: "topology",
    object: infrastructure,
    action: "refuse",
    words: "declared are 1 control-plane nodes, seen are 3",
    because: "TopologyDrift",
    severity: "warning",
    runbook: drift.runbook,
    result: "refused",
    message: "declared are 1 control-plane nodes, seen are 3",
    epoch: 63158400,
  },
  {
    id: 3,
    time: "2026-01-01T10:00:01.200Z",
    controller: "topology",
    object: infrastructure,
    action: "publish",
    words: "publish name=cluster controlPlane=SingleReplica in status because TopologyEmpty",
    because: "TopologyEmpty",
    severity: "info",
    runbook: "docs/operations/TopologyEmpty.md",
    lane: "status",
    result: "done",
    epoch: 63158400,
  },
  {
    id: 2,
    time: "2026-01-01T10:00:01.100Z",
    controller: "topology",
    object: infrastructure,
    action: "publish",
    words: "publish name=cluster controlPlane=SingleReplica in status because TopologyEmpty",
    because: "TopologyEmpty",
    severity: "info",
    runbook: "docs/operations/TopologyEmpty.md",
    lane: "status",
    result: "failed",
    message: "patch infrastructures.config.openshift.io cluster: no connection",
    epoch: 63158400,
  },
  {
    id: 1,
    time: "2026-01-01T10:00:01.000Z",
    controller: "topology",
    object: infrastructure,
    action: "delete-report",
    words: "delete-report name=cluster in report removing TopologyReport/cluster because TopologyReportOrphaned",
    because: "TopologyReportOrphaned",
    severity: "info",
    runbook: "docs/operations/TopologyReportOrphaned.md",
    lane: "report",
    removes: "TopologyReport/cluster",
    result: "skipped",
    message: "lane backs off: no connection",
    epoch: 63158400,
  },
];

export const sampleDetail: ObjectDetail = {
  ...(sampleObjects[0] as ObjectSummary),
  what: "The cluster's high-availability mode, as operators read it.",
  createdAt: "2026-01-01T09:59:00Z",
  generation: 2,
  conditions: [
    {
      type: "Published",
      status: "True",
      good: true,
      reason: "TopologyPublished",
      severity: "info",
      summary: "The topology fields hold what was declared.",
      runbook: "docs/operations/TopologyPublished.md",
      message: "controlPlane SingleReplica, infrastructure SingleReplica",
      words: "Published: controlPlane SingleReplica, infrastructure SingleReplica.",
      since: "2026-01-01T10:00:02Z",
      outdated: false,
    },
    {
      type: "MatchesCluster",
      status: "False",
      good: false,
      ...drift,
      message: "declared are 1 control-plane nodes, seen are 3",
      words: "MatchesCluster is not so: declared are 1 control-plane nodes, seen are 3.",
      since: "2026-01-01T10:03:00Z",
      outdated: false,
    },
    {
      type: "Settled",
      status: "Unknown",
      good: false,
      reason: "SomebodyElsesReason",
      severity: "warning",
      summary: "",
      message: "cannot be told",
      words: "Whether Settled is so is unknown: cannot be told.",
      since: "2026-01-01T10:03:00Z",
      outdated: true,
    },
  ],
  plans: [
    {
      controller: "topology",
      at: "2026-01-01T10:03:00.000Z",
      outcome: "refused",
      sentence: "Nothing is left to do but what may not be done.",
      actions: [
        {
          action: "publish",
          words: "publish name=cluster controlPlane=SingleReplica in status because TopologyEmpty",
          reason: "TopologyEmpty",
          severity: "info",
          summary: "A topology field is empty and is filled from what was declared.",
          runbook: "docs/operations/TopologyEmpty.md",
          lane: "status",
          result: "failed",
          failure: {
            reason: "ApiUnreachable",
            severity: "error",
            summary: "No connection to the API server.",
            runbook: "docs/operations/ApiUnreachable.md",
            message: "patch infrastructures.config.openshift.io cluster: no connection",
          },
        },
      ],
      waits: [
        {
          reason: "ClusterVersionProgressing",
          severity: "info",
          summary: "An upgrade of the cluster is under way; a requested topology waits for its end.",
          runbook: "docs/operations/ClusterVersionProgressing.md",
          message: "ClusterVersion/version: Progressing is True",
          recheckAfterMs: 30_000,
        },
      ],
      refusals: [{ ...drift, message: "declared are 1 control-plane nodes, seen are 3" }],
      troubles: [],
    },
  ],
  history: sampleLog,
  events: [
    {
      ...drift,
      type: "Warning",
      action: "refused",
      message: "declared are 1 control-plane nodes, seen are 3",
      controller: "mainstay.dev/topology",
      count: 3,
      firstSeen: "2026-01-01T10:03:00.000000Z",
      lastSeen: "2026-01-01T10:09:00.000000Z",
    },
  ],
  relations: [{ relation: "report", id: report, health: "degraded" }],
};

export const sampleManager: ManagerInfo = {
  identity: "manager-1",
  version: "0.1.0",
  demo: true,
  leading: true,
  epoch: 63158400,
  leader: "manager-1",
  ready: true,
  missing: ["clusterversions.config.openshift.io: not served (optional)"],
  startedAt: "2026-01-01T10:00:00.000Z",
  controllers: [{ name: "topology", resource: infrastructure.resource }],
  replicas: [
    { identity: "manager-1", state: "leading" },
    { identity: "manager-2", state: "standby" },
  ],
};

export const sampleFaults: readonly Fault[] = [
  {
    id: "api-server-away",
    title: "API server away",
    description: "Every call to the API server fails as if it were not there.",
    watch: "The leader cannot renew its lease and stops leading; when the server is back one of the two takes over.",
    parameters: [{ name: "seconds", title: "for", unit: "s", default: 20, min: 1, max: 300 }],
    active: {
      startedAt: "2026-01-01T10:10:00.000Z",
      endsAt: "2026-01-01T10:10:20.000Z",
      parameters: { seconds: 20 },
      says: "17 calls failed",
    },
  },
  {
    id: "kill-leader",
    title: "Kill the leader",
    description: "The leading manager dies without giving its lease back.",
    watch: "The other manager takes over when the lease has run out.",
    parameters: [{ name: "seconds", title: "back after", unit: "s", default: 15, min: 1, max: 300 }],
  },
];

export const sampleSnapshot: StreamMessage = {
  type: "snapshot",
  id: "b0-1",
  objects: sampleObjects,
  hiddenKinds: [],
  manager: sampleManager,
  faults: { enabled: true, faults: sampleFaults },
  log: sampleLog,
};
