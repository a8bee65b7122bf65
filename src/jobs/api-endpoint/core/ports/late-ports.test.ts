import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  amphora,
  machine,
  tcpPorts,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../../core/known.ts";

const az = ["az1", "az2"] as const;

function onOvn(ports: readonly number[], refused: (typeof amphora)["refused"] = []): CloudModel {
  const world = new CloudModel(zonesIntent(az, { provider: "ovn", additionalPorts: tcpPorts(...ports) }));
  world.capabilities = known({ ...amphora, refused });
  world.join(...az.map((zone) => machine(zone, 1)));
  world.converge();
  return world;
}

describe("a port that is added later where a listener must not come after a monitor", () => {
  test("gets its listener while there is no monitor; all have one afterwards, and every pool was served all the time", () => {
    const world = onOvn([9345]);
    const name = zoneBalancerName("az1");
    expect(world.row(name).lb.provider).toBe("ovn");
    world.intent = { ...world.intent, additionalPorts: tcpPorts(8132, 9345) };
    for (let round = 0; round < 60 && world.plan().actions.length + world.plan().waits.length > 0; round += 1) {
      world.round();
      expect([6443, 9345].map((port) => world.members(name, port))).toEqual([["10.6.1.1"], ["10.6.1.1"]]);
      expect(world.waysIn()).toBe(2);
    }
    const row = world.row(name);
    expect([row.listeners, row.pools, row.monitors].map((parts) => parts.length)).toEqual([3, 3, 3]);
    expect(row.pools.map(({ status }) => status)).toEqual(["ACTIVE", "ACTIVE", "ACTIVE"]);
    expect(world.members(name, 8132)).toEqual(["10.6.1.1"]);
    expect(world.plan()).toEqual({ actions: [], waits: [], refusals: expect.any(Array) });
  });

  test("also after a crash between any two steps", () => {
    for (let crashAt = 1; crashAt < 40; crashAt += 1) {
      const world = onOvn([9345]);
      world.intent = { ...world.intent, additionalPorts: tcpPorts(8132, 9345) };
      for (let round = 0; round < crashAt; round += 1) {
        const plan = world.plan();
        for (const action of plan.actions) world.apply(action);
        if (round < crashAt - 1) world.report(plan);
        world.settle();
      }
      world.converge();
      for (const zone of az) expect(world.row(zoneBalancerName(zone)).monitors).toHaveLength(3);
    }
  });

  test("is told, and not made, while a monitor that is not ours is there", () => {
    const world = onOvn([]);
    const row = world.row(zoneBalancerName("az1"));
    row.pools.push({
      ...row.pools[0],
      id: "pool-x",
      name: "theirs",
      tags: [],
      members: [],
    } as (typeof row.pools)[number]);
    row.monitors.push({
      ...row.monitors[0],
      id: "hm-x",
      name: "their-monitor",
      poolId: "pool-x",
      tags: [],
    } as (typeof row.monitors)[number]);
    world.intent = { ...world.intent, additionalPorts: tcpPorts(8132) };
    world.converge();
    expect(row.monitors.map(({ id }) => id)).toContain("hm-x");
    expect(row.listeners).toHaveLength(1);
    expect(world.plan().refusals).toContainEqual(
      expect.objectContaining({ reason: "PortTaken", message: expect.stringContaining("their-monitor is not ours") }),
    );
  });
});
