// The planner of the gateway job under the laws, on a model of its world: with addresses from a list, and from Neutron.

import fc from "fast-check";
import { describe, expect } from "vitest";
import {
  applyModel,
  change,
  type ModelWorld,
  modelWorld,
  observeModel,
  planModel,
  reportModel,
  type Seen,
} from "../../../../test/gateway/world/model-world.ts";
import { planLaws } from "../../../../test/support/plan-laws/plan-laws.ts";
import { leftOut, type Shuffle, worldsFrom } from "../../../../test/support/plan-laws/planner-under-test.ts";
import { managedAnnotation } from "../apis/annotations.ts";
import type { Service } from "../apis/kube-objects.ts";
import { addressesIn, forwardingsOf } from "./gateways/carried.ts";
import type { GatewayAction } from "./model/actions.ts";
import type { PoolPlan } from "./plan.ts";

const names = ["a", "b", "c"] as const;
type Name = (typeof names)[number];

type ModelEvent =
  | { readonly event: "add"; readonly name: Name; readonly port: number }
  | {
      readonly event: "delete" | "opt-out" | "opt-in" | "other-type" | "strip" | "clear-status" | "foreign-ingress";
      readonly name: Name;
    }
  | { readonly event: "silence" | "wake"; readonly gateway: "gw1" | "gw2" }
  | { readonly event: "restart" | "lose-floating-ip" };

const name = fc.constantFrom(...names);
const events: fc.Arbitrary<ModelEvent> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ event: fc.constant("add" as const), name, port: fc.constantFrom(80, 443) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      event: fc.constantFrom(
        "delete" as const,
        "opt-out" as const,
        "opt-in" as const,
        "other-type" as const,
        "strip" as const,
        "clear-status" as const,
        "foreign-ingress" as const,
      ),
      name,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      event: fc.constantFrom("silence" as const, "wake" as const),
      gateway: fc.constantFrom("gw1" as const, "gw2" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ event: fc.constantFrom("restart" as const, "lose-floating-ip" as const) }) },
);

const foreign = { hostname: "elsewhere.example.com" };

function happen(world: ModelWorld, given: ModelEvent): void {
  switch (given.event) {
    case "add":
      return add(world, given.name, given.port);
    case "silence":
    case "wake": {
      const gateway = world.gateways.get(given.gateway);
      if (gateway !== undefined) gateway.isSilent = given.event === "silence";
      return;
    }
    case "restart":
      world.term += 1;
      world.sent = undefined;
      world.usedBefore = new Set();
      world.unusedSinceMs = new Map();
      return;
    case "lose-floating-ip": {
      const ours = [...world.floatingIps.values()].find(({ id }) => id !== "foreign");
      if (ours !== undefined) world.floatingIps.delete(ours.id);
      return;
    }
    default: {
      const service = world.services.get(given.name);
      if (service !== undefined) change(world, service, (now) => changed(now, given.event));
    }
  }
}

function add(world: ModelWorld, called: Name, port: number): void {
  if (world.services.has(called)) return;
  world.made += 1;
  world.services.set(called, {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name: called,
      namespace: "default",
      uid: `uid-${world.made}`,
      creationTimestamp: new Date(world.nowMs).toISOString(),
    },
    spec: {
      type: "LoadBalancer",
      ports: [{ port, protocol: "TCP", nodePort: 30_000 + port }],
      ipFamilies: ["IPv4"],
      clusterIP: "10.96.0.9",
    },
  });
}

function changed(service: Service, event: ModelEvent["event"]): Service {
  const { metadata, spec, status } = service;
  const annotations = metadata.annotations ?? {};
  switch (event) {
    case "delete":
      return { ...service, metadata: { ...metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } };
    case "opt-out":
      return { ...service, metadata: { ...metadata, annotations: { ...annotations, [managedAnnotation]: "false" } } };
    case "opt-in": {
      const { [managedAnnotation]: _, ...rest } = annotations;
      return { ...service, metadata: { ...metadata, annotations: rest } };
    }
    case "other-type":
      return { ...service, spec: { ...spec, type: "ClusterIP" }, status: {} };
    case "strip":
      return { ...service, metadata: { ...metadata, annotations: {}, finalizers: [] } };
    case "clear-status":
      return { ...service, status: {} };
    default: {
      const ingress = (status?.loadBalancer?.ingress ?? []).filter(({ hostname }) => hostname === undefined);
      return { ...service, status: { loadBalancer: { ingress: [...ingress, foreign] } } };
    }
  }
}

const shown = ({ status }: Service) => (status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => ip ?? []);
const isWanted = ({ metadata, spec }: Service) =>
  metadata.deletionTimestamp === undefined &&
  spec?.type === "LoadBalancer" &&
  metadata.annotations?.[managedAnnotation] !== "false";

const ours = (world: ModelWorld) => [...world.ports.values()].filter(({ id }) => id !== "foreign");
const ourFloatingIps = (world: ModelWorld) => [...world.floatingIps.values()].filter(({ id }) => id !== "foreign");

/** The address on the gateways that leads to what is shown. */
function insideOf(world: ModelWorld, ip: string): string {
  const floating = [...world.floatingIps.values()].find(({ address }) => address === ip);
  return world.ports.get(floating?.portId ?? "")?.fixedIps[0]?.address ?? ip;
}

function isServed(world: ModelWorld, service: Service): boolean {
  const key = `default/${service.metadata.name}`;
  return shown(service).some((ip) => {
    const address = insideOf(world, ip);
    const port = service.spec?.ports?.[0]?.port ?? 0;
    return [...world.gateways.values()].some(
      ({ carried }) => carried && forwardingsOf(carried).get(`${address}/TCP/${port}`)?.service === key,
    );
  });
}

function expectWanted(world: ModelWorld): void {
  const wanted = [...world.services.values()].filter(isWanted);
  for (const service of world.services.values()) {
    expect(shown(service)).toHaveLength(isWanted(service) ? 1 : 0);
    expect(service.metadata.finalizers ?? []).toHaveLength(isWanted(service) ? 1 : 0);
    if (isWanted(service)) expect(isServed(world, service)).toBe(true);
  }
  const used = new Set(wanted.flatMap(shown));
  if (world.isCloud) expect([ours(world).length, ourFloatingIps(world).length]).toEqual([used.size, used.size]);
  for (const { carried } of world.gateways.values()) expect(addressesIn(carried).size).toBe(used.size);
}

function shuffled(seen: Seen, shuffle: Shuffle): Seen {
  const { observed, nowMs } = seen;
  const { neutron } = observed;
  const cloud =
    neutron?.known === true
      ? {
          neutron: {
            ...neutron,
            value: {
              ...neutron.value,
              ports: shuffle(neutron.value.ports),
              floatingIps: shuffle(neutron.value.floatingIps),
            },
          },
        }
      : {};
  return { nowMs, observed: { ...observed, services: shuffle(observed.services), ...cloud } };
}

describe.each([
  ["a list", false],
  ["Neutron", true],
])("with addresses from %s", (_, isCloud) => {
  planLaws<ModelWorld, ModelEvent, Seen, GatewayAction>({
    world: worldsFrom(fc.constant({ isCloud }), modelWorld),
    events,
    happen,
    observe: observeModel,
    plan: planModel,
    apply: applyModel,
    report: (world, plan) => reportModel(world, plan as PoolPlan),
    pass: (world) => {
      world.nowMs += 700_000;
    },
    heal: (world) => {
      for (const gateway of world.gateways.values()) gateway.isSilent = false;
    },
    runs: 200,
    laws: {
      quiet: { mostRounds: 16, expectWanted },
      deterministic: { shuffled, compared: ({ actions, waits, refusals }) => [sorted(actions), waits, refusals] },
      makeBeforeBreak: {
        paths: (world) =>
          new Map(
            [...world.services.values()]
              .filter(isWanted)
              .map((service) => [`Service ${service.metadata.name}`, isServed(world, service) ? 1 : 0]),
          ),
      },
      neverLast: leftOut("an address goes only with the last Service that has it"),
      ownOrLeave: {
        foreign: (world) => [
          world.ports.get("foreign"),
          world.floatingIps.get("foreign"),
          [...world.gateways.values()].map(({ pairs }) => pairs.has("10.0.1.250")),
          // One that is being deleted goes with its last finalizer.
          [...world.services.values()]
            .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
            .map(({ metadata, status }) => [
              metadata.uid,
              (status?.loadBalancer?.ingress ?? []).filter(({ hostname }) => hostname !== undefined),
            ]),
        ],
      },
      crashAnywhere: {
        outcome: (world) => ({
          services: [...world.services.values()]
            .map((service) => `${service.metadata.name} ${shown(service).length}`)
            .toSorted(),
          ports: ours(world).length,
          floatingIps: ourFloatingIps(world).length,
        }),
      },
      deleteIsDesiringNothing: {
        // A gateway that does not answer keeps a pool: see test/gateway/slow-gateways.test.ts.
        desireNothing: (world) => {
          const { pool } = world;
          for (const gateway of world.gateways.values()) gateway.isSilent = false;
          world.pool = { ...pool, metadata: { ...pool.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } };
        },
        remaining: (world) => [
          ...ours(world),
          ...ourFloatingIps(world),
          ...[...world.services.values()].flatMap(({ metadata }) => metadata.finalizers ?? []),
          ...[...world.gateways.values()].flatMap(({ carried }) => [...addressesIn(carried)]),
          ...(world.pool.metadata.finalizers ?? []),
        ],
      },
    },
  });
});

function sorted(actions: readonly GatewayAction[]): readonly string[] {
  return actions.map((action) => `${action.kind} ${action.words ?? ""}`).toSorted();
}
