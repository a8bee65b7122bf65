import { expect, test } from "vitest";
import type { Writer } from "../../../../engine/feature.ts";
import { apiEndpointDoor } from "../../core/front-doors/api-endpoint-door.ts";
import { executeKube, type KubeAction } from "./execute-kube.ts";

const object = { namespace: "clusters", name: "blue" };
const decided = {
  object,
  uid: "first",
  host: "203.0.113.7",
  port: 6443,
  addresses: [],
  ownerId: "first",
  location: "p/r",
  record: { is: "applied", tags: ["a"] },
};
const kinds: readonly KubeAction["kind"][] = [
  "add-finalizer",
  "remove-finalizer",
  "claim-owner-id",
  "record-location",
  "record-tags",
  "set-cluster-owner",
  "record-clean-up",
  "hold-secret",
  "set-endpoint",
  "hand-off-endpoint",
  "apply-dns-endpoint",
  "delete-dns-endpoint",
];

test.each(kinds)("%s: what was decided for an object is not done to another that has its name by now", async (kind) => {
  const writes: string[] = [];
  const write = (verb: string) => async () => void writes.push(verb);
  const kube = {
    get: async () => ({
      apiVersion: "mainstay.dev/v1alpha1",
      kind: "APIEndpoint",
      metadata: { ...object, uid: "second" },
    }),
    patch: write("patch"),
    create: write("create"),
    delete: write("delete"),
  };
  const writer = { kube, signal: new AbortController().signal } as unknown as Writer;
  const executors = executeKube({ name: "api-endpoint", ...apiEndpointDoor });
  await expect(executors[kind]({ ...decided, kind } as never, writer)).rejects.toMatchObject({
    reason: "WriteConflict",
  });
  expect(writes).toEqual([]);
});

test.each([
  ["a host that somebody has written meanwhile", { host: "api.example.com", port: 443 }],
  ["such a host without a port", { host: "api.example.com", port: 0 }],
])("set-endpoint leaves %s as it is", async (_, controlPlaneEndpoint) => {
  const there = {
    apiVersion: "mainstay.dev/v1alpha1",
    kind: "APIEndpoint",
    metadata: { ...object, uid: "first", resourceVersion: "7" },
    spec: { controlPlaneEndpoint },
  };
  const written: unknown[] = [];
  const kube = { get: async () => there, patch: async (...change: readonly unknown[]) => void written.push(change) };
  const writer = { kube, signal: new AbortController().signal } as unknown as Writer;
  const executors = executeKube({ name: "api-endpoint", ...apiEndpointDoor });
  const setting = executors["set-endpoint"]({ ...decided, kind: "set-endpoint" } as never, writer);
  await expect(setting).rejects.toMatchObject({ reason: "EndpointSetByUser" });
  expect(written).toEqual([]);
});
