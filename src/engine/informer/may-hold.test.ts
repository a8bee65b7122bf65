import { expect, test } from "vitest";
import { configMaps, nodes } from "../../apis/kube/builtin-kinds.ts";
import type { Selection } from "../../ports/kube.ts";
import { mayHold, mustHold } from "./may-hold.ts";

const ref = { name: "one", namespace: "here" };

test.each<[Selection, boolean]>([
  [{}, true],
  [{ namespace: "here" }, true],
  [{ namespace: "there" }, false],
  [{ fieldSelector: "metadata.name=one" }, true],
  [{ fieldSelector: "metadata.name==two" }, false],
  [{ fieldSelector: "metadata.namespace=here,metadata.name=two" }, false],
  [{ fieldSelector: "metadata.name!=one" }, true],
  [{ fieldSelector: "spec.nodeName=two" }, true],
  [{ labelSelector: "colour=blue" }, true],
])("a selection %j may hold here/one: %s", (selection, holds) => {
  expect(mayHold(configMaps, selection, ref)).toBe(holds);
});

test("a namespace says nothing about a kind that has none", () => {
  expect(mayHold(nodes, { namespace: "there" }, { name: "one" })).toBe(true);
});

test.each<[Selection, boolean]>([
  [{}, true],
  [{ namespace: "here", fieldSelector: "metadata.name=one" }, true],
  [{ namespace: "there" }, false],
  [{ fieldSelector: "metadata.name!=two" }, false],
  [{ fieldSelector: "metadata.name=one,spec.nodeName=two" }, false],
  [{ labelSelector: "colour=blue" }, false],
])("a selection %j must hold here/one while it is there: %s", (selection, holds) => {
  expect(mustHold(configMaps, selection, ref)).toBe(holds);
});
