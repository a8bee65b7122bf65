import { expect, test } from "vitest";
import type { Action } from "./plan.ts";
import { stepIdentity } from "./same-step.ts";

const action = (fields: object): Action => ({
  kind: "create-listener",
  because: "AsExpected",
  lane: { part: "a" },
  ...fields,
});
const isSame = (one: object, other: object) => stepIdentity(action(one)) === stepIdentity(action(other));

test("ids, versions and causes make no difference, at any depth", () => {
  const wanted = (id: string) => ({
    wanted: { loadBalancerId: id, port: 6443, poolIds: [id] },
    id,
    step: id,
    because: id,
    seen: { revisionNumber: Number(id) },
  });
  expect(isSame(wanted("1"), wanted("2"))).toBe(true);
});

test("a Kubernetes object is who it is, not what it says", () => {
  const child = (name: string, version: string) => ({
    child: { kind: "ConfigMap", metadata: { name, resourceVersion: version }, data: { at: version } },
  });
  expect(isSame(child("one", "1"), child("one", "2"))).toBe(true);
  expect(isSame(child("one", "1"), child("two", "1"))).toBe(false);
});

test("what is asked for and where does", () => {
  expect(isSame({ wanted: { port: 6443 } }, { wanted: { port: 8132 } })).toBe(false);
  expect(isSame({ lane: { part: "a" } }, { lane: { part: "b" } })).toBe(false);
  expect(isSame({ kind: "delete-listener" }, {})).toBe(false);
});

test("the order of fields and parts that are undefined do not", () => {
  expect(isSame({ a: 1, b: { c: 1, d: undefined } }, { b: { c: 1 }, a: 1 })).toBe(true);
});
