// An APIEndpoint goes with its Cluster, when the last machine is gone, unless its user says that it stays.

import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import { intent, machine } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import type { ClusterBond } from "../model/observed.ts";
import { bondOf, goesWithCluster, planClusterBond, planGoingWithCluster, withClusterOwner } from "./cluster-bond.ts";

const reference = { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name: "blue", uid: "u1" };
const theirs = { apiVersion: "v1", kind: "ConfigMap", name: "x", uid: "u9" };
const whole: ClusterBond = { reference, isReferenced: true, isOutlived: false, isClusterDeleting: false };

function observed(bond: Partial<ClusterBond> | undefined, ...machines: readonly ReturnType<typeof machine>[]) {
  const world = new CloudModel(intent({ door: "APIEndpoint" }));
  world.join(...machines);
  const all = world.observe();
  return bond === undefined ? all : { ...all, object: { ...all.object, bond: { ...whole, ...bond } } };
}

test.each<readonly [boolean, Partial<ClusterBond> | undefined]>([
  [true, { isClusterDeleting: true }],
  [false, { isClusterDeleting: true, isOutlived: true }],
  [false, {}],
  [false, undefined],
])("it goes with its Cluster (%s): %j", (goes, bond) => {
  expect(goesWithCluster(observed(bond))).toBe(goes);
});

test("it is deleted when the last machine is gone, and not before", () => {
  expect(planGoingWithCluster(observed({}, machine("az1", 1)))).toBeUndefined();
  expect(planGoingWithCluster(observed({}))?.actions.map(({ kind }) => kind)).toEqual(["delete-endpoint"]);
});

describe("the owner reference to the Cluster", () => {
  const owner = (bond: Partial<ClusterBond> | undefined) =>
    planClusterBond(observed(bond)).actions.map((action) => ("owner" in action ? action.owner : action.kind));

  test("is put right where it is not as it should be, and taken off where the object stays", () => {
    expect(owner({ isReferenced: false })).toEqual([reference]);
    expect(owner({ isReferenced: false, isOutlived: true })).toEqual([undefined]);
    expect(owner({})).toEqual([]);
    expect(owner(undefined)).toEqual([]);
  });

  test("is the only one to any Cluster, beside those of others", () => {
    const former = { ...reference, uid: "u0" };
    expect(withClusterOwner([former, theirs], reference)).toEqual([theirs, reference]);
    expect(withClusterOwner([former, theirs], undefined)).toEqual([theirs]);
    const otherKind = { ...reference, kind: "MachineDeployment" };
    const otherGroup = { ...reference, apiVersion: "cluster.example.com/v1" };
    expect(withClusterOwner([otherKind, otherGroup], undefined)).toEqual([otherKind, otherGroup]);
  });

  test.each<readonly [boolean, boolean, readonly (typeof reference)[]]>([
    [true, false, [reference]],
    [true, false, [theirs, reference]],
    [false, false, []],
    [false, false, [{ ...reference, uid: "u0" }]],
    [false, false, [{ ...reference, apiVersion: "cluster.x-k8s.io/v1beta1" }]],
    [true, true, []],
    [true, true, [theirs]],
    [false, true, [reference]],
  ])("is as it should be (%s), where the object outlives it (%s): %j", (isReferenced, isOutlived, owners) => {
    expect(bondOf(owners, { reference, isOutlived, isClusterDeleting: false }).isReferenced).toBe(isReferenced);
  });
});
