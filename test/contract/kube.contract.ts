// The contract of the Kubernetes API as Mainstay relies on it: one suite, the same assertions, on the fake in-process, on
// the fake over HTTP and on the real API server. Where they differ, the fake is wrong.

import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe } from "vitest";
import { namespaces } from "../../src/apis/kube/builtin-kinds.ts";
import { applyBehaviours } from "./kube/apply.ts";
import { builtinKindsBehaviours } from "./kube/builtin-kinds.ts";
import { celBehaviours } from "./kube/cel.ts";
import { clientBehaviours } from "./kube/client.ts";
import { crdBehaviours } from "./kube/crd.ts";
import { crdVersionBehaviours } from "./kube/crd-versions.ts";
import { deleteBehaviours } from "./kube/delete.ts";
import { discoveryBehaviours } from "./kube/discovery.ts";
import { kindRuleBehaviours } from "./kube/kind-rules.ts";
import { namespacesBehaviours } from "./kube/namespaces.ts";
import { objectsBehaviours } from "./kube/objects.ts";
import { pagingBehaviours } from "./kube/paging.ts";
import { patchBehaviours } from "./kube/patch.ts";
import { rbacBehaviours } from "./kube/rbac.ts";
import { selectorsBehaviours } from "./kube/selectors.ts";
import { servicesBehaviours } from "./kube/services.ts";
import { statusBehaviours } from "./kube/status.ts";
import { tableBehaviours } from "./kube/table.ts";
import { tokenBehaviours } from "./kube/tokens.ts";
import { watchBehaviours } from "./kube/watch.ts";
import { webhookBehaviours } from "./kube/webhooks.ts";
import type { ContractContext, GetContext, KubeTarget } from "./kube-target.ts";

// One line for each area, in alphabetical order.
const areas: Readonly<Record<string, (get: GetContext) => void>> = {
  apply: applyBehaviours,
  cel: celBehaviours,
  client: clientBehaviours,
  crd: crdBehaviours,
  "crd-versions": crdVersionBehaviours,
  "built-in kinds": builtinKindsBehaviours,
  delete: deleteBehaviours,
  discovery: discoveryBehaviours,
  "kind rules": kindRuleBehaviours,
  namespaces: namespacesBehaviours,
  objects: objectsBehaviours,
  paging: pagingBehaviours,
  patch: patchBehaviours,
  rbac: rbacBehaviours,
  selectors: selectorsBehaviours,
  services: servicesBehaviours,
  status: statusBehaviours,
  table: tableBehaviours,
  tokens: tokenBehaviours,
  watch: watchBehaviours,
  webhooks: webhookBehaviours,
};

export function kubeContract(target: KubeTarget): void {
  let context: ContractContext | undefined;
  const cleanups: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    const session = await target.open();
    const unique = (prefix: string) => `${prefix}-${randomBytes(4).toString("hex")}`;
    const namespace = unique("contract");
    context = { ...session, namespace, unique, cleanup: (task) => cleanups.push(task) };
    await session.admin.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  });

  afterAll(async () => {
    if (context === undefined) return;
    const { admin, namespace } = context;
    cleanups.unshift(() => admin.delete(namespaces, { name: namespace }));
    for (const task of cleanups.toReversed()) await task().catch(() => {});
    await context.close();
  });

  function get(): ContractContext {
    if (context === undefined)
      throw new Error("the session is not open yet: ask for the context inside `it` or a hook");
    return context;
  }

  for (const [area, behaviours] of Object.entries(areas)) describe(area, () => behaviours(get));
}
