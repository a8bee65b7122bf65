import { expect, test } from "vitest";
import { ownerIdAnnotation } from "../../apis/api-endpoint-annotations.ts";
import type { KubeObject } from "../../apis/kube-object.ts";
import { apiEndpointDoor } from "../../core/api-endpoint/doors/api-endpoint-door.ts";
import { openStackClusterDoor } from "../../core/api-endpoint/doors/open-stack-cluster-door.ts";
import type { Reader } from "../../engine/feature.ts";
import { InformerStore } from "../../engine/informer-store.ts";
import type { StoreState } from "../../engine/store.ts";
import type { EndpointDoor } from "./endpoint-door.ts";
import { ownerTaken } from "./twins.ts";

const first: EndpointDoor = { name: "openstack-cluster", what: "", ...openStackClusterDoor("annotated") };
const door: EndpointDoor = { name: "api-endpoint", what: "", ...apiEndpointDoor, yieldsTo: first };
const object: KubeObject = {
  apiVersion: "mainstay.dev/v1alpha1",
  kind: "APIEndpoint",
  metadata: { name: "blue", namespace: "ns", annotations: { [ownerIdAnnotation]: "o1" } },
};

function readerOf(state: StoreState): Reader {
  const empty = new InformerStore<KubeObject>(() => undefined);
  empty.addIndexer("owner-id", () => []);
  const store = {
    get: () => undefined,
    list: () => [],
    byIndex: (index: string, value: string) => empty.byIndex(index, value),
    state,
    hasSynced: () => state === "synced",
  };
  return { cached: () => store, nowMs: 0, signal: new AbortController().signal } as unknown as Reader;
}

test.each([
  ["synced", undefined],
  ["not-served", undefined],
  ["forbidden", "PermissionDenied"],
] as const)("while OpenStackClusters are %s, an owner id is held back for: %s", (state, reason) => {
  expect(ownerTaken(object, door, readerOf(state))?.reason).toBe(reason);
});
