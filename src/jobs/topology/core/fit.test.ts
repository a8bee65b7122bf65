import { expect, test } from "vitest";
import type { KubeObject } from "../../../apis/kube/kube-object.ts";
import { countNodes, misfits } from "./fit.ts";

function node(roles: readonly string[], ready: string, unschedulable = false): KubeObject {
  const labels = Object.fromEntries(roles.map((role) => [`node-role.kubernetes.io/${role}`, ""]));
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "any", labels },
    spec: { unschedulable },
    status: { conditions: [{ type: "Ready", status: ready }] },
  } as KubeObject;
}

test("counts nodes by role, and as ready only those that take Pods", () => {
  const nodes = [
    node(["control-plane", "worker"], "True"),
    node(["master"], "True"),
    node(["control-plane"], "True", true),
    node(["control-plane"], "Unknown"),
    node(["arbiter"], "True"),
    node(["worker"], "True"),
    node([], "False"),
  ];
  expect(countNodes(nodes)).toEqual({ controlPlane: 4, readyControlPlane: 2, workers: 2, arbiters: 1 });
});

test("a misfit says what is published and what there is, without a negation to be resolved", () => {
  const single = { controlPlane: "SingleReplica", infrastructure: "SingleReplica" };
  const words = (counts: Parameters<typeof misfits>[1], counted: Parameters<typeof misfits>[2]) =>
    misfits(single, counts, counted).map((misfit) => misfit.words);
  expect(words({ controlPlane: 3, workers: 0, arbiters: 0 }, "declared")).toEqual([
    "controlPlaneTopology is SingleReplica, but 3 control-plane machines are declared",
    "infrastructureTopology is SingleReplica, but no worker machines are declared: 3 control-plane machines do their work",
  ]);
  expect(words({ controlPlane: 1, workers: 2, arbiters: 0 }, "nodes")).toEqual([
    "infrastructureTopology is SingleReplica, but there are 2 worker nodes",
  ]);
});
