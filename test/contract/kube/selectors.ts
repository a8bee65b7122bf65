// Label and field selectors: every operator, and how nonsense is refused.

import { beforeAll, describe, expect, it } from "vitest";
import type { GetContext } from "../kube-target.ts";
import { call, configMap, created, pathOf } from "./api-calls.ts";

export function selectorsBehaviours(get: GetContext): void {
  const label = "selectors.test/set";
  let set = "";

  beforeAll(async () => {
    set = get().unique("set");
    for (const [name, labels] of [
      ["a", { env: "prod", rank: "1" }],
      ["b", { env: "test", rank: "2", extra: "" }],
      ["c", { rank: "3" }],
    ] as const) {
      await created(
        get,
        pathOf(get, "configmaps"),
        configMap(`${set}-${name}`, {}, { labels: { ...labels, [label]: set } }),
      );
    }
  });

  async function select(labelSelector: string, fieldSelector = ""): Promise<string> {
    const query = new URLSearchParams({
      labelSelector: `${label}=${set}${labelSelector === "" ? "" : `,${labelSelector}`}`,
      fieldSelector,
    });
    const { status, body } = await call(get, "GET", `${pathOf(get, "configmaps")}?${query.toString()}`);
    expect(status).toBe(200);
    return body.items.map((item: { metadata: { name: string } }) => item.metadata.name.slice(set.length + 1)).join("");
  }

  describe("by label", () => {
    for (const [selector, expected] of [
      ["env=prod", "a"],
      ["env==prod", "a"],
      ["env!=prod", "bc"],
      ["env in (prod,test)", "ab"],
      ["env notin (prod)", "bc"],
      ["env", "ab"],
      ["!env", "c"],
      ["extra=", "b"],
      ["rank>1", "bc"],
      ["rank<2", "a"],
      ["env in (prod, test), rank notin (1)", "b"],
    ] as const) {
      it(`understands ${selector}`, async () => expect(await select(selector)).toBe(expected));
    }

    for (const selector of ["a in (1", "a===1", "a b", "-x=1", "a in", "a=b c", "rank>x", "a,,b"]) {
      it(`refuses ${selector}`, async () => {
        const query = new URLSearchParams({ labelSelector: selector });
        const { status, body } = await call(get, "GET", `${pathOf(get, "configmaps")}?${query.toString()}`);
        expect([status, body.reason]).toEqual([400, "BadRequest"]);
      });
    }
  });

  describe("by field", () => {
    it("understands name and namespace, equal and not equal", async () => {
      expect(await select("", `metadata.name=${set}-a`)).toBe("a");
      expect(await select("", `metadata.name!=${set}-a`)).toBe("bc");
      expect(await select("", `metadata.namespace=${get().namespace},metadata.name==${set}-c`)).toBe("c");
      expect(await select("", "metadata.namespace=elsewhere")).toBe("");
    });

    for (const [plural, selector, words] of [
      [
        "configmaps",
        "spec.foo=1",
        '"spec.foo" is not a known field selector: only "metadata.name", "metadata.namespace"',
      ],
      ["configmaps", "metadata.name>1", "can't understand"],
      ["pods", "foo=bar", "field label not supported: foo"],
      ["services", "spec.foo=bar", "field label not supported: spec.foo"],
    ] as const) {
      it(`refuses ${selector} for ${plural}`, async () => {
        const query = new URLSearchParams({ fieldSelector: selector });
        const { status, body } = await call(get, "GET", `${pathOf(get, plural)}?${query.toString()}`);
        expect([status, body.reason]).toEqual([400, "BadRequest"]);
        expect(body.message).toContain(words);
      });
    }

    it("knows the type of Secrets and of Services", async () => {
      const name = get().unique("kind");
      await created(get, pathOf(get, "secrets"), { metadata: { name }, type: "example.com/mine" });
      await created(get, pathOf(get, "services"), {
        metadata: { name },
        spec: { type: "ExternalName", externalName: "a.example" },
      });
      const found = await call(
        get,
        "GET",
        `${pathOf(get, "secrets")}?fieldSelector=type%3Dexample.com/mine,metadata.name%3D${name}`,
      );
      expect(found.body.items).toHaveLength(1);
      const none = await call(
        get,
        "GET",
        `${pathOf(get, "services")}?fieldSelector=spec.type%3DLoadBalancer,metadata.name%3D${name}`,
      );
      expect(none.body.items).toHaveLength(0);
    });

    it("knows the node and the phase of Pods", async () => {
      const name = get().unique("pod");
      const spec = {
        nodeName: "selected-node",
        automountServiceAccountToken: false,
        containers: [{ name: "c", image: "i" }],
      };
      await podIn(get, name, spec);
      const list = (selector: string) =>
        call(get, "GET", `${pathOf(get, "pods")}?fieldSelector=${encodeURIComponent(selector)}`);
      expect((await list(`spec.nodeName=selected-node,status.phase=Pending`)).body.items).toHaveLength(1);
      expect((await list(`spec.nodeName=selected-node,status.phase!=Pending`)).body.items).toHaveLength(0);
      await call(get, "DELETE", `${pathOf(get, "pods", name)}?gracePeriodSeconds=0`);
    });
  });
}

/** The real server refuses Pods until the namespace has its ServiceAccount. */
async function podIn(get: GetContext, name: string, spec: object): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const answer = await call(get, "POST", pathOf(get, "pods"), { metadata: { name }, spec });
    if (answer.status === 201) return;
    if (answer.status !== 403) throw new Error(answer.text);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("the namespace got no ServiceAccount");
}
