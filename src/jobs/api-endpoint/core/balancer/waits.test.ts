import { expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import { intent } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { pendingChildrenWait, pendingWait } from "./waits.ts";

const nowMs = Date.UTC(2026, 0, 1, 12);
const lane = { part: "single" };
const changed = (seconds: number) => ({
  ...new CloudModel(intent()).addBalancer({ name: "b", provisioningStatus: "PENDING_UPDATE" }).lb,
  updatedAt: new Date(nowMs - seconds * 1_000).toISOString(),
});

test.each([
  [0, "LoadBalancerPending", 3_000],
  [120, "LoadBalancerPending", 3_000],
  [121, "LoadBalancerPending", 15_000],
  [900, "LoadBalancerPending", 15_000],
  [901, "LoadBalancerStuck", 15_000],
])("a balancer that is PENDING for %i s is %s and asked for again after %i ms", (seconds, reason, recheckAfterMs) => {
  expect(pendingWait(changed(seconds), lane, nowMs)).toMatchObject({
    reason,
    recheckAfterMs,
    message: "b: PENDING_UPDATE",
  });
});

test.each([
  [900, "LoadBalancerPending"],
  [901, "LoadBalancerStuck"],
])("what is PENDING below one that is ACTIVE for %i s is %s", (seconds, reason) => {
  expect(pendingChildrenWait(changed(seconds), [], lane, nowMs)).toMatchObject({ reason, lane });
});
