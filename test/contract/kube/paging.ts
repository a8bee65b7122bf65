// Lists in pages and as of a version: one consistent state, and what happens when it is too old or not there yet.

import { beforeAll, expect, it } from "vitest";
import type { GetContext } from "../kube-target.ts";
import { type Answer, call, configMap, created, fieldsOf, pathOf } from "./api-calls.ts";

export function pagingBehaviours(get: GetContext): void {
  const label = "paging.test/set";
  let set = "";

  beforeAll(async () => {
    set = get().unique("page");
    for (const name of ["a", "b", "c", "d"]) {
      await created(get, pathOf(get, "secrets"), { metadata: { name: `${set}-${name}`, labels: { [label]: set } } });
    }
  });

  const list = (query: Record<string, string>): Promise<Answer> =>
    call(get, "GET", `${pathOf(get, "secrets")}?${new URLSearchParams(query).toString()}`);
  const names = (answer: Answer): string =>
    answer.body.items.map((item: { metadata: { name: string } }) => item.metadata.name.slice(set.length + 1)).join("");

  it("hands out pages in the order of names with a token for the rest", async () => {
    const labelSelector = `${label}=${set}`;
    const first = await list({ labelSelector, limit: "3" });
    expect(names(first)).toBe("abc");
    expect(first.body.metadata).not.toHaveProperty("remainingItemCount");
    const second = await list({ labelSelector, limit: "3", continue: first.body.metadata.continue });
    expect(names(second)).toBe("d");
    expect(second.body.metadata.continue ?? "").toBe("");
    expect(second.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion);
  });

  it("says how many are left when nothing is selected", async () => {
    const all = await list({});
    const first = await list({ limit: "1" });
    expect(first.body.metadata.remainingItemCount).toBe(all.body.items.length - 1);
  });

  it("shows all pages as of the first one", async () => {
    const labelSelector = `${label}=${set}`;
    const first = await list({ labelSelector, limit: "2" });
    await created(get, pathOf(get, "secrets"), { metadata: { name: `${set}-bb`, labels: { [label]: set } } });
    await call(get, "DELETE", pathOf(get, "secrets", `${set}-d`));
    const second = await list({ labelSelector, limit: "10", continue: first.body.metadata.continue });
    expect(names(second)).toBe("cd");
    expect(names(await list({ labelSelector }))).toBe("abbbc");
  });

  it("lists exactly as of a version", async () => {
    const name = get().unique("exact");
    const before = (await list({})).body.metadata.resourceVersion;
    await created(get, pathOf(get, "secrets"), { metadata: { name } });
    const exact = await list({
      resourceVersion: before,
      resourceVersionMatch: "Exact",
      fieldSelector: `metadata.name=${name}`,
    });
    expect([exact.body.items, exact.body.metadata.resourceVersion]).toEqual([[], before]);
    const fresh = await list({
      resourceVersion: before,
      resourceVersionMatch: "NotOlderThan",
      fieldSelector: `metadata.name=${name}`,
    });
    expect(fresh.body.items).toHaveLength(1);
  });

  it("does not page a list at version 0, which its cache answers", async () => {
    const answer = await list({ labelSelector: `${label}=${set}`, resourceVersion: "0", limit: "1" });
    expect(answer.body.items.length).toBeGreaterThan(1);
  });

  it("refuses versions that make no sense together", async () => {
    const cases: readonly [Record<string, string>, readonly string[]][] = [
      [{ resourceVersionMatch: "Exact" }, ["resourceVersionMatch"]],
      [{ resourceVersionMatch: "Bogus", resourceVersion: "1" }, ["resourceVersionMatch"]],
      [{ resourceVersionMatch: "Exact", resourceVersion: "0" }, ["resourceVersionMatch"]],
      [{ resourceVersionMatch: "Exact", resourceVersion: "5", continue: "abc" }, ["resourceVersionMatch"]],
      [{ sendInitialEvents: "true" }, ["sendInitialEvents"]],
    ];
    for (const [query, fields] of cases) {
      const answer = await list(query);
      expect([query, answer.status, fieldsOf(answer)]).toEqual([query, 422, fields]);
    }
    for (const query of [{ resourceVersion: "abc" }, { continue: "abc" }, { limit: "abc" }]) {
      expect([query, (await list(query)).status]).toEqual([query, 400]);
    }
  });

  it("asks for patience when a version lies in the future", async () => {
    const answer = await list({ resourceVersion: "999999999999" });
    expect([answer.status, answer.body.reason]).toEqual([504, "Timeout"]);
    expect(answer.body.details.causes[0].reason).toBe("ResourceVersionTooLarge");
  });

  it("lists an absent namespace as empty", async () => {
    const answer = await call(get, "GET", "/api/v1/namespaces/no-such-namespace/configmaps");
    expect([answer.status, answer.body.kind, answer.body.items]).toEqual([200, "ConfigMapList", []]);
  });

  it("leaves kind and version out of the items of a built-in list", async () => {
    await created(get, pathOf(get, "configmaps"), configMap(get().unique("item")));
    const { body } = await call(get, "GET", pathOf(get, "configmaps"));
    expect(body).toMatchObject({ kind: "ConfigMapList", apiVersion: "v1" });
    expect(body.items[0]).not.toHaveProperty("kind");
  });
}
