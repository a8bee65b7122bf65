import { describe, expect, test } from "vitest";
import { everyTopology, topologyDouble } from "./every-topology.ts";
import { desiredReplicas, effectiveSetting, leaderElectionFor, nodeSelectorFor } from "./operands.ts";

describe("replicas of an operand", () => {
  test.each([
    ["HighlyAvailable", 2, 3],
    ["HighlyAvailableArbiter", 2, 2],
    ["DualReplica", 2, 2],
    ["SingleReplica", 1, 1],
  ] as const)("on a %s control plane are %i of 2 and %i of 3", (mode, ofTwo, ofThree) => {
    const topology = topologyDouble(mode);
    expect(desiredReplicas("controlPlane", topology)).toMatchObject({ replicas: ofTwo, schedulable: true });
    expect(desiredReplicas("controlPlane", topology, { highlyAvailable: 3 })).toMatchObject({ replicas: ofThree });
  });

  test("have no control-plane node to run on when the control plane is external", () => {
    expect(desiredReplicas("controlPlane", topologyDouble("External"))).toMatchObject({ schedulable: false });
    expect(desiredReplicas("infrastructure", topologyDouble("External"))).toMatchObject({
      replicas: 2,
      schedulable: true,
    });
  });

  test("follow the field of the nodes they run on", () => {
    const mixed = topologyDouble("SingleReplica", "HighlyAvailable");
    expect(desiredReplicas("controlPlane", mixed).replicas).toBe(1);
    expect(desiredReplicas("infrastructure", mixed).replicas).toBe(2);
    expect(desiredReplicas("infrastructure", topologyDouble("HighlyAvailable", "SingleReplica")).replicas).toBe(1);
  });

  test("obey a supported setting of the operator in every mode that can run them", () => {
    for (const topology of everyTopology.filter(({ controlPlane }) => controlPlane !== "External")) {
      expect(desiredReplicas("controlPlane", topology, { operatorSetting: 5 }).replicas).toBe(5);
      expect(desiredReplicas("infrastructure", topology, { operatorSetting: 0 }).replicas).toBe(0);
    }
  });
});

describe("leader election", () => {
  test("is patient on a single control-plane node and quicker everywhere else", () => {
    for (const topology of everyTopology) {
      const expected = topology.controlPlane === "SingleReplica" ? [270, 240, 60] : [137, 107, 26];
      const { leaseSeconds, renewSeconds, retrySeconds } = leaderElectionFor(topology);
      expect([leaseSeconds, renewSeconds, retrySeconds]).toEqual(expected);
    }
  });

  test("keeps what was set explicitly", () => {
    expect(
      leaderElectionFor(topologyDouble("SingleReplica"), { leaseSeconds: 15, renewSeconds: 10, retrySeconds: 2 }),
    ).toEqual({
      leaseSeconds: 15,
      renewSeconds: 10,
      retrySeconds: 2,
    });
  });
});

describe("the node selector", () => {
  test("asks for control-plane nodes where there are some", () => {
    for (const topology of everyTopology) {
      const selector = nodeSelectorFor("controlPlane", topology);
      expect(selector).toEqual(
        topology.controlPlane === "External" ? {} : { "node-role.kubernetes.io/control-plane": "" },
      );
      expect(nodeSelectorFor("infrastructure", topology)).toEqual({});
    }
  });
});

describe("the effective setting", () => {
  test("is the operator's own supported one", () => {
    expect(effectiveSetting({ supported: 3, cluster: 1, fallback: 2 })).toMatchObject({ value: 3, source: "operator" });
  });

  test("is the cluster's where the operator has none", () => {
    expect(effectiveSetting({ cluster: 1, fallback: 2 })).toMatchObject({ value: 1, source: "cluster" });
  });

  test("is the default where nobody says anything", () => {
    expect(effectiveSetting({ fallback: 2 })).toMatchObject({ value: 2, source: "default" });
  });

  test("is never an unsupported override, which loses with a warning", () => {
    for (const choices of [{ supported: 3 }, { cluster: 3 }, {}]) {
      const { value, warning } = effectiveSetting({ ...choices, unsupported: 1, fallback: 3 });
      expect(value).toBe(3);
      expect(warning).toContain("unsupported override 1");
    }
    expect(effectiveSetting({ cluster: 1, unsupported: 1, fallback: 3 }).warning).toBeUndefined();
  });
});
