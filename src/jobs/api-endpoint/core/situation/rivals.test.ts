import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../../../apis/kube/kube-object.ts";
import { locationAnnotation, ownerIdAnnotation } from "../../apis/annotations.ts";
import { clusterTaken, ownerIdTaken, rivalsForbidden } from "./rivals.ts";

const owner = "the-first-uid";

interface Given {
  readonly uid?: string;
  /** Seconds after the first. */
  readonly age?: number;
  /** Which project its credentials led to when it was last looked after. */
  readonly served?: string;
  readonly location?: string;
}

function object(
  kind: "OpenStackCluster" | "APIEndpoint",
  at: string,
  { uid = at, age = 0, served, location }: Given = {},
): KubeObject {
  const [namespace = "", name = ""] = at.split("/");
  const annotations = {
    [ownerIdAnnotation]: owner,
    ...(location === undefined ? {} : { [locationAnnotation]: location }),
  };
  const creationTimestamp = new Date(Date.UTC(2026, 0, 1) + age * 1_000).toISOString();
  const made = {
    apiVersion: "x/v1",
    kind,
    metadata: { name, namespace, uid, annotations, creationTimestamp },
    ...(served === undefined ? {} : { status: { project: served } }),
  };
  return made;
}

const at = ({ metadata }: KubeObject) => `${metadata.namespace}/${metadata.name}`;

/** Those that may act, of all that bear one owner id; nothing is done for `foreign` ones. */
function acting(objects: readonly KubeObject[], foreign: readonly KubeObject[] = []): readonly string[] {
  const sorted = [...objects, ...foreign].toSorted((a, b) => (a.kind > b.kind ? -1 : a.kind < b.kind ? 1 : 0));
  const rivals = sorted.map((one) => ({ object: one, isServed: !foreign.includes(one) }));
  return objects.filter((one) => ownerIdTaken(one, rivals) === undefined).map(at);
}

describe("of all objects with one owner id", () => {
  const original = { uid: owner, age: 100 };
  test.each([
    ["an APIEndpoint", object("APIEndpoint", "ns/blue", original)],
    ["an OpenStackCluster", object("OpenStackCluster", "ns/blue", original)],
  ])("%s whose uid it is acts alone, whoever bears it elsewhere, through either door, however old", (_kind, one) => {
    const others = [
      object("OpenStackCluster", "strangers/old"),
      object("OpenStackCluster", "ns/green"),
      object("APIEndpoint", "strangers/older"),
      object("APIEndpoint", "ns/other"),
    ];
    expect(acting([...others, one])).toEqual(["ns/blue"]);
  });

  test("after a move, when it is nobody's uid, the oldest acts: a stranger who comes later silences nobody", () => {
    const moved = object("APIEndpoint", "ns/blue", { age: 1, location: "p/one" });
    const late = [
      object("OpenStackCluster", "strangers/x", { age: 2 }),
      object("APIEndpoint", "strangers/y", { age: 3 }),
    ];
    expect(acting([...late, moved])).toEqual(["ns/blue"]);
  });

  test("within a namespace an OpenStackCluster comes before an APIEndpoint", () => {
    const both = [object("APIEndpoint", "ns/blue", { age: 1 }), object("OpenStackCluster", "ns/red", { age: 2 })];
    expect(acting(both)).toEqual(["ns/red"]);
  });

  test("exactly one acts, also where namespaces and doors would each choose another", () => {
    const three = [
      object("OpenStackCluster", "ns/a", { age: 3 }),
      object("APIEndpoint", "ns/b", { age: 1 }),
      object("APIEndpoint", "other/c", { age: 2 }),
    ];
    expect(acting(three)).toEqual(["other/c"]);
  });

  test("one that is known to be in another project is in nobody's way, however old", () => {
    const moved = object("OpenStackCluster", "ns/blue", { age: 9, location: "p/one", served: "p/one" });
    const stranger = object("OpenStackCluster", "strangers/x", { served: "q/one", location: "p/one" });
    expect(acting([stranger, moved])).toContain("ns/blue");
  });

  test("a copy in another namespace with the same credentials gets nothing", () => {
    const moved = object("OpenStackCluster", "ns/blue", { age: 1, location: "p/one", served: "p/one" });
    const copy = object("OpenStackCluster", "ns2/blue", { age: 2, location: "p/one" });
    expect(acting([copy, moved])).toEqual(["ns/blue"]);
  });

  test("CAPO's own, which bear it by mistake and which we do nothing for, silence nobody", () => {
    const capos = object("OpenStackCluster", "ns/capos");
    for (const kind of ["OpenStackCluster", "APIEndpoint"] as const)
      expect(acting([object(kind, "ns/blue", { age: 1 })], [capos])).toEqual(["ns/blue"]);
  });

  test("a copy says whose the id is and what to do, and so does one whose rivals may not be listed", () => {
    const copy = object("APIEndpoint", "ns/copy", { age: 1 });
    const rivals = [object("APIEndpoint", "ns/blue"), copy].map((one) => ({ object: one, isServed: true }));
    expect(ownerIdTaken(copy, rivals)).toMatchObject({
      reason: "OwnerIdTaken",
      message: expect.stringMatching(/^APIEndpoint ns\/copy: .* is that of APIEndpoint ns\/blue, .* make it again/),
    });
    expect(rivalsForbidden(copy, "things.example.com")).toMatchObject({
      reason: "PermissionDenied",
      message: expect.stringContaining("list and watch things.example.com"),
    });
  });
});

describe("of two objects for one Cluster", () => {
  const cluster = { namespace: "ns", name: "blue" };
  const said = (one: KubeObject, over: Partial<Parameters<typeof clusterTaken>[1]>) =>
    clusterTaken(one, {
      cluster,
      infrastructure: undefined,
      namesCluster: true,
      preceding: [],
      beside: [one],
      ...over,
    });
  const first = object("APIEndpoint", "ns/first");
  const second = object("APIEndpoint", "ns/second", { age: 1 });

  test("through the same door the older is right", () => {
    expect(said(first, { beside: [second, first] })).toEqual([]);
    expect(said(second, { beside: [second, first] })).toEqual([
      {
        where: "spec.clusterRef.name",
        message: "Cluster ns/blue has APIEndpoint ns/first already",
        hint: "Delete one of the two.",
      },
    ]);
  });

  test("one whose door comes first is right, however young, and the other may go", () => {
    const preceding = [object("OpenStackCluster", "ns/blue", { age: 9 })];
    expect(said(first, { preceding })[0]).toMatchObject({
      message: "Cluster ns/blue has OpenStackCluster ns/blue already",
      hint: "Delete this APIEndpoint; only what it made itself goes with it.",
    });
  });

  test("the OpenStackCluster that the Cluster names is right, however young", () => {
    const old = object("OpenStackCluster", "ns/old");
    const named = object("OpenStackCluster", "ns/blue", { age: 9 });
    const over = { namesCluster: false, infrastructure: "blue", beside: [old, named] };
    expect(said(named, over)).toEqual([]);
    expect(said(old, over)[0]).toMatchObject({ where: "metadata.ownerReferences" });
  });
});
