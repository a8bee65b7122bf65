// Example answers of the read API, complete enough to build a page on: one object of every health, one of every kind of entry. Objects and
// records in, answers out: the words come from the functions that word real answers, so that they cannot drift apart.

import type { Condition, Kind, KubeObject } from "../../src/apis/kube/kube-object.ts";
import { refOf } from "../../src/apis/kube/kube-object.ts";
import { describeAction } from "../../src/core/describe-action.ts";
import { type Action, laneName } from "../../src/core/plan.ts";
import type { LogRecord, PlanRecord, RecordedAction } from "../../src/core/plan-record.ts";
import { present } from "../../src/core/present.ts";
import { objectDetail, objectSummary, type SummaryInput } from "../../src/core/views/object-summary.ts";
import type { ObjectDetail, ObjectSummary, PlanLogEntry } from "../../src/core/views/object-view.ts";
import { logEntry, objectId } from "../../src/core/views/plan-view.ts";
import { infrastructures } from "../../src/jobs/topology/apis/infrastructure.ts";
import { topologyReports } from "../../src/jobs/topology/apis/topology-report.ts";
import type { Fault, ManagerInfo, StreamMessage } from "../../src/server/contract.ts";

const startMs = Date.UTC(2026, 0, 1, 10);
const iso = (seconds: number): string => new Date(startMs + seconds * 1_000).toISOString();
const term = 63_158_400;
const drift = "declared are 1 control-plane nodes, seen are 3";
const gatewayPools: Kind = {
  group: "gateway.mainstay.dev",
  version: "v1alpha1",
  kind: "GatewayPool",
  plural: "gatewaypools",
  namespaced: true,
};

const condition = (type: string, status: Condition["status"], reason: string, message: string) => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: iso(type === "Published" ? 2 : 180),
  observedGeneration: type === "Settled" ? 1 : 2,
});

function object(kind: Kind, name: string, conditions: readonly object[] = [], metadata: object = {}): KubeObject {
  const namespace = kind.namespaced ? { namespace: "edge" } : {};
  const head = { name, ...namespace, generation: 2, creationTimestamp: iso(-60), resourceVersion: "412", ...metadata };
  return {
    apiVersion: `${kind.group}/${kind.version}`,
    kind: kind.kind,
    metadata: head,
    status: { conditions },
  } as KubeObject;
}

const cluster = object(infrastructures, "cluster", [
  condition("Published", "True", "TopologyPublished", "controlPlane SingleReplica, infrastructure SingleReplica"),
  condition("Settled", "Unknown", "SomebodyElsesReason", "cannot be told"),
]);
const report = object(topologyReports, "cluster", [condition("MatchesCluster", "False", "TopologyDrift", drift)]);
const pool = (name: string, good: boolean, metadata: object = {}) =>
  object(
    gatewayPools,
    name,
    good ? [condition("Ready", "True", "AsExpected", "every gateway carries its addresses")] : [],
    metadata,
  );

const publish: Action & { readonly name: string; readonly controlPlane: string } = {
  kind: "publish",
  name: "cluster",
  controlPlane: "SingleReplica",
  lane: { part: "status" },
  because: "TopologyEmpty",
};
const deleteReport: Action & { readonly name: string } = {
  kind: "delete-report",
  name: "cluster",
  lane: { part: "report" },
  removes: "TopologyReport/cluster",
  because: "TopologyReportOrphaned",
};
const noConnection = "patch infrastructures.config.openshift.io cluster: no connection";

function recorded(action: Action, result: RecordedAction["result"]): RecordedAction {
  const { kind, because, lane, removes } = action;
  return {
    action: kind,
    words: describeAction(action),
    because,
    ...(lane === undefined ? {} : { lane: laneName(lane) }),
    ...present({ removes }),
    result,
  };
}

function plan(controller: string, of: KubeObject, kind: Kind, rest: Partial<PlanRecord>): PlanRecord {
  const empty = { actions: [], waits: [], refusals: [], troubles: [] };
  const head = {
    controller,
    kind,
    key: refOf(of),
    atMs: startMs + 180_000,
    epoch: term,
    revision: 7,
    outcome: "quiet",
  };
  return { ...head, ...empty, ...rest };
}

const clusterPlan = plan("topology", cluster, infrastructures, {
  outcome: "failed",
  actions: [{ ...recorded(publish, "failed"), failure: { reason: "ApiUnreachable", message: noConnection } }],
  waits: [
    {
      reason: "ClusterVersionProgressing",
      message: "ClusterVersion/version: Progressing is True",
      recheckAfterMs: 30_000,
    },
  ],
  refusals: [{ reason: "TopologyDrift", message: drift }],
});

const input = (kind: Kind, of: KubeObject, plans: readonly PlanRecord[] = []): SummaryInput => ({
  kind,
  object: of,
  controllers: [kind === gatewayPools ? "gateway-pool" : "topology"],
  plans,
});
const leaving = pool("public", true, { deletionTimestamp: iso(200) });

export const sampleObjects: readonly ObjectSummary[] = [
  { ...input(infrastructures, cluster, [clusterPlan]), report },
  input(topologyReports, report),
  input(gatewayPools, leaving, [
    plan("gateway-pool", leaving, gatewayPools, {
      outcome: "waiting",
      waits: [{ reason: "ApiRateLimited", message: "port 10.0.0.7 is being built", recheckAfterMs: 5_000 }],
    }),
  ]),
  input(gatewayPools, pool("internal", true)),
  input(gatewayPools, pool("lost", false)),
].map(objectSummary);

function record(id: number, seconds: number, line: Partial<LogRecord>): LogRecord {
  const subject = { controller: "topology", kind: infrastructures, key: { name: "cluster" } };
  const empty = { action: "refuse", words: drift, because: "TopologyDrift", result: "refused" } as const;
  return { id, atMs: startMs + seconds * 1_000, epoch: term, ...subject, ...empty, ...line };
}

const logged = (action: Action, result: "done" | "failed" | "skipped"): Partial<LogRecord> => ({
  ...recorded(action, result),
  result,
});

/** Oldest first, as a journal has it. */
const records: readonly LogRecord[] = [
  record(1, 1, { ...logged(deleteReport, "skipped"), message: "no connection" }),
  record(2, 1.1, { ...logged(publish, "failed"), message: noConnection }),
  record(3, 1.2, logged(publish, "done")),
  record(4, 180, { message: drift }),
];

export const sampleLog: readonly PlanLogEntry[] = records.toReversed().map(logEntry);

export const sampleDetail: ObjectDetail = objectDetail({
  ...input(infrastructures, cluster, [clusterPlan]),
  report,
  what: "The cluster's high-availability mode, as operators read it.",
  log: records,
  events: [
    {
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: { name: "cluster.1", namespace: "default" },
      reason: "TopologyDrift",
      type: "Warning",
      action: "refused",
      note: drift,
      reportingController: "mainstay.dev/topology",
      eventTime: iso(180),
      series: { count: 3, lastObservedTime: iso(540) },
    } as KubeObject,
  ],
  relations: [{ relation: "report", id: objectId(topologyReports, refOf(report)), health: "refused" }],
});

export const sampleManager: ManagerInfo = {
  identity: "manager-1",
  version: "0.1.0",
  demo: true,
  leading: true,
  term,
  leader: "manager-1",
  ready: true,
  missing: ["clusterversions.config.openshift.io: not served (optional)"],
  startedAt: iso(0),
  controllers: [{ name: "topology", resource: "infrastructures.config.openshift.io" }],
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
    active: { startedAt: iso(600), endsAt: iso(620), parameters: { seconds: 20 }, says: "17 calls failed" },
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
  olderLog: false,
};
