import { describe, expect, test } from "vitest";
import type { KubeObject } from "../apis/kube/kube-object.ts";
import { bearsMarkFor, bearsMarkOf, finalizerOf, hasFinalizer, markFor, ownerReferenceTo } from "./ownership.ts";

const owner: KubeObject = {
  apiVersion: "mainstay.dev/v1",
  kind: "Specimen",
  metadata: { name: "one", namespace: "a", uid: "u1" },
};
const marked = (by: KubeObject): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "child", ...markFor("specimen", by) },
});

describe("the mark", () => {
  test("is known by the feature that made it and by no other", () => {
    expect(bearsMarkOf("specimen", marked(owner))).toBe(true);
    expect(bearsMarkOf("gateway", marked(owner))).toBe(false);
  });

  test("does not pass from a deleted owner to the next one of its name", () => {
    const successor = { ...owner, metadata: { ...owner.metadata, uid: "u2" } };
    expect(bearsMarkFor("specimen", owner, marked(owner))).toBe(true);
    expect(bearsMarkFor("specimen", successor, marked(owner))).toBe(false);
  });

  test("is not borne by an owner without a uid", () => {
    const unborn = { ...owner, metadata: { name: "one" } };
    expect(bearsMarkFor("specimen", unborn, marked(unborn))).toBe(false);
  });
});

describe("an owner reference", () => {
  test("names the owner by its uid", () => {
    const reference = ownerReferenceTo(owner, { name: "child", namespace: "a" });
    expect(reference).toMatchObject({ kind: "Specimen", uid: "u1", controller: true });
  });

  test("does not cross namespaces, where it would have the dependant collected", () => {
    expect(ownerReferenceTo(owner, { name: "child", namespace: "b" })).toBeUndefined();
    expect(ownerReferenceTo(owner, { name: "cluster-scoped" })).toBeUndefined();
  });

  test("may lead from a namespaced object to a cluster-scoped owner", () => {
    const cluster = { ...owner, metadata: { name: "one", uid: "u1" } };
    expect(ownerReferenceTo(cluster, { name: "child", namespace: "b" })).toMatchObject({ uid: "u1" });
  });
});

describe("a finalizer", () => {
  test("belongs to one feature", () => {
    const object = { ...owner, metadata: { ...owner.metadata, finalizers: [finalizerOf("specimen")] } };
    expect(hasFinalizer(object, "mainstay.dev/specimen")).toBe(true);
    expect(hasFinalizer(object, finalizerOf("gateway"))).toBe(false);
  });
});
