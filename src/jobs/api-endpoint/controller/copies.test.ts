import { describe, expect, test } from "vitest";
import { type Kind, type KubeObject, resourceName } from "../../../apis/kube/kube-object.ts";
import { KubeError } from "../../../core/kube-error.ts";
import type { Reader } from "../../../engine/feature.ts";
import type { StoreState } from "../../../engine/informer/store.ts";
import { externallyManagedAnnotation, locationAnnotation, ownerIdAnnotation } from "../apis/annotations.ts";
import { apiEndpoints } from "../apis/api-endpoint/api-endpoint.ts";
import { openStackClusters } from "../apis/openstack-cluster/openstack-cluster.ts";
import { apiEndpointDoor } from "../core/front-doors/api-endpoint-door.ts";
import { openStackClusterDoor } from "../core/front-doors/open-stack-cluster-door.ts";
import { ownerTaken } from "./copies.ts";
import type { EndpointDoor } from "./front-door.ts";

const clusterDoor: EndpointDoor = { name: "openstack-cluster", what: "", ...openStackClusterDoor("annotated") };
const endpointDoor: EndpointDoor = { name: "api-endpoint", what: "", ...apiEndpointDoor };
const doors = {
  OpenStackCluster: { ...clusterDoor, precedes: endpointDoor },
  APIEndpoint: { ...endpointDoor, yieldsTo: clusterDoor },
} as const;
const owner = "the-first-uid";

interface Seen {
  readonly uid?: string;
  /** Seconds after the first. */
  readonly age?: number;
  /** Which project its credentials led to when it was last looked after. */
  readonly served?: string;
  readonly location?: string;
  /** It is CAPO's, and only bears the annotation. */
  readonly capos?: boolean;
}

function object(
  kind: keyof typeof doors,
  at: string,
  { uid = at, age = 0, served, location, capos }: Seen = {},
): KubeObject {
  const [namespace = "", name = ""] = at.split("/");
  const annotations = {
    [ownerIdAnnotation]: owner,
    ...(capos ? {} : { [externallyManagedAnnotation]: "mainstay" }),
    ...(location === undefined ? {} : { [locationAnnotation]: location }),
  };
  const creationTimestamp = new Date(Date.UTC(2026, 0, 1) + age * 1_000).toISOString();
  const ownerReferences = [{ apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name, uid: "c" }];
  const made = {
    apiVersion: "x/v1",
    kind,
    metadata: { name, namespace, uid, annotations, creationTimestamp, ownerReferences },
    spec: { clusterRef: { name } },
    ...(served === undefined ? {} : { status: { project: served } }),
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

/** Those that may act, of all that bear one owner id. */
async function acting(objects: readonly KubeObject[], world?: World): Promise<readonly string[]> {
  const told = await Promise.all(
    objects.map(async (one) => {
      const taken = await ownerTaken(one, doors[one.kind as keyof typeof doors], readerOf(objects, world));
      return taken === undefined ? [`${one.metadata.namespace}/${one.metadata.name}`] : [];
    }),
  );
  return told.flat();
}

describe("of all objects with one owner id", () => {
  const original = { uid: owner, age: 100 };
  test.each([
    ["an APIEndpoint", object("APIEndpoint", "ns/blue", original)],
    ["an OpenStackCluster", object("OpenStackCluster", "ns/blue", original)],
  ])(
    "%s whose uid it is acts alone, whoever bears it elsewhere, through either door, however old",
    async (_kind, one) => {
      const others = [
        object("OpenStackCluster", "strangers/old"),
        object("OpenStackCluster", "ns/green"),
        object("APIEndpoint", "strangers/older"),
        object("APIEndpoint", "ns/other"),
      ];
      expect(await acting([...others, one])).toEqual(["ns/blue"]);
    },
  );

  test("after a move, when it is nobody's uid, the oldest acts: a stranger who comes later silences nobody", async () => {
    const moved = object("APIEndpoint", "ns/blue", { age: 1, location: "p/one" });
    const late = [
      object("OpenStackCluster", "strangers/x", { age: 2 }),
      object("APIEndpoint", "strangers/y", { age: 3 }),
    ];
    expect(await acting([...late, moved])).toEqual(["ns/blue"]);
  });

  test("within a namespace an OpenStackCluster comes before an APIEndpoint", async () => {
    const both = [object("APIEndpoint", "ns/blue", { age: 1 }), object("OpenStackCluster", "ns/red", { age: 2 })];
    expect(await acting(both)).toEqual(["ns/red"]);
  });

  test("exactly one acts, also where namespaces and doors would each choose another", async () => {
    const three = [
      object("OpenStackCluster", "ns/a", { age: 3 }),
      object("APIEndpoint", "ns/b", { age: 1 }),
      object("APIEndpoint", "other/c", { age: 2 }),
    ];
    expect(await acting(three)).toEqual(["other/c"]);
  });

  test("one that is known to be in another project is in nobody's way, however old", async () => {
    const moved = object("OpenStackCluster", "ns/blue", { age: 9, location: "p/one", served: "p/one" });
    const stranger = object("OpenStackCluster", "strangers/x", { served: "q/one", location: "p/one" });
    expect(await acting([stranger, moved])).toContain("ns/blue");
  });

  test("a copy in another namespace with the same credentials gets nothing", async () => {
    const moved = object("OpenStackCluster", "ns/blue", { age: 1, location: "p/one", served: "p/one" });
    const copy = object("OpenStackCluster", "ns2/blue", { age: 2, location: "p/one" });
    expect(await acting([copy, moved])).toEqual(["ns/blue"]);
  });

  test("CAPO's own, which bear it by mistake and which we do nothing for, silence nobody", async () => {
    const capos = object("OpenStackCluster", "ns/capos", { capos: true });
    for (const kind of ["OpenStackCluster", "APIEndpoint"] as const)
      expect(await acting([capos, object(kind, "ns/blue", { age: 1 })])).toContain("ns/blue");
  });
});

describe("while OpenStackClusters cannot be seen", () => {
  const copy = object("APIEndpoint", "ns/blue");
  const said = async (one: KubeObject, world: World) =>
    (await ownerTaken(one, doors.APIEndpoint, readerOf([one], world)))?.reason;

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

test("both doors look at each other's objects", () => {
  expect([doors.OpenStackCluster.precedes.root, doors.APIEndpoint.yieldsTo.root]).toEqual([
    apiEndpoints,
    openStackClusters,
  ]);
});
