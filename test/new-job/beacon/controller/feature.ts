// The beacon controller: observes a Beacon and its ConfigMap, plans, executes and reports.

import { configMaps } from "../../../apis/kube/builtin-kinds.ts";
import { type KubeObject, type ObjectRef, refOf } from "../../../apis/kube/kube-object.ts";
import { bearsMarkFor, markFor, ownerReferenceTo } from "../../../core/ownership.ts";
import { type Feature, feature, type Report, type ReportInput, watch } from "../../../engine/feature.ts";
import { guardedBy } from "../../../engine/round/guarded-writes.ts";
import { beacons } from "../apis/beacon.ts";
import { type BeaconAction, type BeaconObserved, type ConfigMap, planBeacon } from "../core/plan.ts";
import { beaconJob } from "../job.ts";

const name = "beacon";

export function beaconFeature(prefix: string): Feature {
  return feature<BeaconObserved, BeaconAction>({
    name,
    root: beacons,
    watches: [
      watch({ kind: beacons, keys: (beacon) => [refOf(beacon)], optional: true }),
      watch({ kind: configMaps, keys: ownersOf }),
    ],
    shows: beaconJob.controllers.beacon.shows,
    observe: async (key, reader) => {
      const beacon = reader.cached(beacons).get(key);
      if (beacon === undefined) return undefined;
      const object: ConfigMap | undefined = reader.cached(configMaps).get(key);
      const configMap = object === undefined ? undefined : { object, ours: bearsMarkFor(name, beacon, object) };
      return { beacon, configMap };
    },
    plan: (observed) => planBeacon(observed, prefix),
    executors: {
      "light-beacon": async ({ beacon, text }, { kube }) => {
        const ref = refOf(beacon);
        const owner = ownerReferenceTo(beacon, ref);
        const metadata = {
          ...ref,
          ...markFor(name, beacon),
          ...(owner === undefined ? {} : { ownerReferences: [owner] }),
        };
        await kube.create<ConfigMap>(configMaps, { apiVersion: "v1", kind: "ConfigMap", metadata, data: { text } });
      },
      "change-beacon": async ({ configMap, text }, { kube }) => {
        await kube.patch(configMaps, refOf(configMap), guardedBy(configMap, { data: { text } }));
      },
    },
    changes: beaconJob.changes,
    report: reportBeacon,
  });
}

function reportBeacon({ observed: { beacon, configMap }, plan }: ReportInput<BeaconObserved, BeaconAction>): Report {
  const [refusal] = plan.refusals;
  const lit = configMap?.ours === true && plan.actions.length === 0;
  const condition = {
    type: "Ready",
    status: lit ? ("True" as const) : ("False" as const),
    reason: refusal?.reason ?? (lit ? "AsExpected" : "BeaconUnlit"),
    message: refusal?.message ?? "",
  };
  const gauges = [{ metric: beaconJob.metrics.lit.name, labels: { lit: String(lit) }, count: 1 }];
  const ref = refOf(beacon);
  return { statuses: [{ kind: beacons, ref, observed: beacon, status: {}, conditions: [condition] }], gauges };
}

function ownersOf({ metadata }: KubeObject): readonly ObjectRef[] {
  const { namespace = "", ownerReferences = [] } = metadata;
  return ownerReferences.filter(({ kind }) => kind === beacons.kind).map((owner) => ({ name: owner.name, namespace }));
}
