// A round changes each part of a balancer, and each lane's balancer, at most once: the first change makes the balancer PENDING, and Octavia
// would refuse the next.

import { expect } from "vitest";
import { laneKey, type Plan } from "../../../src/core/plan.ts";
import type { EndpointAction } from "../../../src/jobs/api-endpoint/core/model/action.ts";
import { isOctaviaAction, targetOf } from "./change-octavia.ts";

export function expectOneChangeEach({ actions }: Plan<EndpointAction>): void {
  const changes = actions.filter(isOctaviaAction);
  expect(repeated(changes.map(targetOf)), "changed twice in one round").toEqual([]);
  const lanes = changes.map(({ lane }) => laneKey(lane));
  expect(repeated(lanes), "lanes with two changes of a balancer in one round").toEqual([]);
}

function repeated(keys: readonly string[]): readonly string[] {
  return keys.filter((key, index) => keys.indexOf(key) < index);
}
