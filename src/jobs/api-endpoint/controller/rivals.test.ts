import { describe, expect, test } from "vitest";
import { type Kind, type KubeObject, resourceName } from "../../../apis/kube/kube-object.ts";
import { KubeError } from "../../../core/kube-error.ts";
import { finalizerOf } from "../../../core/ownership.ts";
import type { Reader } from "../../../engine/feature.ts";
import type { StoreState } from "../../../engine/informer/store.ts";
import { externallyManagedAnnotation, ownerIdAnnotation } from "../apis/annotations.ts";
import { apiEndpoints } from "../apis/api-endpoint/api-endpoint.ts";
import { openStackClusters } from "../apis/openstack-cluster/openstack-cluster.ts";
import { apiEndpointDoor } from "../core/front-doors/api-endpoint-door.ts";
import { openStackClusterDoor } from "../core/front-doors/open-stack-cluster-door.ts";
import type { FrontDoor } from "./front-door.ts";
import { rivalForOwnerId, rootIndexes } from "./rivals.ts";

const clusterDoor: FrontDoor = { name: "openstack-cluster", ...openStackClusterDoor("annotated") };
const endpointDoor: FrontDoor = { name: "api-endpoint", ...apiEndpointDoor };
const doors = {
  OpenStackCluster: { ...clusterDoor, precedes: endpointDoor },
  APIEndpoint: { ...endpointDoor, yieldsTo: clusterDoor },
} as const;
const owner = "the-first-uid";

interface Given {
  readonly uid?: string;
  /** Seconds after the first. */
  readonly age?: number;
  /** It is CAPO's, and only bears the annotation. */
  readonly capos?: boolean;
  readonly finalizers?: readonly string[];
}

function object(
  kind: keyof typeof doors,
  at: string,
  { uid = at, age = 0, capos, finalizers = [] }: Given = {},
): KubeObject {
  const [namespace = "", name = ""] = at.split("/");
  const annotations = {
    [ownerIdAnnotation]: owner,
    ...(capos ? {} : { [externallyManagedAnnotation]: "mainstay" }),
  };
  const creationTimestamp = new Date(Date.UTC(2026, 0, 1) + age * 1_000).toISOString();
  const ownerReferences = [{ apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name, uid: "c" }];
  const made = {
    apiVersion: "x/v1",
    kind,
    metadata: { name, namespace, uid, annotations, creationTimestamp, ownerReferences, finalizers },
    spec: { clusterRef: { name } },
  };
  return made;
}

interface World {
  readonly state?: StoreState;
  /** What v1beta2 alone shows. */
  readonly inV1beta2?: readonly KubeObject[];
}

function readerOf(objects: readonly KubeObject[], { state = "synced", inV1beta2 }: World = {}): Reader {
  const storeOf = (kind: Kind) => ({
    byIndex: (_index: string, value: string) =>
      objects.filter(
        ({ kind: its, metadata }) => its === kind.kind && metadata.annotations?.[ownerIdAnnotation] === value,
      ),
    state: resourceName(kind) === resourceName(openStackClusters) ? state : "synced",
  });
  const list = async ({ version, kind }: Kind, { namespace }: { readonly namespace?: string }) => {
    if (inV1beta2 === undefined || version !== "v1beta2" || kind !== openStackClusters.kind)
      throw new KubeError({ code: "KindNotServed", message: "no such kind", operation: "list" } as never);
    return { items: inV1beta2.filter(({ metadata }) => metadata.namespace === namespace), metadata: {} };
  };
  return { cached: storeOf, kube: { list }, nowMs: 0, signal: new AbortController().signal } as unknown as Reader;
}

describe("of all objects with one owner id", () => {
  const acts = async (one: KubeObject, others: readonly KubeObject[]) =>
    (await rivalForOwnerId(one, doors[one.kind as keyof typeof doors], readerOf([one, ...others]))) === undefined;

  test.each(["OpenStackCluster", "APIEndpoint"] as const)(
    "for an %s, those of both doors count, for which anything is done or which bear our finalizer",
    async (kind) => {
      const late = object(kind, "ns/late", { age: 9 });
      for (const other of ["OpenStackCluster", "APIEndpoint"] as const)
        expect(await acts(late, [object(other, "elsewhere/first")])).toBe(false);
      const finalizers = [finalizerOf("openstack-cluster")];
      expect(await acts(late, [object("OpenStackCluster", "elsewhere/capos", { capos: true })])).toBe(true);
      expect(await acts(late, [object("OpenStackCluster", "elsewhere/left", { capos: true, finalizers })])).toBe(false);
    },
  );
});

describe("while OpenStackClusters cannot be seen", () => {
  const copy = object("APIEndpoint", "ns/blue");
  const said = async (one: KubeObject, world: World) =>
    (await rivalForOwnerId(one, doors.APIEndpoint, readerOf([one], world)))?.reason;

  test.each([
    ["synced", undefined],
    ["not-served", undefined],
    ["forbidden", "PermissionDenied"],
  ] as const)("(%s) an owner id is held back for: %s", async (state, reason) => {
    expect(await said(copy, { state })).toBe(reason);
  });

  test("an APIEndpoint whose own uid it is needs to ask nobody", async () => {
    expect(await said(object("APIEndpoint", "ns/blue", { uid: owner }), { state: "forbidden" })).toBeUndefined();
  });

  test("because they are served in another version alone, they are asked for in that", async () => {
    const inV1beta2 = [object("OpenStackCluster", "ns/first", { age: 7 })];
    expect(await said(copy, { state: "not-served", inV1beta2 })).toBe("OwnerIdTaken");
  });
});

test("an object is found by the Cluster that it stands for, and by none where it names none", () => {
  const found = (door: FrontDoor, one: KubeObject) => rootIndexes(door)["stands-for"]?.(one);
  const made = object("APIEndpoint", "ns/blue");
  expect(found(endpointDoor, made)).toEqual(["ns/blue"]);
  expect(found(endpointDoor, { ...made, spec: {} } as KubeObject)).toEqual([]);
  expect(found(clusterDoor, object("OpenStackCluster", "ns/green"))).toEqual(["ns/green"]);
});

test("both doors know each other's objects", () => {
  expect([doors.OpenStackCluster.precedes.root, doors.APIEndpoint.yieldsTo.root]).toEqual([
    apiEndpoints,
    openStackClusters,
  ]);
});
