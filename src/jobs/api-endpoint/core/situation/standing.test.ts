import { describe, expect, test } from "vitest";
import { intent, ownerId } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { mayAskCloud, type NotOurs, standingOf, unknownFor } from "./standing.ts";

const claimed = { paused: false, hasFinalizer: true };
const copy: NotOurs = { is: "copy", reason: "OwnerIdTaken", message: "another's" };

describe("an object is", () => {
  const deleted = intent({ deleting: true });
  const withoutOwner = intent({ ownerId: undefined });
  test.each([
    ["ours with owner id and finalizer", standingOf(intent(), claimed), "ours"],
    ["ours while it is being deleted", standingOf(deleted, claimed), "ours"],
    ["unclaimed without an owner id", standingOf(withoutOwner, claimed), "unclaimed"],
    ["unclaimed without our finalizer", standingOf(intent(), { ...claimed, hasFinalizer: false }), "unclaimed"],
    ["what others say against it", standingOf(intent(), claimed, copy), "copy"],
    ["what others say before it is claimed", standingOf(withoutOwner, claimed, copy), "copy"],
    [
      "done without our finalizer while it is deleted",
      standingOf(deleted, { ...claimed, hasFinalizer: false }),
      "done",
    ],
    ["done whatever others say", standingOf(deleted, { ...claimed, hasFinalizer: false }, copy), "done"],
    ["moved, paused or not", standingOf(deleted, { ...claimed, paused: true, isMoved: true }, copy), "moved"],
    [
      "moved before it is claimed",
      standingOf(withoutOwner, { ...claimed, hasFinalizer: false, isMoved: true }),
      "moved",
    ],
    [
      "done when it moved and has gone",
      standingOf(deleted, { ...claimed, hasFinalizer: false, isMoved: true }),
      "done",
    ],
    ["paused before everything else", standingOf(deleted, { paused: true, hasFinalizer: false }, copy), "paused"],
  ])("%s", (_what, standing, is) => {
    expect(standing.is).toBe(is);
    expect(mayAskCloud(standing)).toBe(is === "ours");
  });

  test("acted for in the name of its owner id", () => {
    expect(standingOf(intent(), claimed)).toEqual({ is: "ours", ownerId });
  });

  test.each([
    [[], "is paused; Mainstay reads and changes nothing until it no longer is"],
    [["a"], "is paused by a; Mainstay reads and changes nothing until that is removed"],
  ])("paused in words that fit what paused it: %j", (pausedBy, words) => {
    expect(standingOf(intent(), { ...claimed, paused: true, pausedBy })).toMatchObject({
      message: `OpenStackCluster default/demo ${words}`,
    });
  });

  test("paused with what paused it, and what must be removed", () => {
    const standing = standingOf(intent(), { ...claimed, paused: true, pausedBy: ["b", "a"] });
    expect(standing).toMatchObject({
      message:
        "OpenStackCluster default/demo is paused by a and by b; Mainstay reads and changes nothing until both are removed",
    });
    if (standing.is === "ours") throw new Error("it is paused");
    expect(unknownFor(standing).message).toBe("nothing is asked of the cloud while paused");
  });
});
