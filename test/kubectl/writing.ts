// Changing things with kubectl: create, apply in both ways, replace, edit, patch, label, annotate, scale, wait, diff.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import type { KubectlSession } from "./kubectl-session.ts";
import { configMap, gadget } from "./samples.ts";

// kubectl calls it to compare.
const hasDiff = (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, "diff")));

export function writingScript(get: () => KubectlSession): void {
  it("create makes objects, from flags and from manifests, once", async () => {
    const { kubectl, group } = get();
    expect(await kubectl.run("create configmap flags --from-literal=a=1 --from-literal=b=2")).toBe(
      "configmap/flags created\n",
    );
    expect(await kubectl.run("get configmap flags -o jsonpath={.data}")).toBe('{"a":"1","b":"2"}');
    expect(await kubectl.run("create -f -", { input: gadget(group, "made") })).toBe(`gadget.${group}/made created\n`);
    const again = await kubectl.attempt("create -f -", { input: gadget(group, "made") });
    expect([again.code, again.err]).toEqual([
      1,
      expect.stringContaining(
        `Error from server (AlreadyExists): error when creating "STDIN": gadgets.${group} "made" already exists`,
      ),
    ]);
    expect(await kubectl.run("create configmap dry --from-literal=a=1 --dry-run=server")).toBe(
      "configmap/dry created (server dry run)\n",
    );
    expect((await kubectl.attempt("get configmap dry")).code).toBe(1);
    const named = { ...configMap("", {}), metadata: { generateName: "made-" } };
    expect(await kubectl.run("create -f - -o name", { input: named })).toMatch(/^configmap\/made-[a-z0-9]{5}\n$/);
  });

  it("apply creates, leaves alone, changes, and removes what it applied before and nobody else's", async () => {
    const { kubectl } = get();
    const apply = (data: Readonly<Record<string, string>>) =>
      kubectl.run("apply -f -", { input: configMap("applied", data) });
    expect(await apply({ a: "1", b: "2" })).toBe("configmap/applied created\n");
    expect(await apply({ a: "1", b: "2" })).toBe("configmap/applied unchanged\n");
    await kubectl.run([..."patch configmap applied --type=merge -p".split(" "), '{"data":{"foreign":"kept"}}']);
    expect(await apply({ a: "3" })).toBe("configmap/applied configured\n");
    expect(await kubectl.run("get configmap applied -o jsonpath={.data}")).toBe('{"a":"3","foreign":"kept"}');
    expect(await kubectl.run("apply view-last-applied configmap applied -o json")).toContain('"a": "3"');
  });

  it("apply merges lists of built-in kinds by key and replaces those of custom kinds", async () => {
    const { kubectl, group, gadgets } = get();
    const service = (ports: readonly object[]) => ({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "merged" },
      spec: { clusterIP: "None", ports },
    });
    const web = { name: "web", port: 80 };
    await kubectl.run("apply -f -", { input: service([web]) });
    await kubectl.run([..."patch service merged -p".split(" "), '{"spec":{"ports":[{"name":"extra","port":81}]}}']);
    expect(await kubectl.run("apply -f -", { input: service([{ ...web, targetPort: 8080 }]) })).toBe(
      "service/merged configured\n",
    );
    expect((await kubectl.run("get service merged -o jsonpath={.spec.ports[*].name}")).split(" ").toSorted()).toEqual([
      "extra",
      "web",
    ]);
    await kubectl.run("apply -f -", { input: gadget(group, "listed", { replicas: 1, colours: ["red", "blue"] }) });
    expect(
      await kubectl.run("apply -f -", { input: gadget(group, "listed", { replicas: 1, colours: ["green"] }) }),
    ).toBe(`gadget.${group}/listed configured\n`);
    expect(await kubectl.run(`get ${gadgets} listed -o jsonpath={.spec.colours}`)).toBe('["green"]');
  });

  it("apply --server-side tells conflicts and takes over when forced", async () => {
    const { kubectl } = get();
    const apply = (manager: string, data: Readonly<Record<string, string>>, ...more: readonly string[]) =>
      kubectl.attempt(["apply", "--server-side", `--field-manager=${manager}`, "-f", "-", ...more], {
        input: configMap("ssa", data),
      });
    expect((await apply("one", { a: "1", b: "1" })).out).toBe("configmap/ssa serverside-applied\n");
    const refused = await apply("two", { a: "2" });
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('Apply failed with 1 conflict: conflict with "one": .data.a');
    expect((await apply("two", { a: "2" }, "--force-conflicts")).out).toBe("configmap/ssa serverside-applied\n");
    expect((await apply("one", { b: "1" })).code).toBe(0);
    expect(await kubectl.run("get configmap ssa -o jsonpath={.data}")).toBe('{"a":"2","b":"1"}');
    expect(
      await kubectl.run("get configmap ssa --show-managed-fields -o jsonpath={.metadata.managedFields[*].manager}"),
    ).toMatch(/^(one two|two one)$/);
  });

  it("refuses a field that the schema does not have, and a value it does not allow", async () => {
    const { kubectl, group } = get();
    const typo = await kubectl.attempt("apply -f -", { input: gadget(group, "typo", { replicas: 1, colour: "red" }) });
    expect(typo.code).toBe(1);
    expect(typo.err).toContain(
      `Error from server (BadRequest): error when creating "STDIN": Gadget in version "v1" cannot be handled as a Gadget: strict decoding error: unknown field "spec.colour"`,
    );
    const built = await kubectl.attempt("apply -f -", { input: { ...configMap("typo", {}), dta: {} } });
    expect(built.err).toContain('strict decoding error: unknown field "dta"');
    const warned = await kubectl.attempt("apply --validate=warn -f -", {
      input: gadget(group, "typo", { replicas: 1, colour: "red" }),
    });
    expect([warned.code, warned.err]).toEqual([0, expect.stringContaining('Warning: unknown field "spec.colour"')]);
    const wrong = await kubectl.attempt("create -f -", { input: gadget(group, "wrong", { replicas: "many" }) });
    expect(wrong.err).toContain('The Gadget "wrong" is invalid: ');
    expect(wrong.err).toContain('spec.replicas: Invalid value: "string"');
  });

  it("replace puts a whole object in place of another", async () => {
    const { kubectl, group, gadgets } = get();
    await kubectl.run("create -f -", { input: gadget(group, "replaced", { replicas: 1, enabled: true }) });
    expect(await kubectl.run("replace -f -", { input: gadget(group, "replaced", { replicas: 2 }) })).toBe(
      `gadget.${group}/replaced replaced\n`,
    );
    expect(await kubectl.run(`get ${gadgets} replaced -o jsonpath={.spec}`)).toBe('{"replicas":2}');
    const before = await kubectl.run(`get ${gadgets} replaced -o jsonpath={.metadata.uid}`);
    expect(await kubectl.run("replace --force -f -", { input: gadget(group, "replaced", { replicas: 3 }) })).toContain(
      "replaced\n",
    );
    expect(await kubectl.run(`get ${gadgets} replaced -o jsonpath={.metadata.uid}`)).not.toBe(before);
  });

  it("edit writes back what the editor leaves", async () => {
    const { kubectl, group, gadgets } = get();
    await kubectl.run("create -f -", { input: gadget(group, "edited", { replicas: 1 }) });
    const env = { KUBE_EDITOR: "sed -i -e s/replicas:.1/replicas:\\ 5/" };
    expect(await kubectl.run(`edit ${gadgets} edited`, { env })).toBe(`gadget.${group}/edited edited\n`);
    expect(await kubectl.run(`get ${gadgets} edited -o jsonpath={.spec.replicas}`)).toBe("5");
    expect((await kubectl.attempt(`edit ${gadgets} edited`, { env: { KUBE_EDITOR: "true" } })).err).toContain(
      "Edit cancelled, no changes made.",
    );
    await kubectl.run("create configmap edited --from-literal=word=one");
    expect(
      await kubectl.run("edit configmap edited", { env: { KUBE_EDITOR: "sed -i -e s/word:.one/word:\\ two/" } }),
    ).toBe("configmap/edited edited\n");
    expect(await kubectl.run("get configmap edited -o jsonpath={.data.word}")).toBe("two");
  });

  it("patch works in three ways and on the status", async () => {
    const { kubectl, group, gadgets } = get();
    await kubectl.run("create -f -", { input: gadget(group, "patched") });
    const patch = (target: string, body: string) =>
      kubectl.attempt([..."patch".split(" "), ...target.split(" "), "-p", body]);
    expect((await patch(`${gadgets} patched --type=merge`, '{"spec":{"replicas":2}}')).out).toBe(
      `gadget.${group}/patched patched\n`,
    );
    expect((await patch(`${gadgets} patched --type=merge`, '{"spec":{"replicas":2}}')).out).toBe(
      `gadget.${group}/patched patched (no change)\n`,
    );
    expect(
      (await patch(`${gadgets} patched --type=json`, '[{"op":"replace","path":"/spec/replicas","value":3}]')).code,
    ).toBe(0);
    expect(
      (
        await patch(
          `${gadgets} patched --type=merge --subresource=status`,
          '{"status":{"replicas":9},"spec":{"replicas":8}}',
        )
      ).code,
    ).toBe(0);
    expect(await kubectl.run(`get ${gadgets} patched -o jsonpath={.spec.replicas}/{.status.replicas}`)).toBe("3/9");
    const strategic = await patch(`${gadgets} patched --type=strategic`, '{"spec":{"replicas":4}}');
    expect([strategic.code, strategic.err]).toEqual([
      1,
      expect.stringContaining("application/strategic-merge-patch+json is not supported by"),
    ]);
    await kubectl.run("create configmap patched --from-literal=a=1");
    expect((await patch("configmap patched", '{"data":{"b":"2"}}')).out).toBe("configmap/patched patched\n");
    expect(await kubectl.run("get configmap patched -o jsonpath={.data}")).toBe('{"a":"1","b":"2"}');
    const failed = await patch("configmap patched --type=json", '[{"op":"test","path":"/data/a","value":"9"}]');
    expect(failed.code).toBe(1);
  });

  it("label and annotate add, refuse to overwrite, overwrite when told, and remove", async () => {
    const { kubectl } = get();
    await kubectl.run("create configmap marked --from-literal=a=1");
    for (const [verb, word] of [
      ["label", "labeled"],
      ["annotate", "annotated"],
    ] as const) {
      expect(await kubectl.run(`${verb} configmap marked colour=red`)).toBe(`configmap/marked ${word}\n`);
      const refused = await kubectl.attempt(`${verb} configmap marked colour=blue`);
      expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("--overwrite")]);
      expect(await kubectl.run(`${verb} configmap marked colour=blue --overwrite`)).toBe(`configmap/marked ${word}\n`);
    }
    expect(
      await kubectl.run("get configmap marked -o jsonpath={.metadata.labels.colour}{.metadata.annotations.colour}"),
    ).toBe("blueblue");
    expect(await kubectl.run("label configmap marked colour-")).toBe("configmap/marked unlabeled\n");
    expect(await kubectl.run("annotate configmap marked colour-")).toBe("configmap/marked annotated\n");
    expect(await kubectl.run("get configmap marked -o jsonpath={.metadata.labels}{.metadata.annotations}")).toBe("");
  });

  it("scale changes the replicas of a custom kind through its scale subresource", async () => {
    const { kubectl, group, gadgets } = get();
    await kubectl.run("create -f -", { input: gadget(group, "scaled", { replicas: 1 }) });
    expect(await kubectl.run(`scale ${gadgets} scaled --replicas=5`)).toBe(`gadget.${group}/scaled scaled\n`);
    expect(await kubectl.run(`get ${gadgets} scaled -o jsonpath={.spec.replicas}`)).toBe("5");
    const wrong = await kubectl.attempt(`scale ${gadgets} scaled --current-replicas=3 --replicas=7`);
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("Expected replicas to be 3, was 5")]);
    expect(JSON.parse(await kubectl.run(`get ${gadgets} scaled --subresource=scale -o json`))).toMatchObject({
      kind: "Scale",
      spec: { replicas: 5 },
    });
  });

  it("wait returns when a condition, a value or the end of an object comes", async () => {
    const { kubectl, group, gadgets } = get();
    await kubectl.run("create -f -", { input: gadget(group, "awaited") });
    const ready = kubectl.run(`wait --for=condition=Ready --timeout=20s ${gadgets}/awaited`);
    const status = (value: string) =>
      kubectl.run([
        ...`patch ${gadgets} awaited --subresource=status --type=merge -p`.split(" "),
        `{"status":{"replicas":4,"conditions":[{"type":"Ready","status":"${value}"}]}}`,
      ]);
    await status("False");
    await status("True");
    expect(await ready).toBe(`gadget.${group}/awaited condition met\n`);
    expect(await kubectl.run(`wait --for=jsonpath={.status.replicas}=4 --timeout=20s ${gadgets}/awaited`)).toContain(
      "condition met",
    );
    const late = await kubectl.attempt(`wait --for=condition=Never --timeout=1s ${gadgets}/awaited`);
    expect([late.code, late.err]).toEqual([1, expect.stringContaining("timed out waiting for the condition")]);
    const gone = kubectl.run(`wait --for=delete --timeout=20s ${gadgets}/awaited`);
    await kubectl.run(`delete ${gadgets} awaited`);
    await gone;
  });

  it("cordons, taints and labels a Node", async () => {
    const { kubectl, namespace } = get();
    const node = `node-${namespace}`;
    await kubectl.run("create -f -", { input: { apiVersion: "v1", kind: "Node", metadata: { name: node } } });
    expect(await kubectl.run(`cordon ${node}`)).toBe(`node/${node} cordoned\n`);
    expect(await kubectl.run(`taint node ${node} fresh=yes:NoSchedule`)).toBe(`node/${node} tainted\n`);
    expect(await kubectl.run(`get node ${node} -o jsonpath={.spec.taints[?(@.key=="fresh")].effect}`)).toBe(
      "NoSchedule",
    );
    expect(await kubectl.run(`uncordon ${node}`)).toBe(`node/${node} uncordoned\n`);
    expect(await kubectl.run(`get node ${node} --no-headers`)).toMatch(/ (Unknown|NotReady) +<none> /);
    await kubectl.run(`delete node ${node}`);
  });

  it.skipIf(!hasDiff)("diff shows what an apply would change, and changes nothing", async () => {
    const { kubectl } = get();
    await kubectl.run("apply -f -", { input: configMap("diffed", { a: "1" }) });
    expect((await kubectl.attempt("diff -f -", { input: configMap("diffed", { a: "1" }) })).code).toBe(0);
    const { code, out } = await kubectl.attempt("diff -f -", { input: configMap("diffed", { a: "2" }) });
    expect(code).toBe(1);
    expect(out).toMatch(/^-.* a: "1"$/m);
    expect(out).toMatch(/^\+.* a: "2"$/m);
    expect(await kubectl.run("get configmap diffed -o jsonpath={.data.a}")).toBe("1");
    const serverSide = await kubectl.attempt(
      "diff --server-side --field-manager=kubectl-client-side-apply --force-conflicts -f -",
      { input: configMap("diffed", { a: "3" }) },
    );
    expect([serverSide.code, serverSide.out]).toEqual([1, expect.stringMatching(/^\+.* a: "3"$/m)]);
  });
}
