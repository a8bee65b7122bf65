import { describe, expect, test } from "vitest";
import { describeAction } from "./describe-action.ts";
import type { Action } from "./plan.ts";

const publish = {
  kind: "publish",
  name: "cluster",
  resourceVersion: "32",
  uid: "5f0c",
  lane: { part: "status" },
  controlPlane: "SingleReplica",
  unlessUpgrading: false,
  because: "TopologyEmpty",
} satisfies Action & Record<string, unknown>;

describe("an action in words", () => {
  test("names the object and the values, and leaves out what only the API server counts", () => {
    expect(describeAction(publish)).toBe(
      "publish cluster (control plane SingleReplica) in status because TopologyEmpty",
    );
  });

  test("says a switch only when it is on", () => {
    expect(describeAction({ ...publish, unlessUpgrading: true } as Action)).toContain(
      "(control plane SingleReplica, unless upgrading)",
    );
  });

  test("shows neither nested data nor what may be a secret", () => {
    const action = { kind: "add", because: "ObjectNotFound", object: { data: "x1" }, apiToken: "x2", list: ["x3"] };
    expect(describeAction(action as Action)).toBe("add because ObjectNotFound");
  });
});
