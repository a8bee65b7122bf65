// Who the control-plane machines of a cluster are, where they are, and by which addresses.

import { describe, expect, test } from "vitest";
import { controlPlaneLabel, machines, openStackMachines } from "../../../apis/cluster-api/cluster-api-kinds.ts";
import { type Kind, type KubeObject, resourceName } from "../../../apis/kube/kube-object.ts";
import type { Reader } from "../../../engine/feature.ts";
import type { StoreState } from "../../../engine/informer/store.ts";
import { observeMachines } from "./observe-machines.ts";

const cluster = { namespace: "clusters", name: "blue" };
const zoneOfServer = async (id: string) => `zone-of-${id}`;
const internal = (address: string) => ({ type: "InternalIP", address });

function machine(
  name: string,
  over: { readonly spec?: object; readonly status?: object; readonly metadata?: object } = {},
) {
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Machine",
    metadata: { name, namespace: "clusters", uid: name, labels: { [controlPlaneLabel]: "" }, ...over.metadata },
    spec: { infrastructureRef: { name: `os-${name}` }, ...over.spec },
    status: over.status,
  } as KubeObject;
}

function server(name: string, status: object, metadata: object = {}) {
  return {
    apiVersion: "x/v1",
    kind: "OpenStackMachine",
    metadata: { name: `os-${name}`, namespace: "clusters", uid: `os-${name}`, ...metadata },
    status,
  } as KubeObject;
}

function readerOf(objects: readonly KubeObject[], state: StoreState = "synced", of: Kind = machines): Reader {
  const cached = (kind: Kind) => ({
    state: resourceName(kind) === resourceName(of) ? state : "synced",
    byIndex: () => objects.filter((one) => one.kind === kind.kind),
  });
  return { cached } as unknown as Reader;
}

const observed = async (objects: readonly KubeObject[], state?: StoreState) =>
  await observeMachines(cluster, readerOf(objects, state), zoneOfServer);

describe("a machine's zone", () => {
  const zoneOf = async (spec: object, status: object, infrastructure?: object) => {
    const servers = infrastructure === undefined ? [] : [server("a", infrastructure)];
    return (await observed([machine("a", { spec, status }), ...servers]))[0]?.zone;
  };

  test("is the failure domain of its spec, then the one of its status, then its server's, and else unknown", async () => {
    const there = { instanceID: "s1" };
    expect(await zoneOf({ failureDomain: "az1" }, { failureDomain: "az2" }, there)).toBe("az1");
    expect(await zoneOf({}, { failureDomain: "az2" }, there)).toBe("az2");
    expect(await zoneOf({ failureDomain: "" }, { failureDomain: "" }, there)).toBe("zone-of-s1");
    expect(await zoneOf({}, {}, {})).toBeUndefined();
    expect(await zoneOf({}, {})).toBeUndefined();
  });
});

test("a machine's addresses are internal ones, of its server and its own, each once, and its name is its server's", async () => {
  const own = {
    addresses: [internal("10.6.1.2"), internal("10.6.1.1"), { type: "ExternalIP", address: "203.0.113.1" }],
  };
  const found = await observed([
    machine("a", { status: own }),
    server("a", { addresses: [internal("10.6.1.1"), { type: "Hostname", address: "a" }] }),
    machine("b", { status: own }),
    machine("c"),
  ]);
  expect(found.map(({ name, addresses }) => [name, addresses])).toEqual([
    ["os-a", ["10.6.1.1", "10.6.1.2"]],
    ["os-b", ["10.6.1.2", "10.6.1.1"]],
    ["os-c", []],
  ]);
});

test("only control-plane machines count, in the order of their names", async () => {
  const worker = machine("worker", { metadata: { labels: {} } });
  const found = await observed([machine("b"), worker, machine("a")]);
  expect(found.map(({ name }) => name)).toEqual(["os-a", "os-b"]);
});

test("a machine is on its way out when it, or its server, is being deleted", async () => {
  const deleted = { deletionTimestamp: "2026-01-01T00:00:00Z" };
  const found = await observed([
    machine("a", { metadata: deleted }),
    machine("b"),
    server("b", {}, deleted),
    machine("c"),
    server("c", {}),
  ]);
  expect(found.map(({ name, deleting }) => [name, deleting])).toEqual([
    ["os-a", true],
    ["os-b", true],
    ["os-c", false],
  ]);
});

describe("a list of machines that cannot be read is not an empty one", () => {
  test.each<readonly [StoreState, string]>([
    ["forbidden", "PermissionDenied"],
    ["not-served", "KindNotServed"],
    ["pending", "KindNotServed"],
  ])("%s: %s", async (state, reason) => {
    await expect(observed([machine("a")], state)).rejects.toMatchObject({ reason });
  });

  test.each<StoreState>(["synced", "unreachable"])("%s: what it has counts", async (state) => {
    expect(await observed([machine("a")], state)).toHaveLength(1);
  });
});

test("what may not be listed of their servers leaves their addresses unknown; without that kind there are none", async () => {
  const asked = (state: StoreState) =>
    observeMachines(cluster, readerOf([machine("a")], state, openStackMachines), zoneOfServer);
  await expect(asked("forbidden")).rejects.toMatchObject({ reason: "PermissionDenied" });
  expect(await asked("not-served")).toHaveLength(1);
});
