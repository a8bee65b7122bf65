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
  [901, "LoadBalancerStuck", 60_000],
])("a balancer that is PENDING for %i s is %s and asked for again after %i ms", (seconds, reason, recheckAfterMs) => {
  expect(pendingWait({ balancer: changed(seconds) }, lane, nowMs)).toMatchObject({
    reason,
    recheckAfterMs,
    message: "b: Octavia changes it (PENDING_UPDATE)",
  });
});

test.each([
  [120, 3_000],
  [121, 15_000],
  [901, 60_000],
])(
  "one that others have touched all the time for %i s is not stuck, and is asked for again after %i ms",
  (seconds, recheckAfterMs) => {
    const wait = pendingWait({ balancer: changed(1), pendingForMs: seconds * 1_000 }, lane, nowMs);
    expect(wait).toMatchObject({ reason: "LoadBalancerPending", recheckAfterMs });
  },
);

test.each([
  [900, "LoadBalancerPending", 15_000],
  [901, "LoadBalancerStuck", 60_000],
])("what is PENDING below one that is ACTIVE for %i s is %s", (seconds, reason, recheckAfterMs) => {
  expect(pendingChildrenWait(changed(seconds), [], lane, nowMs)).toMatchObject({ reason, recheckAfterMs, lane });
});
