import { describe, expect, test } from "vitest";
import { profileApiVersion, readClusterProfile } from "./cluster-profile.ts";

const profile = (spec: unknown) => ({
  apiVersion: profileApiVersion,
  kind: "ClusterProfile",
  metadata: { name: "edge-box" },
  spec,
});

function problemsOf(value: unknown): readonly string[] {
  const result = readClusterProfile(value);
  return result.ok ? [] : result.problems.map(({ where, message }) => `${where}: ${message}`);
}

describe("reading a cluster profile", () => {
  test("reads an intent given as machine counts", () => {
    expect(readClusterProfile(profile({ replicas: { controlPlane: 1, workers: [0, 2], arbiters: 0 } }))).toMatchObject({
      ok: true,
      value: { kind: "replicas", replicas: { controlPlane: 1, workers: [0, 2], arbiters: 0 } },
    });
    expect(readClusterProfile(profile({ replicas: { controlPlane: "external", workers: 2 } }))).toMatchObject({
      ok: true,
    });
  });

  test("reads an intent given as the topology itself", () => {
    const topology = { controlPlane: "SingleReplica", infrastructure: "SingleReplica" };
    expect(readClusterProfile(profile({ topology }))).toEqual({
      ok: true,
      value: { kind: "topology", topology },
      notes: [],
    });
  });

  test("keeps its name to itself", () => {
    expect(JSON.stringify(readClusterProfile(profile({ replicas: { controlPlane: 1, workers: 0 } })))).not.toContain(
      "edge-box",
    );
  });

  test("lists every problem", () => {
    expect(
      problemsOf({
        apiVersion: "v1",
        kind: "Profile",
        spec: { replicas: { controlPlane: -1, workers: [1, "x"], masters: 3 } },
      }),
    ).toEqual([
      `apiVersion: "v1" is not ${profileApiVersion}`,
      'kind: "Profile" is not ClusterProfile',
      "spec.replicas.masters: unknown field",
      "spec.replicas.controlPlane: -1 is negative",
      'spec.replicas.workers[1]: "x" is not a whole number',
    ]);
    expect(problemsOf(profile({ topology: { controlPlane: "Triple", infrastructure: "External" } }))).toEqual([
      'spec.topology.controlPlane: "Triple" is not a topology',
      'spec.topology.infrastructure: "External" is not a topology',
    ]);
  });

  test.each([{}, { replicas: { controlPlane: 1, workers: 0 }, topology: {} }])(
    "wants exactly one intent, not %j",
    (spec) => {
      expect(problemsOf(profile(spec))).toHaveLength(1);
    },
  );

  test("refuses a control plane of none", () => {
    expect(problemsOf(profile({ replicas: { controlPlane: 0, workers: 2 } }))).toHaveLength(1);
  });

  test.each([null, 3, "x", [], profile(undefined), profile(3), profile({ replicas: 3 }), profile({ topology: 3 })])(
    "refuses %j",
    (value) => {
      expect(problemsOf(value).length).toBeGreaterThan(0);
    },
  );
});
