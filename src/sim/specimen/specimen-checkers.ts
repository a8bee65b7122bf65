// The specimen's own promises about what it keeps outside, each as a checker. They look at the cloud itself.

import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { bearsMarkFor, hasFinalizer } from "../../core/ownership.ts";
import { type Checker, isBlindAfterRestore, type WorldView } from "../checkers/checker.ts";
import type { Cloud, Thing } from "./cloud.ts";
import { finalizer, locationOf } from "./plan-specimen.ts";
import { type Specimen, specimenFeatureName, specimenResource } from "./specimen-kind.ts";

export function specimenCheckers(cloud: Cloud): readonly Checker[] {
  return [
    neverLast(cloud),
    oneThingPerLocation(cloud),
    nothingLeftBehind(cloud),
    oneChildPerLocation,
    withdrawnBeforeRemoved,
  ];
}

/** Make before break, and never last: as long as it is wanted, what is ready never goes from some to none. */
function neverLast(cloud: Cloud): Checker {
  return {
    name: "never-last",
    promise: "no delete takes away the last thing that is ready while its specimen is wanted",
    watch: (view, broken) =>
      cloud.onChange((change) => {
        if (change.type !== "deleted" || !cloud.isReady(change.thing)) return;
        if (isBlindAfterRestore(view)) return;
        const specimen = ownerOf(view, change.thing);
        if (specimen === undefined || specimen.metadata.deletionTimestamp !== undefined) return;
        const left = [...cloud.things.values()].filter(({ owner }) => owner === change.thing.owner);
        if (!left.some((thing) => cloud.isReady(thing)))
          broken(`${change.thing.id} was the last ready thing of Specimen ${specimen.metadata.name}`);
      }),
  };
}

function oneThingPerLocation(cloud: Cloud): Checker {
  return {
    name: "no-double-allocation",
    promise: "there is at most one thing for each specimen and location",
    watch: (_view, broken) =>
      cloud.onChange((change) => {
        if (change.type !== "created") return;
        const { owner, location, id } = change.thing;
        if (owner === "") return broken(`${id} at location ${location} bears nobody's mark`);
        const rivals = [...cloud.things.values()].filter(
          (thing) => thing.owner === owner && thing.location === location,
        );
        if (rivals.length > 1)
          broken(`location ${location} has ${rivals.map((rival) => rival.id).join(" and ")} for one specimen`);
      }),
  };
}

/** Delete is desiring nothing: when the object goes, everything outside is gone already. */
function nothingLeftBehind(cloud: Cloud): Checker {
  return {
    name: "nothing-left-behind",
    promise: "a specimen goes only after everything it had outside",
    watch: (view, broken) => {
      // A restore may bring an object back from before it had its finalizer: then nothing holds it.
      const unheld = new Set<string | undefined>();
      view.on("restored", () => {
        for (const each of view.objects(specimenResource))
          if (!hasFinalizer(each, finalizer)) unheld.add(each.metadata.uid);
      });
      view.on("changed", ({ change }) => {
        if (change.resource !== specimenResource) return;
        const specimen = change.object as unknown as Specimen;
        const { uid, name } = specimen.metadata;
        if (change.type !== "DELETED" && hasFinalizer(specimen, finalizer)) unheld.delete(uid);
        if (change.type !== "DELETED" || unheld.has(uid)) return;
        const left = [...cloud.things.values()].find(({ owner }) => owner === uid);
        if (left !== undefined) broken(`Specimen ${name} is gone and left ${left.id} at location ${left.location}`);
      });
    },
  };
}

const oneChildPerLocation: Checker = {
  name: "one-child-per-location",
  promise: "there is at most one child for each specimen and location",
  watch: (view, broken) =>
    view.on("changed", ({ change }) => {
      if (change.type !== "ADDED" || change.resource !== "/configmaps") return;
      const child = change.object as unknown as KubeObject;
      const owner = view.objects(specimenResource).find((each) => bearsMarkFor(specimenFeatureName, each, child));
      if (owner === undefined) return;
      const rivals = view
        .objects("/configmaps")
        .filter((each) => bearsMarkFor(specimenFeatureName, owner, each) && locationOf(each) === locationOf(child));
      if (rivals.length > 1)
        broken(`Specimen ${owner.metadata.name} has ${rivals.length} children at ${locationOf(child)}`);
    }),
};

/** Removal runs backwards: what points at a thing goes before the thing. */
const withdrawnBeforeRemoved: Checker = {
  name: "withdrawn-before-removed",
  promise: "a plan takes away the child before the thing that it points at",
  watch: (view, broken) =>
    view.on("planned", ({ plan, feature }) => {
      const gone = new Set<string | undefined>();
      for (const { kind, lane } of plan.actions) {
        if (lane === undefined) continue;
        if (kind === "delete-thing") gone.add(lane.part);
        if (kind === "delete-child" && gone.has(lane.part))
          broken(`${feature} removes at location ${lane.part} before it withdraws`);
      }
    }),
};

function ownerOf(view: WorldView, { owner }: Thing): KubeObject | undefined {
  return view.objects(specimenResource).find(({ metadata }) => metadata.uid === owner);
}
