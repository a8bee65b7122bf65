import { describe } from "vitest";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import { namespaces } from "../../src/apis/builtin-kinds.ts";
import { describeLab, labKube } from "../lab.ts";
import { realTarget } from "./targets/real.ts";
import { fakeInProcess } from "./targets/fake-in-process.ts";
import type { ContractContext, GetContext, KubeTarget } from "./kube-target.ts";
const areas: Record<string, (get: GetContext) => void> = {};
for (const name of (process.env.F2_AREAS ?? "apply").split(",")) { const m: any = await import(`./kube/${name}.ts`); areas[name] = Object.values(m).find((v: any) => typeof v === "function" && /Behaviours$/.test(v.name)) as any; }
function contract(target: KubeTarget) {
  let context: ContractContext; const cleanups: (() => Promise<unknown>)[] = [];
  beforeAll(async () => { const session = await target.open(); const unique = (p: string) => `${p}-${randomBytes(4).toString("hex")}`; const namespace = unique("contract");
    context = { ...session, namespace, unique, cleanup: (t) => cleanups.push(t) }; await session.admin.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }); });
  afterAll(async () => { cleanups.unshift(() => context.admin.delete(namespaces, { name: context.namespace })); for (const t of cleanups.toReversed()) await t().catch(() => {}); await context.close(); });
  for (const [a, b] of Object.entries(areas)) describe(a, () => b(() => context));
}
if (process.env.F2_TARGET !== "fake") describeLab("real", labKube, (lab) => contract(realTarget(lab)));
if (process.env.F2_TARGET !== "real") describe("fake", () => contract(fakeInProcess));
