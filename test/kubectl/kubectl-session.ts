// Where the kubectl script runs: an administrator's kubectl and one of user `controller`, a namespace and an API group of its own.

import { randomBytes } from "node:crypto";
import { gadgetCrd } from "../contract/kube/gadget-kind.ts";
import { eventually } from "../contract/kube/raw-request.ts";
import { type Access, type Kubectl, kubectlFor } from "./kubectl-runner.ts";

export interface KubectlTarget {
  readonly binary: string;
  open(): Promise<{ readonly admin: Access; readonly controller: Access; close(): Promise<void> }>;
}

export interface KubectlSession {
  readonly kubectl: Kubectl;
  readonly restricted: Kubectl;
  readonly namespace: string;
  /** API group of the custom kind Gadget. */
  readonly group: string;
  /** `gadgets.<group>`: how kubectl is told the kind. */
  readonly gadgets: string;
  close(): Promise<void>;
}

export async function openSession(target: KubectlTarget): Promise<KubectlSession> {
  const server = await target.open();
  const suffix = randomBytes(4).toString("hex");
  const namespace = `kubectl-${suffix}`;
  const group = `k-${suffix}.example.test`;
  const kubectl = kubectlFor(target.binary, server.admin, namespace);
  const restricted = kubectlFor(target.binary, server.controller, namespace);
  await kubectl.run(`create namespace ${namespace}`);
  await kubectl.run("apply -f -", { input: gadgetCrd(group) });
  await kubectl.run(`wait --for=condition=Established --timeout=20s crd/gadgets.${group}`);
  // Discovery of the real server follows a moment later; kubectl would remember its absence.
  await eventually("the new group to be discovered", async () => {
    const { code } = await kubectl.attempt(`get --raw /apis/${group}/v1`);
    return code === 0 || undefined;
  });
  return {
    kubectl,
    restricted,
    namespace,
    group,
    gadgets: `gadgets.${group}`,
    close: async () => {
      await kubectl.attempt(`delete crd gadgets.${group} --wait=false`);
      await kubectl.attempt(`delete namespace ${namespace} --wait=false`);
      kubectl.close();
      restricted.close();
      await server.close();
    },
  };
}
