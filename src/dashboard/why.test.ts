import { describe, expect, test } from "vitest";
import { sampleDetail } from "../../test/server/contract-sample.ts";
import { whyOf } from "./why.ts";

describe("why an object is as it is", () => {
  test("is the meaning of its reason, with a page to read", () => {
    expect(whyOf({ ...sampleDetail, reason: "TopologyDrift" })).toEqual({
      reason: "TopologyDrift",
      summary:
        "The published topology does not fit the cluster's nodes or declared replicas; Mainstay does not change it.",
      runbook: true,
    });
  });

  test("is found in a failed action as well as in a condition", () => {
    expect(whyOf(sampleDetail)?.summary).toBe("Mainstay cannot connect to the API server.");
  });

  test("offers no page for a word of somebody else's", () => {
    expect(whyOf({ ...sampleDetail, reason: "SomebodyElsesReason" })).toMatchObject({ summary: "", runbook: false });
    expect(whyOf({ ...sampleDetail, reason: "NeverHeardOf" })).toMatchObject({ runbook: false });
  });

  test("needs no saying while all is well", () => {
    expect(whyOf({ ...sampleDetail, health: "healthy" })).toBeUndefined();
  });
});
