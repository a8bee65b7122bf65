import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { everyTopology, topologyDouble } from "./every-topology.ts";
import {
  applyHighAvailability,
  type Deployment,
  disruptionBudgetFor,
  podAntiAffinity,
  updateStrategyFor,
} from "./high-availability.ts";

const selector = { matchLabels: { app: "router" } };

function deployment(podSpec: Deployment["spec"]["template"]["spec"] = {}): Deployment {
  return {
    metadata: { name: "router" },
    spec: { selector, template: { metadata: { labels: { app: "router" } }, spec: podSpec } },
  };
}

const apart = { topologyKey: "kubernetes.io/hostname", labelSelector: selector };

describe("shaping a Deployment", () => {
  test("keeps two replicas on different nodes of a highly available cluster", () => {
    const { spec } = applyHighAvailability(deployment(), { scope: "infrastructure", topology: topologyDouble() });
    expect(spec.replicas).toBe(2);
    expect(spec.template.spec?.affinity).toEqual({
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [apart] },
    });
  });

  test("only prefers different nodes for three or more outside the control plane", () => {
    const options = { topology: topologyDouble(), highlyAvailable: 3 };
    const outside = applyHighAvailability(deployment(), { ...options, scope: "infrastructure" });
    const inside = applyHighAvailability(deployment(), { ...options, scope: "controlPlane" });
    expect(outside.spec.template.spec?.affinity?.podAntiAffinity).toHaveProperty(
      "preferredDuringSchedulingIgnoredDuringExecution",
    );
    expect(inside.spec.template.spec?.affinity?.podAntiAffinity).toHaveProperty(
      "requiredDuringSchedulingIgnoredDuringExecution",
    );
  });

  test("takes the anti-affinity away on a single replica and brings it back, leaving foreign rules alone", () => {
    const foreign = { topologyKey: "topology.kubernetes.io/zone", labelSelector: { matchLabels: { app: "other" } } };
    const before = deployment({
      affinity: {
        nodeAffinity: { keep: true },
        podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [foreign] },
      },
    });
    const shape = (object: Deployment, mode: "HighlyAvailable" | "SingleReplica") =>
      applyHighAvailability(object, { scope: "infrastructure", topology: topologyDouble("HighlyAvailable", mode) });
    const spread = shape(before, "HighlyAvailable");
    const alone = shape(spread, "SingleReplica");
    expect(alone.spec.template.spec?.affinity).toEqual(before.spec.template.spec?.affinity);
    expect(alone.spec.replicas).toBe(1);
    expect(shape(alone, "HighlyAvailable")).toEqual(spread);
  });

  test("leaves no empty fields behind", () => {
    const { spec } = applyHighAvailability(deployment(), {
      scope: "infrastructure",
      topology: topologyDouble("SingleReplica", "SingleReplica"),
    });
    expect(spec.template.spec).toEqual({});
  });

  test("asks for control-plane nodes, and stops asking when the control plane is elsewhere", () => {
    const inside = applyHighAvailability(deployment({ nodeSelector: { "kubernetes.io/os": "linux" } }), {
      scope: "controlPlane",
      topology: topologyDouble(),
    });
    expect(inside.spec.template.spec?.nodeSelector).toEqual({
      "kubernetes.io/os": "linux",
      "node-role.kubernetes.io/control-plane": "",
    });
    const outside = applyHighAvailability(inside, {
      scope: "controlPlane",
      topology: topologyDouble("External", "SingleReplica"),
    });
    expect(outside.spec.template.spec?.nodeSelector).toEqual({ "kubernetes.io/os": "linux" });
    expect(outside.spec.replicas).toBe(1);
  });

  test("changes nothing the second time, in any mode, from any starting point", () => {
    const modes = fc.constantFrom(...everyTopology);
    const scopes = fc.constantFrom("controlPlane" as const, "infrastructure" as const);
    const counts = fc.integer({ min: 1, max: 5 });
    const ports = fc.option(fc.constant([{ ports: [{ hostPort: 443 }] }]), { nil: undefined });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(modes, scopes, counts), { minLength: 1, maxLength: 4 }),
        ports,
        (steps, containers) => {
          let object = deployment(containers === undefined ? {} : { containers });
          for (const [topology, scope, highlyAvailable] of steps)
            object = applyHighAvailability(object, { topology, scope, highlyAvailable });
          const [topology, scope, highlyAvailable] = steps.at(-1) ?? [topologyDouble(), "infrastructure" as const, 2];
          expect(applyHighAvailability(object, { topology, scope, highlyAvailable })).toEqual(object);
        },
      ),
    );
  });

  test("does not change the object it was given", () => {
    const given = Object.freeze(deployment());
    applyHighAvailability(given, { scope: "infrastructure", topology: topologyDouble() });
    expect(given).toEqual(deployment());
  });
});

describe("rolling out", () => {
  test("lets the old Pod go first wherever a new one may find no room", () => {
    expect(updateStrategyFor("infrastructure", 2)).toEqual({
      type: "RollingUpdate",
      rollingUpdate: { maxUnavailable: "25%", maxSurge: 0 },
    });
    expect(updateStrategyFor("infrastructure", 3)).toEqual({
      type: "RollingUpdate",
      rollingUpdate: { maxUnavailable: "25%", maxSurge: "25%" },
    });
    expect(updateStrategyFor("infrastructure", 3, true)).toMatchObject({ rollingUpdate: { maxSurge: 0 } });
    expect(updateStrategyFor("infrastructure", 1)).toMatchObject({ rollingUpdate: { maxSurge: "25%" } });
    expect(updateStrategyFor("infrastructure", 1, true)).toEqual({ type: "Recreate" });
  });
});

describe("the disruption budget", () => {
  const target = { name: "router", namespace: "ingress", selector };

  test("lets one of several Pods go, and any that is broken", () => {
    expect(disruptionBudgetFor(target, 2)).toMatchObject({
      spec: { maxUnavailable: 1, unhealthyPodEvictionPolicy: "AlwaysAllow", selector },
    });
  });

  test("does not exist for one Pod or none: it would only block drains", () => {
    expect([
      disruptionBudgetFor(target, 1),
      disruptionBudgetFor(target, 0),
      podAntiAffinity("controlPlane", 1, selector),
    ]).toEqual([undefined, undefined, undefined]);
  });
});
