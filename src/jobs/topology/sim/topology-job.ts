// The topology controller in the simulation: an installer declares, the controller publishes, people ask for other modes and change things. What
// was published stays, but for the one change that can be asked for.

import { configMaps, customResourceDefinitions } from "../../../apis/kube/builtin-kinds.ts";
import type { Condition } from "../../../apis/kube/kube-object.ts";
import type { JobInWorld, JobWorld, SimJob } from "../../../sim/run/sim-job.ts";
import { infrastructureName } from "../apis/infrastructure.ts";
import { type TopologyReport, topologyReports } from "../apis/topology-report.ts";
import { topologyFeature } from "../controller/feature.ts";
import { publishedIn, requestedIn, topologyCheckers } from "./topology-checkers.ts";
import { installConfig, topologyCrds } from "./topology-objects.ts";
import { drawSetting, infrastructureResource, isMutable, type TopologySetting } from "./topology-setting.ts";
import { TopologyUsers } from "./topology-users.ts";

const reportResource = `${topologyReports.group}/${topologyReports.plural}`;

export function topologyJob(): SimJob {
  return { name: "topology", inWorld: topologyIn };
}

function topologyIn(world: JobWorld): JobInWorld {
  const setting = drawSetting(world.random);
  const { upgradeGate, strict, declared } = setting;
  const users = new TopologyUsers(world, setting);
  return {
    ports: [],
    checkers: topologyCheckers(setting),
    prepare: async () => {
      const { kube, secretMarker } = world;
      for (const crd of topologyCrds(strict)) await kube.create(customResourceDefinitions, crd);
      const replicas = declared === "SingleReplica" ? 1 : 3;
      await kube.create(configMaps, installConfig(replicas, secretMarker("pull-secret")));
      await users.begin();
    },
    features: (process) => [topologyFeature({ mutable: isMutable(setting, process), upgradeGate })],
    act: () => users.act(),
    insist: () => users.insist(),
    missing: () => missing(world, setting),
  };
}

function missing({ view }: JobWorld, setting: TopologySetting): string | undefined {
  const infrastructure = view.objectAt(infrastructureResource, infrastructureName);
  const requested = requestedIn(infrastructure);
  const published = publishedIn(infrastructure);
  const mutable = isMutable(setting, { version: "new" });
  // A request that was granted and then taken back leaves what it brought.
  const granted = mutable && published === "HighlyAvailable";
  if (infrastructure === undefined || !(granted || published === setting.declared))
    return `Infrastructure says ${published === "" ? "nothing" : published} instead of ${setting.declared}`;
  if (mutable && requested === "HighlyAvailable" && !granted) return "the request for HighlyAvailable is not granted";
  const report: TopologyReport | undefined = view.objectAt(reportResource, infrastructureName);
  const conditions = report?.status?.conditions;
  const settled = requested === undefined || requested === published ? undefined : refusalOf(mutable, requested);
  return (
    lacking(conditions, "Published", "True", "TopologyPublished") ??
    (settled === undefined ? lacking(conditions, "Settled", "True") : lacking(conditions, "Settled", "False", settled))
  );
}

function refusalOf(mutable: boolean, requested: string): string {
  if (!mutable) return "TopologyImmutable";
  return requested === "HighlyAvailable" ? "TransitionRequested" : "TransitionUnsupported";
}

function lacking(
  conditions: readonly Condition[] | undefined,
  type: string,
  status: string,
  reason?: string,
): string | undefined {
  const found = conditions?.find((condition) => condition.type === type);
  if (found?.status === status && (reason === undefined || found.reason === reason)) return undefined;
  const wanted = `${type}=${status}${reason === undefined ? "" : ` (${reason})`}`;
  return `the TopologyReport says ${found?.status ?? "nothing"} (${found?.reason ?? ""}) instead of ${wanted}`;
}
