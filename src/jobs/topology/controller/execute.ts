// Carries out what the topology planner decided. Every write is bound to the resourceVersion the decision was made on, so
// that whoever was faster wins and the next round decides anew.

import { managedByLabel, managedByValue } from "../../../apis/kube/crd.ts";
import { apiVersionOf } from "../../../apis/kube/kube-object.ts";
import { MainstayError } from "../../../core/errors.ts";
import { isKubeError } from "../../../core/kube-error.ts";
import { markLabel } from "../../../core/ownership.ts";
import type { Executors } from "../../../engine/feature.ts";
import type { Kube, WriteOptions } from "../../../ports/kube.ts";
import { clusterVersionName, clusterVersions } from "../apis/cluster-version.ts";
import {
  declaredAnnotation,
  type Infrastructure,
  infrastructures,
  recordedAnnotation,
  type Topology,
} from "../apis/infrastructure.ts";
import { topologyReports } from "../apis/topology-report.ts";
import { encodeDeclaration, encodeRecorded } from "../core/declaration.ts";
import { type TopologyAction, topologyFeatureName } from "../core/plan.ts";
import { upgradeUnderWay } from "../core/transition.ts";

export const executeTopology: Executors<TopologyAction> = {
  "create-report": async ({ name }, { kube, signal }) => {
    const labels = { [markLabel]: topologyFeatureName, [managedByLabel]: managedByValue };
    const report = {
      apiVersion: apiVersionOf(topologyReports),
      kind: topologyReports.kind,
      metadata: { name, labels },
    };
    await kube.create(topologyReports, report, { signal });
  },
  "delete-report": async ({ name, uid }, { kube, signal }) => {
    await kube.delete(topologyReports, { name }, { uid, signal });
  },
  declare: async (action, { kube, signal }) => {
    await annotate(kube, action, { [declaredAnnotation]: encodeDeclaration(action.declaration) }, { signal });
  },
  publish: async (action, { kube, signal }) => {
    if (action.unlessUpgrading) await refuseDuringUpgrade(kube, signal);
    await publishTopology(kube, action, action, { signal });
  },
  record: async (action, { kube, signal }) => {
    await annotate(kube, action, { [recordedAnnotation]: encodeRecorded(action) }, { signal });
  },
};

export interface Version {
  readonly name: string;
  readonly resourceVersion: string;
}

export async function annotate(
  kube: Kube,
  { name, resourceVersion }: Version,
  annotations: Readonly<Record<string, string>>,
  options: WriteOptions,
) {
  const body = { metadata: { resourceVersion, annotations } };
  return await kube.patch(infrastructures, { name }, { type: "merge", body }, options);
}

/** Writes `status` and makes sure that the server kept it: an older definition prunes what it does not know. */
export async function publishTopology(
  kube: Kube,
  { name, resourceVersion }: Version,
  { controlPlane, infrastructure }: Partial<Topology>,
  options: WriteOptions,
): Promise<Infrastructure> {
  const status = {
    ...(controlPlane === undefined ? {} : { controlPlaneTopology: controlPlane }),
    ...(infrastructure === undefined ? {} : { infrastructureTopology: infrastructure }),
  };
  const body = { metadata: { resourceVersion }, status };
  const written = await kube.patch(
    infrastructures,
    { name },
    { type: "merge", body },
    { ...options, subresource: "status" },
  );
  const lost = Object.entries(status).filter(([field, value]) => written.status?.[field] !== value);
  if (lost.length > 0) {
    throw new MainstayError({
      reason: "TopologyFieldsUnsupported",
      message: `Infrastructure/${name}: the API server dropped ${lost.map(([field]) => `status.${field}`).join(" and ")}`,
      hint: "Update the definition of infrastructures.config.openshift.io; operators read empty fields as HighlyAvailable.",
    });
  }
  return written;
}

/** The cache may be a moment old, and an upgrade that begins in that moment must win. */
async function refuseDuringUpgrade(kube: Kube, signal: AbortSignal): Promise<void> {
  const found = await kube.get(clusterVersions, { name: clusterVersionName }, { signal }).catch((error: unknown) => {
    if (isKubeError(error, "NotFound", "KindNotServed")) return "absent" as const;
    throw error;
  });
  const upgrade = upgradeUnderWay(found);
  if (upgrade !== undefined) throw new MainstayError(upgrade);
}
