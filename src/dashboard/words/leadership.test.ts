import { describe, expect, test } from "vitest";
import { sampleManager } from "../../../test/server/contract-sample.ts";
import { leaderElsewhere, leadershipOf } from "./leadership.ts";

const standby = { ...sampleManager, leading: false, replicas: [] };

describe("leadership in words", () => {
  test("names the one who leads", () => {
    expect(leadershipOf(sampleManager)).toEqual({
      needsAttention: false,
      sentence: "manager-1 leads and can read all it needs.",
    });
    expect(leadershipOf({ ...standby, leader: "manager-2" }).sentence).toMatch(
      /^This replica, manager-1, is a standby.* manager-2 leads\.$/,
    );
    const itself = [{ identity: "manager-1", state: "standby" }] as const;
    expect(leadershipOf({ ...standby, leader: "manager-2", replicas: itself })).toMatchObject({
      needsAttention: false,
      sentence: expect.stringMatching(/is a standby.* manager-2 leads\.$/),
    });
  });

  test("does not take the last holder of a lease for a leader once it has stepped down", () => {
    expect(leadershipOf({ ...standby, leader: "manager-1" })).toEqual({
      needsAttention: true,
      sentence: "Nobody leads right now. Nothing is changed until somebody does.",
    });
    const both = [
      { identity: "manager-1", state: "standby" },
      { identity: "manager-2", state: "standby" },
    ] as const;
    expect(leadershipOf({ ...standby, leader: "manager-1", replicas: both }).needsAttention).toBe(true);
  });

  test("tells a standby's reader how to get to the leader, whose Pod its name begins with", () => {
    const inCluster = { ...standby, demo: false };
    expect(leaderElsewhere({ ...inCluster, leader: "mainstay-7d9c-x2v_0b1c" })).toEqual({
      name: "mainstay-7d9c-x2v",
      command: "kubectl -n mainstay-system port-forward pod/mainstay-7d9c-x2v 8081",
    });
    expect(leaderElsewhere({ ...inCluster, leader: "mainstay-7d9c-x2v_0b1c; rm x" })?.command).not.toContain(";");
    expect(leaderElsewhere({ ...inCluster, leader: "somebody else" })).toEqual({ name: "somebody else" });
    expect(leaderElsewhere({ ...standby, leader: "manager-2" })).toEqual({ name: "manager-2" });
    expect(leaderElsewhere(sampleManager)).toBeUndefined();
    expect(leaderElsewhere({ ...standby, leader: "manager-1" })).toBeUndefined();
  });

  test("says what a manager cannot read", () => {
    const { needsAttention, sentence } = leadershipOf({
      ...sampleManager,
      ready: false,
      missing: ["nodes: no connection"],
    });
    expect(needsAttention).toBe(true);
    expect(sentence).toBe("manager-1 cannot read all of the cluster. Missing: nodes: no connection.");
  });
});
