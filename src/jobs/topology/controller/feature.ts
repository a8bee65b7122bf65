// The topology controller: fills empty fields from what was declared, reports everything else, and, behind the gate
// MutableTopology, grants a request when the cluster is settled. Its decisions are in core/topology.

import { kubeadmControlPlanes, machineDeployments } from "../../../apis/cluster-api/cluster-api-kinds.ts";
import { configMaps, customResourceDefinitions, nodes } from "../../../apis/kube/builtin-kinds.ts";
import type { KubeObject, ObjectRef } from "../../../apis/kube/kube-object.ts";
import { type Feature, feature, type Report, type ReportInput, type Watch, watch } from "../../../engine/feature.ts";
import { clusterVersionName, clusterVersions } from "../apis/cluster-version.ts";
import { infrastructureName, infrastructures } from "../apis/infrastructure.ts";
import { infrastructureCrd } from "../apis/infrastructure-crd.ts";
import { topologyReports } from "../apis/topology-report.ts";
import type { TopologyObserved } from "../core/assess.ts";
import { planTopology, type TopologyAction, type TopologyRules, topologyFeatureName } from "../core/plan.ts";
import { topologyStatus } from "../core/status.ts";
import { controlPlaneNodesReady } from "../core/transition.ts";
import { topologyJob } from "../job.ts";
import { executeTopology } from "./execute.ts";
import { type ObserveOptions, observeTopology } from "./observe.ts";
import { installConfigRef } from "./sources.ts";

export interface TopologySettings extends TopologyRules, ObserveOptions {}

export const defaultTopologySettings: TopologySettings = {
  rules: "two-modes",
  mutable: false,
  upgradeGate: "ClusterVersion",
  preconditions: [controlPlaneNodesReady],
};

export function topologyFeature(settings: Partial<TopologySettings> = {}): Feature {
  const rules = { ...defaultTopologySettings, ...settings };
  return feature<TopologyObserved, TopologyAction>({
    name: topologyFeatureName,
    root: infrastructures,
    watches: watchesFor(rules),
    shows: topologyJob.controllers.topology.shows,
    observe: observeTopology(rules),
    plan: (observed) => planTopology(observed, rules),
    executors: executeTopology,
    changes: topologyJob.changes,
    report: (input) => reportTopology(input, rules),
    concurrency: 1,
  });
}

const key: readonly ObjectRef[] = [{ name: infrastructureName }];

function watchesFor({ cluster }: ObserveOptions): readonly Watch[] {
  const named = (name: string) => `metadata.name=${name}`;
  const ours = ({ metadata }: KubeObject) => (metadata.name === infrastructureName ? key : []);
  const anything = () => key;
  const declarations =
    cluster === undefined
      ? []
      : [kubeadmControlPlanes, machineDeployments].flatMap((served) =>
          served.slice(0, 1).map((kind) =>
            watch({
              kind,
              versions: served.map(({ version }) => version),
              keys: anything,
              optional: true,
              ...(cluster.namespace === undefined ? {} : { namespace: cluster.namespace }),
            }),
          ),
        );
  return [
    watch({ kind: infrastructures, keys: ours, optional: true, fieldSelector: named(infrastructureName) }),
    watch({ kind: topologyReports, keys: ours, optional: true, fieldSelector: named(infrastructureName) }),
    watch({ kind: clusterVersions, keys: anything, optional: true, fieldSelector: named(clusterVersionName) }),
    watch({
      kind: customResourceDefinitions,
      keys: anything,
      optional: true,
      fieldSelector: named(infrastructureCrd.metadata.name),
    }),
    watch({
      kind: configMaps,
      keys: anything,
      optional: true,
      namespace: installConfigRef.namespace ?? "",
      fieldSelector: named(installConfigRef.name),
    }),
    watch({ kind: nodes, keys: anything, optional: true }),
    ...declarations,
  ];
}

function reportTopology(
  { observed, key: ref }: ReportInput<TopologyObserved, TopologyAction>,
  rules: TopologyRules,
): Report {
  const said = topologyStatus(observed, rules);
  if (said === undefined || typeof observed.report === "string") return { statuses: [] };
  return { statuses: [{ kind: topologyReports, ref, observed: observed.report, ...said }] };
}
