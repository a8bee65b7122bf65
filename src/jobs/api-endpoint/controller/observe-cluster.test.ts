import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../../apis/kube/kube-object.ts";
import type { Reader } from "../../../engine/feature.ts";
import type { StoreState } from "../../../engine/informer/store.ts";
import { externallyManagedAnnotation } from "../apis/annotations.ts";
import { apiEndpointDoor } from "../core/front-doors/api-endpoint-door.ts";
import { openStackClusterDoor } from "../core/front-doors/open-stack-cluster-door.ts";
import type { FrontDoor } from "./front-door.ts";
import { observeCluster } from "./observe-cluster.ts";

const doors: Readonly<Record<"OpenStackCluster" | "APIEndpoint", FrontDoor>> = {
  OpenStackCluster: { name: "openstack-cluster", ...openStackClusterDoor("annotated") },
  APIEndpoint: { name: "api-endpoint", ...apiEndpointDoor },
};
const cluster = { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", metadata: { name: "blue", uid: "c" } };

function observed(kind: keyof typeof doors, state: StoreState, isThere: boolean) {
  const ownerReferences = [{ apiVersion: cluster.apiVersion, kind: "Cluster", name: "blue", uid: "c" }];
  const object: KubeObject & { readonly spec: object } = {
    apiVersion: "x/v1",
    kind,
    metadata: {
      name: "blue",
      namespace: "ns",
      annotations: { [externallyManagedAnnotation]: "mainstay" },
      ownerReferences,
    },
    spec: { clusterRef: { name: "blue" } },
  };
  const store = { get: () => (isThere ? cluster : undefined), state };
  return observeCluster(object, doors[kind], { cached: () => store } as unknown as Reader);
}

describe.each(["OpenStackCluster", "APIEndpoint"] as const)("the Cluster of an %s", (kind) => {
  test("is not said to be gone while Clusters are unreachable", () => {
    expect(observed(kind, "unreachable", false)).toBeUndefined();
  });

  test.each([
    ["forbidden", "PermissionDenied"],
    ["not-served", "KindNotServed"],
    ["pending", "KindNotServed"],
  ] as const)("is unknown while Clusters are %s, also one that was seen before: %s", (state, reason) => {
    for (const isThere of [false, true])
      expect(() => observed(kind, state, isThere)).toThrow(expect.objectContaining({ reason }));
  });

  test.each(["synced", "unreachable"] as const)("counts as it was last seen, while Clusters are %s", (state) => {
    expect(observed(kind, state, true)).toMatchObject({ facts: { ref: { name: "blue" } } });
    expect(observed(kind, state, true)?.missing).toBeUndefined();
  });
});

test("one that is not there is told where the object itself names it; Cluster API's objects are none of our business then", () => {
  expect(observed("APIEndpoint", "synced", false)?.missing).toMatchObject({ reason: "ClusterNotFound" });
  expect(observed("OpenStackCluster", "synced", false)).toBeUndefined();
});
