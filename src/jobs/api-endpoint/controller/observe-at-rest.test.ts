// An object is observed together with others only while nothing was to be done for it, it is as it was, and nothing is under way.

import { expect, test } from "vitest";
import { CloudModel } from "../../../../test/api-endpoint/model/cloud-model.ts";
import {
  intent,
  machine,
  zoneBalancerName,
  zonesIntent,
} from "../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../core/known.ts";
import type { Reader } from "../../../engine/feature.ts";
import type { EndpointAction } from "../core/model/action.ts";
import { planEndpoint } from "../core/plan.ts";
import type { HowToObserve, ObservedEndpoint } from "./observe.ts";
import { observeAtRest } from "./observe-at-rest.ts";

const key = { namespace: "default", name: "demo" };

/** A world at rest, looked at again and again; gives how it was looked at. */
function looking() {
  const world = new CloudModel(intent());
  world.converge();
  let generation: number | undefined = 1;
  let writes = 0;
  const hows: boolean[] = [];
  const observe = async (_key: unknown, _reader: unknown, { isAtRest }: HowToObserve) => {
    hows.push(isAtRest);
    const shared = isAtRest ? { sharedAskedMs: world.nowMs } : {};
    return { ...world.observe(), ...shared } as unknown as ObservedEndpoint;
  };
  const atRest = observeAtRest({ root: {} } as never, observe, planEndpoint);
  const look = async (over: Partial<Pick<Reader, "failed" | "underWay">> = {}) => {
    hows.length = 0;
    writes += 1;
    const object = generation === undefined ? undefined : { metadata: { generation, resourceVersion: `${writes}` } };
    const reader = { cached: () => ({ get: () => object }), nowMs: world.nowMs, ...over };
    await atRest(key, reader as unknown as Reader);
    return [...hows];
  };
  const change = (to: number | undefined) => {
    generation = to;
  };
  return { world, look, change };
}

test("it is looked at by itself first, and with others once nothing is to be done, whoever writes its status", async () => {
  const { look } = looking();
  expect([await look(), await look(), await look()]).toEqual([[false], [true], [true]]);
});

test("it is looked at by itself after every change of what people ask for", async () => {
  const { look, change } = looking();
  await look();
  change(2);
  expect([await look(), await look()]).toEqual([[false], [true]]);
  change(undefined);
  expect([await look(), await look()]).toEqual([[false], [false]]);
});

test("what a shared answer would have done is done after another look, by itself", async () => {
  const { world, look } = looking();
  await look();
  world.floatingIps = [];
  expect([await look(), await look()]).toEqual([[true, false], [false]]);
});

test("it is not at rest while something is under way or will be tried again", async () => {
  const { look } = looking();
  const underWay = [{ kind: "create-pool" } as EndpointAction];
  const failed = new Map([["az1", 1_000]]);
  await look();
  expect([await look({ underWay }), await look()]).toEqual([[false], [false]]);
  expect([await look({ failed }), await look()]).toEqual([[false], [false]]);
  expect(await look({ failed: new Map(), underWay: [] })).toEqual([true]);
});

test("what waits until others are read again is looked at once more, below those alone, and so is the next look until they were", async () => {
  const world = new CloudModel(zonesIntent(["az1", "az2"]));
  world.join(machine("az1", 1), machine("az2", 1));
  world.converge();
  world.setDeleting("cp-az1-1");
  const { id } = world.row(zoneBalancerName("az2")).lb;
  const asked: (readonly string[])[] = [];
  let isAnswered = false;
  const observe = async (_key: unknown, _reader: unknown, { readAgain = new Set<string>() }: HowToObserve) => {
    asked.push([...readAgain]);
    const now = world.observe();
    const balancers = (now.balancers.known ? now.balancers.value : []).map((one) =>
      isAnswered && readAgain.has(one.balancer.id) ? one : { ...one, treeAskedMs: now.monotonicMs - 3_600_000 },
    );
    return { ...now, balancers: known(balancers) } as unknown as ObservedEndpoint;
  };
  const atRest = observeAtRest({ root: {} } as never, observe, planEndpoint);
  const look = async () => {
    asked.length = 0;
    const reader = { cached: () => ({ get: () => ({ metadata: { generation: 1 } }) }), nowMs: world.nowMs };
    const observed = await atRest(key, reader as unknown as Reader);
    const kinds = observed === undefined ? [] : planEndpoint(observed, world.nowMs).actions.map(({ kind }) => kind);
    return [[...asked], kinds];
  };
  expect(await look()).toEqual([[[], [id]], []]);
  isAnswered = true;
  expect(await look()).toEqual([[[id]], ["remove-member"]]);
  isAnswered = false;
  expect(await look()).toEqual([[[], [id]], []]);
});
