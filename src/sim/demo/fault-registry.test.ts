import { expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/virtual-clock.ts";
import { FaultRegistry } from "./fault-registry.ts";

function registry() {
  const clock = new VirtualClock();
  const world = { broken: 0, strength: 0 };
  const faults = new FaultRegistry(
    [
      {
        id: "break",
        title: "Break",
        description: "",
        watch: "",
        defaultSeconds: 10,
        parameters: [{ name: "strength", title: "strength", default: 3, min: 1, max: 5 }],
        begin: ({ strength = 0 }, say) => {
          world.broken += 1;
          world.strength = strength;
          say("broke one");
          return () => {
            world.broken -= 1;
          };
        },
      },
    ],
    clock,
  );
  return { clock, world, faults };
}

test("a fault heals by itself", async () => {
  const { clock, world, faults } = registry();
  expect(faults.start("break", { seconds: 5 })).toMatchObject({
    active: { says: "broke one", parameters: { seconds: 5, strength: 3 } },
  });
  await clock.advance(4_999);
  expect(world.broken).toBe(1);
  await clock.advance(1);
  expect(world.broken).toBe(0);
  expect(faults.list()[0]).not.toHaveProperty("active");
});

test("a fault can be ended before its time, and starting it again begins it anew", async () => {
  const { clock, world, faults } = registry();
  faults.start("break", {});
  faults.start("break", { strength: 5 });
  expect(world).toEqual({ broken: 1, strength: 5 });
  faults.stop("break");
  faults.stop("break");
  await clock.advance(60_000);
  expect(world.broken).toBe(0);
  expect(clock.pendingTimers).toBe(0);
});

test("what cannot be used is said, with what can", () => {
  const { faults, world } = registry();
  expect(faults.start("brake", {})).toEqual({ problem: "there is no fault brake; known are break" });
  expect(faults.start("break", { strength: 9, colour: 1 })).toEqual({
    problem: "break: there is no setting colour; known are seconds, strength; strength must be from 1 to 5, not 9",
  });
  expect(faults.start("break", { seconds: Number.NaN })).toHaveProperty("problem");
  expect(world.broken).toBe(0);
});

test("listeners hear of every change", async () => {
  const { clock, faults } = registry();
  let heard = 0;
  faults.subscribe(() => {
    heard += 1;
  });
  faults.start("break", { seconds: 1 });
  const begun = heard;
  await clock.advance(1_000);
  expect([begun > 0, heard > begun]).toEqual([true, true]);
});
