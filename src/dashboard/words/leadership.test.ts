import { describe, expect, test } from "vitest";
import { sampleManager } from "../../server/contract-sample.ts";
import { leadershipOf } from "./leadership.ts";

const standby = { ...sampleManager, leading: false, replicas: [] };

describe("leadership in words", () => {
  test("names the one who leads", () => {
    expect(leadershipOf(sampleManager)).toEqual({
      troubled: false,
      sentence: "manager-1 leads and sees all it needs.",
    });
    expect(leadershipOf({ ...standby, leader: "manager-2" }).sentence).toMatch(
      /^manager-2 leads. manager-1, .* stands by/,
    );
    const itself = [{ identity: "manager-1", state: "standby" }] as const;
    expect(leadershipOf({ ...standby, leader: "manager-2", replicas: itself })).toMatchObject({
      troubled: false,
      sentence: expect.stringMatching(/^manager-2 leads. manager-1, .* stands by/),
    });
  });

  test("does not take the last holder of a lease for a leader once it has stepped down", () => {
    expect(leadershipOf({ ...standby, leader: "manager-1" })).toEqual({
      troubled: true,
      sentence: "Nobody leads right now. Nothing is changed until somebody does.",
    });
    const both = [
      { identity: "manager-1", state: "standby" },
      { identity: "manager-2", state: "standby" },
    ] as const;
    expect(leadershipOf({ ...standby, leader: "manager-1", replicas: both }).troubled).toBe(true);
  });

  test("says what a manager cannot see, and that the page may be old", () => {
    const { troubled, sentence } = leadershipOf({ ...sampleManager, ready: false, missing: ["nodes: no connection"] });
    expect(troubled).toBe(true);
    expect(sentence).toBe(
      "manager-1 cannot see all of the cluster, so this may be old. Missing: nodes: no connection.",
    );
  });
});
