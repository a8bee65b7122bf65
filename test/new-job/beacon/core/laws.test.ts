import fc from "fast-check";
import { expect } from "vitest";
import { planLaws } from "../../../../test/support/plan-laws/plan-laws.ts";
import { leftOut, worldsFrom } from "../../../../test/support/plan-laws/planner-under-test.ts";
import { apiVersionOf } from "../../../apis/kube/kube-object.ts";
import { bearsMarkFor, markFor } from "../../../core/ownership.ts";
import { type Beacon, beacons } from "../apis/beacon.ts";
import { type BeaconAction, type BeaconObserved, type ConfigMap, planBeacon } from "./plan.ts";

const name = "beacon";
const prefix = "say ";
const ref = { name: "north", namespace: "default" };

/** One Beacon, and the ConfigMap of its name. */
interface BeaconWorld {
  beacon: Beacon;
  configMap: ConfigMap | undefined;
}

type BeaconEvent =
  | { readonly event: "want" | "overwrite"; readonly text: string }
  | { readonly event: "lose" | "take-name" };

const text = fc.constantFrom("hello", "good-bye");

const worlds = worldsFrom(
  fc.record({ wanted: text, taken: fc.boolean() }),
  ({ wanted, taken }): BeaconWorld => ({
    beacon: {
      apiVersion: apiVersionOf(beacons),
      kind: beacons.kind,
      metadata: { ...ref, uid: "uid-of-beacon" },
      spec: { text: wanted },
    },
    configMap: taken ? configMapOf(ref, "somebody's") : undefined,
  }),
);

const events: fc.Arbitrary<BeaconEvent> = fc.oneof(
  fc.record({ event: fc.constantFrom("want" as const, "overwrite" as const), text }),
  fc.record({ event: fc.constantFrom("lose" as const, "take-name" as const) }),
);

function configMapOf(metadata: ConfigMap["metadata"], value: string): ConfigMap {
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { text: value } };
}

function happen(world: BeaconWorld, given: BeaconEvent): void {
  switch (given.event) {
    case "want":
      world.beacon = { ...world.beacon, spec: { text: given.text } };
      return;
    case "overwrite":
      if (world.configMap !== undefined) world.configMap = configMapOf(world.configMap.metadata, given.text);
      return;
    case "lose":
      world.configMap = undefined;
      return;
    case "take-name":
      world.configMap ??= configMapOf(ref, "somebody's");
  }
}

function isOurs({ beacon }: BeaconWorld, configMap: ConfigMap): boolean {
  return bearsMarkFor(name, beacon, configMap);
}

function observe(world: BeaconWorld): BeaconObserved {
  const { beacon, configMap: object } = world;
  return { beacon, configMap: object === undefined ? undefined : { object, ours: isOurs(world, object) } };
}

function apply(world: BeaconWorld, action: BeaconAction): void {
  const { beacon, configMap } = world;
  const metadata = action.kind === "change-beacon" ? action.configMap.metadata : { ...ref, ...markFor(name, beacon) };
  if (action.kind === "light-beacon") expect(configMap, "the name is taken").toBeUndefined();
  world.configMap = configMapOf(metadata, action.text);
}

/** Where the name is somebody's, there is nothing to be had. */
function expectWanted(world: BeaconWorld): void {
  const { beacon, configMap } = world;
  if (configMap !== undefined && !isOurs(world, configMap)) return;
  expect(configMap?.data).toEqual({ text: `${prefix}${beacon.spec.text}` });
}

planLaws({
  world: worlds,
  events,
  happen,
  observe,
  plan: (observed) => planBeacon(observed, prefix),
  apply,
  laws: {
    quiet: { mostRounds: 3, expectWanted },
    deterministic: leftOut("one Beacon and one ConfigMap have no order"),
    makeBeforeBreak: leftOut("a text is no traffic path"),
    neverLast: { ways: [{ name: "ConfigMap", count: ({ configMap }) => (configMap === undefined ? 0 : 1) }] },
    ownOrLeave: {
      foreign: (world) =>
        world.configMap === undefined || isOurs(world, world.configMap) ? undefined : world.configMap,
    },
    crashAnywhere: { outcome: ({ configMap }) => configMap },
    deleteIsDesiringNothing: leftOut("the garbage collector deletes the ConfigMap, by its owner reference"),
  },
});
