// The specification's table of events: a Service comes, changes or goes; it is managed or not, can be managed or not, has an address on
// record or not, with our finalizer or without. The controller dies after each of its changes, and the next one ends where it should.

import { afterEach, describe, expect, test } from "vitest";
import {
  inboundPortAnnotation,
  ingressAnnotation,
  managedAnnotation,
  poolAnnotation,
} from "../../src/jobs/gateway/apis/annotations.ts";
import { serviceFinalizer } from "../../src/jobs/gateway/core/services/service-standing.ts";
import type { TestManager } from "../support/test-manager.ts";
import { dyingManager } from "./world/dying-manager.ts";
import { GatewayWorld } from "./world/gateway-world.ts";

let world: GatewayWorld;
let running: TestManager | undefined;

afterEach(async () => {
  const stopped = running?.manager.stop();
  await world.clock.advance(40_000);
  await stopped;
  running = undefined;
});

interface Row {
  readonly event: "comes" | "changes" | "goes";
  readonly isManaged: boolean;
  readonly canBeManaged: boolean;
  readonly hasAddress: boolean;
  readonly hasFinalizer: boolean;
}

const either = [true, false];
const rows: readonly Row[] = (["comes", "changes", "goes"] as const).flatMap((event) =>
  either.flatMap((isManaged) =>
    either.flatMap((canBeManaged) =>
      either.flatMap((hasAddress) =>
        either.map((hasFinalizer) => ({ event, isManaged, canBeManaged, hasAddress, hasFinalizer })),
      ),
    ),
  ),
);

const name = ({ event, isManaged, canBeManaged, hasAddress, hasFinalizer }: Row) =>
  [
    event,
    isManaged ? "managed" : "not managed",
    canBeManaged ? "can be managed" : "cannot be managed",
    hasAddress ? "has an address" : "has none",
    hasFinalizer ? "held" : "not held",
  ].join(", ");

function marks({ isManaged, hasAddress, hasFinalizer }: Row) {
  return {
    annotations: {
      "example.com/theirs": "stays",
      ...(isManaged ? { [managedAnnotation]: "true" } : {}),
      ...(hasAddress ? { [inboundPortAnnotation]: "192.0.2.11" } : {}),
    },
    finalizers: hasFinalizer ? [serviceFinalizer] : [],
  };
}

async function happens(row: Row): Promise<void> {
  const type = row.canBeManaged ? "LoadBalancer" : "ClusterIP";
  const { annotations, finalizers } = marks(row);
  await world.service("web", { spec: { type }, annotations });
  await world.change("web", { metadata: { finalizers } });
  if (row.event === "comes") return;
  await world.clock.advance(5_000);
  if (row.event === "changes") await world.change("web", { metadata: { annotations, finalizers } });
  else await world.deleteService("web");
}

interface End {
  readonly isThere: boolean;
  readonly theirs?: string | undefined;
  readonly ours?: readonly string[];
  readonly finalizers?: readonly string[];
  readonly shown?: readonly string[];
  readonly recorded?: string | undefined;
  readonly carried: readonly (readonly string[])[];
}

async function end(): Promise<End> {
  const carried = ["gw1", "gw2"].map((gateway) => world.carried(gateway));
  if (!(await world.hasService("web"))) return { isThere: false, carried };
  const { annotations = {}, finalizers = [] } = (await world.getService("web")).metadata;
  return {
    isThere: true,
    theirs: annotations["example.com/theirs"],
    ours: Object.keys(annotations)
      .filter((key) => key.startsWith("mainstay.dev/"))
      .toSorted(),
    finalizers,
    shown: await world.addresses("web"),
    recorded: annotations[ingressAnnotation],
    carried,
  };
}

function wantedEnd({ event, canBeManaged, hasAddress }: Row): End {
  const nowhere = [[], []];
  if (event === "goes") return { isThere: false, carried: nowhere };
  const there = { isThere: true, theirs: "stays" };
  if (!canBeManaged) return { ...there, ours: [], finalizers: [], shown: [], recorded: undefined, carried: nowhere };
  const address = hasAddress ? "192.0.2.11" : "192.0.2.10";
  const forwarding = [`${address}/TCP/80 default/web`];
  return {
    ...there,
    ours: [inboundPortAnnotation, ingressAnnotation, managedAnnotation, poolAnnotation].toSorted(),
    finalizers: [serviceFinalizer],
    shown: [address],
    recorded: address,
    carried: [forwarding, forwarding],
  };
}

async function begin(): Promise<void> {
  world = new GatewayWorld();
  await world.furnish();
  await world.pool("public");
}

describe("a Service", () => {
  test.each(rows.map((row) => [name(row), row] as const))("%s", async (_, row) => {
    await begin();
    if (row.event === "comes") await happens(row);
    running = world.work();
    await world.clock.advance(10_000);
    if (row.event !== "comes") await happens(row);
    await world.clock.advance(20_000);
    expect(await end()).toEqual(wantedEnd(row));
  });
});

/** The others make no change of another kind. */
const dying = rows.filter(({ isManaged, hasAddress }) => isManaged === hasAddress);

describe.each([1, 2, 3, 4, 5])("after a death at change %i, a Service", (afterChanges) => {
  test.each(dying.map((row) => [name(row), row] as const))("%s", async (_, row) => {
    await begin();
    if (row.event === "comes") await happens(row);
    const first = dyingManager(world, afterChanges);
    await world.clock.advance(10_000);
    if (row.event !== "comes") await happens(row);
    await world.clock.advance(10_000);
    await first.bury();
    running = world.work();
    await world.clock.advance(30_000);
    expect(await end()).toEqual(wantedEnd(row));
  });
});

describe.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])("after a death at change %i, with Neutron", (afterChanges) => {
  test("a Service is served with one port and one floating IP, and leaves none", async () => {
    world = new GatewayWorld();
    await world.furnish();
    await world.cloudPool("public");
    const first = dyingManager(world, afterChanges);
    await world.service("web");
    await world.clock.advance(20_000);
    await world.service("gone");
    await world.clock.advance(20_000);
    await world.deleteService("gone");
    await world.clock.advance(20_000);
    await first.bury();
    running = world.work();
    await world.clock.advance(1_200_000);
    expect(await world.addresses("web")).toHaveLength(1);
    expect(await world.hasService("gone")).toBe(false);
    expect(await world.inNeutron()).toEqual({ ports: 1, floatingIps: 1 });
  });
});
