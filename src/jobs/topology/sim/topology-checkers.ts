// The topology's own promises: what was published changes only as asked, upwards, where it may; and not during an upgrade.

import type { Checker } from "../../../sim/checkers/checker.ts";
import { clusterVersionName, clusterVersions } from "../apis/cluster-version.ts";
import { type Infrastructure, infrastructureName, infrastructures } from "../apis/infrastructure.ts";
import { isSupportedTransition } from "../core/transition.ts";
import { isUpgrading } from "./topology-objects.ts";
import { infrastructureResource, isMutable, type TopologySetting } from "./topology-setting.ts";

export function topologyCheckers(setting: TopologySetting): readonly Checker[] {
  return [publishedStays(setting), ...(setting.upgradeGate === "none" ? [] : [upgradesFirst])];
}

function publishedStays(setting: TopologySetting): Checker {
  return {
    name: "published-stays",
    promise: "a topology that was published changes only from one replica to several, when asked to, behind its gate",
    watch: (view, broken) =>
      view.on("arrived", ({ call, status, before }) => {
        if (status >= 300 || call.verb !== "PATCH" || !call.target.startsWith(infrastructures.plural)) return;
        const was = publishedIn(before);
        const is = publishedIn(view.objectAt(infrastructureResource, infrastructureName));
        if (was === "" || is === was) return;
        const asked = requestedIn(before) === is;
        if (!asked || !isSupportedTransition(was, is) || !isMutable(setting, call.process))
          broken(`${call.process.name} changed the published topology from ${was} to ${is === "" ? "nothing" : is}`);
      }),
  };
}

/** Exact: the ClusterVersion is read for the last time after the action began and before its write leaves. */
const upgradesFirst: Checker = {
  name: "upgrades-first",
  promise: "no other topology is published while an upgrade has been under way since before it was decided",
  watch: (view, broken) => {
    const resource = `${clusterVersions.group}/${clusterVersions.plural}`;
    const granting = new Map<string, number>();
    let upgradingSinceMs = Number.POSITIVE_INFINITY;
    const look = (): void => {
      const upgrading = isUpgrading(view.objectAt(resource, clusterVersionName));
      upgradingSinceMs = upgrading ? Math.min(upgradingSinceMs, view.nowMs()) : Number.POSITIVE_INFINITY;
    };
    view.on("changed", ({ change }) => {
      if (change.resource === resource) look();
    });
    view.on("restored", () => {
      upgradingSinceMs = Number.POSITIVE_INFINITY;
      look();
    });
    view.on("executing", ({ process, action }) => {
      if ("unlessUpgrading" in action && action.unlessUpgrading === true) granting.set(process.name, view.nowMs());
    });
    view.on("executed", ({ process, action }) => {
      if (action.kind === "publish") granting.delete(process.name);
    });
    view.on("left", ({ call }) => {
      const beganMs = call.purpose === "publish" ? granting.get(call.process.name) : undefined;
      if (beganMs !== undefined && upgradingSinceMs < beganMs)
        broken(`${call.process.name} sent another topology although an upgrade was under way`);
    });
  },
};

export function requestedIn(object: Infrastructure | undefined): string | undefined {
  return object?.spec?.controlPlaneTopology;
}

export function publishedIn(object: Infrastructure | undefined): string {
  return object?.status?.controlPlaneTopology ?? "";
}
