// Removing things with kubectl: by name, by label, with and without their dependents, and whole namespaces.

import { expect, it } from "vitest";
import type { Kubectl } from "./kubectl-runner.ts";
import type { KubectlSession } from "./kubectl-session.ts";
import { configMap, dependent, gadget } from "./samples.ts";

// The real garbage collector looks for new kinds every 30 s and rests meanwhile; other suites on the server keep it busy.
const slowMs = 160_000;

export function deletingScript(get: () => KubectlSession): void {
  it("delete removes by name, by label and by manifest, and minds what is absent", async () => {
    const { kubectl, group, namespace } = get();
    for (const name of ["red-1", "red-2"])
      await kubectl.run("apply -f -", { input: configMap(name, {}, { colour: "red" }) });
    await kubectl.run("apply -f -", { input: configMap("blue", {}, { colour: "blue" }) });
    const deleted = (await kubectl.run("delete configmap -l colour=red")).trim().split("\n").toSorted();
    expect(deleted).toEqual([
      `configmap "red-1" deleted from ${namespace} namespace`,
      `configmap "red-2" deleted from ${namespace} namespace`,
    ]);
    expect(await kubectl.run("get configmap -l colour -o name")).toBe("configmap/blue\n");
    expect(await kubectl.run("delete -f -", { input: configMap("blue", {}) })).toContain('"blue" deleted');
    expect(await kubectl.attempt("delete configmap blue")).toMatchObject({
      code: 1,
      err: 'Error from server (NotFound): configmaps "blue" not found\n',
    });
    expect((await kubectl.attempt("delete configmap blue --ignore-not-found")).code).toBe(0);
    await kubectl.run("create -f -", { input: gadget(group, "doomed") });
    expect(await kubectl.run(`delete gadgets.${group} doomed --now`)).toContain("deleted");
  });

  it("delete waits for finalizers, unless told not to", async () => {
    const { kubectl, group, gadgets } = get();
    await kubectl.run("create -f -", {
      input: gadget(group, "held", { replicas: 1 }, { finalizers: ["example.test/hold"] }),
    });
    await kubectl.run(`delete ${gadgets} held --wait=false`);
    expect(await kubectl.run(`get ${gadgets} held -o jsonpath={.metadata.deletionTimestamp}`)).not.toBe("");
    const late = await kubectl.attempt(`delete ${gadgets} held --timeout=1s`);
    expect([late.code, late.err]).toEqual([1, expect.stringContaining("timed out waiting for the condition")]);
    await kubectl.run([
      ...`patch ${gadgets} held --type=json -p`.split(" "),
      '[{"op":"remove","path":"/metadata/finalizers"}]',
    ]);
    expect((await kubectl.attempt(`get ${gadgets} held`)).code).toBe(1);
  });

  it.each(["background", "foreground"])(
    "delete --cascade=%s takes dependents along",
    { timeout: slowMs },
    async (cascade) => {
      const { kubectl } = get();
      const { owner, child } = await ownerAndChild(kubectl, cascade);
      await kubectl.run(`delete configmap ${owner} --cascade=${cascade} --timeout=70s`);
      expect((await kubectl.attempt(`get configmap ${owner}`)).code).toBe(1);
      await kubectl.run(`wait --for=delete configmap/${child} --timeout=70s`);
      expect((await kubectl.attempt(`get configmap ${child}`)).code).toBe(1);
    },
  );

  it("delete --cascade=orphan lets dependents live on without their owner", { timeout: slowMs }, async () => {
    const { kubectl } = get();
    const { owner, child } = await ownerAndChild(kubectl, "orphan");
    await kubectl.run(`delete configmap ${owner} --cascade=orphan --timeout=70s`);
    expect((await kubectl.attempt(`get configmap ${owner}`)).code).toBe(1);
    expect(await kubectl.run(`get configmap ${child} -o jsonpath={.metadata.ownerReferences}`)).toBe("");
  });

  it("delete namespace takes everything in it along", { timeout: slowMs }, async () => {
    const { kubectl, group, gadgets, namespace } = get();
    const other = `${namespace}-b`;
    await kubectl.run(`create namespace ${other}`);
    await kubectl.run(`create -n ${other} -f -`, { input: gadget(group, "inside") });
    await kubectl.run(`create -n ${other} configmap inside --from-literal=a=b`);
    expect(await kubectl.run(`delete namespace ${other} --timeout=70s`)).toBe(`namespace "${other}" deleted\n`);
    expect((await kubectl.attempt(`get namespace ${other}`)).err).toContain("NotFound");
    expect(await kubectl.run(`get ${gadgets} -A -o jsonpath={.items[*].metadata.namespace}`)).not.toContain(other);
  });
}

async function ownerAndChild(
  kubectl: Kubectl,
  word: string,
): Promise<{ readonly owner: string; readonly child: string }> {
  const [owner, child] = [`owner-${word}`, `child-${word}`];
  await kubectl.run("create -f -", { input: configMap(owner, {}) });
  const uid = await kubectl.run(`get configmap ${owner} -o jsonpath={.metadata.uid}`);
  await kubectl.run("create -f -", { input: dependent(child, { name: owner, uid }) });
  return { owner, child };
}
