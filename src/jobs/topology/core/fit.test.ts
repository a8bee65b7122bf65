import { expect, test } from "vitest";
import type { KubeObject } from "../../../apis/kube/kube-object.ts";
import { countNodes } from "./fit.ts";

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
