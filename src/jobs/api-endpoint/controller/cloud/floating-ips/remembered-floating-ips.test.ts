import { expect, test } from "vitest";
import { CloudModel } from "../../../../../../test/api-endpoint/model/cloud-model.ts";
import { machine, zonesIntent } from "../../../../../../test/api-endpoint/model/endpoint-builders.ts";
import type { BalancerObserved } from "../../../core/model/observed.ts";
import { type Recalling, RememberedFloatingIps } from "./remembered-floating-ips.ts";

function remembered() {
  const world = new CloudModel(zonesIntent(["az1", "az2"]));
  world.join(machine("az1", 1), machine("az2", 1));
  world.converge();
  const { balancers, intent, recorded } = world.observe();
  const seen = balancers.known ? balancers.value : [];
  const memory = new RememberedFloatingIps();
  const recalling = (now: readonly BalancerObserved[]) =>
    ({
      key: "a/b",
      endpointKey: "cloud",
      intent,
      recorded,
      balancers: now,
      monotonicMs: 1_000,
      isAtRest: false,
    }) as unknown as Recalling;
  memory.remember(recalling(seen), [], 1_000);
  return { seen, isFresh: (now: readonly BalancerObserved[]) => memory.recall(recalling(now))?.isFresh };
}

test("what was found counts in whichever order Octavia lists the balancers, and not once there are others", () => {
  const { seen, isFresh } = remembered();
  expect(seen).toHaveLength(2);
  expect([isFresh(seen), isFresh(seen.toReversed()), isFresh(seen.slice(1))]).toEqual([true, true, false]);
});
