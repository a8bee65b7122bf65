import { expect, test } from "vitest";
import { changeReason, declareChanges, isChangeReason } from "./change-reasons.ts";

const table = declareChanges({
  "create-bed": "BedCreated",
  "change-bed": { otherwise: "BedUpdated", AsExpected: "BedAdded" },
});

test("names what was done, by cause where one kind of action is several changes", () => {
  expect(changeReason(table, { kind: "create-bed", because: "AsExpected" })).toBe("BedCreated");
  expect(changeReason(table, { kind: "change-bed", because: "AsExpected" })).toBe("BedAdded");
  expect(changeReason(table, { kind: "change-bed", because: "DryRun" })).toBe("BedUpdated");
});

test("knows every word that was declared, and takes none that means something else", () => {
  expect(["BedCreated", "BedUpdated", "BedAdded", "BedDeleted"].map(isChangeReason)).toEqual([true, true, true, false]);
  expect(() => declareChanges({ "delete-bed": "ObjectNotFound" as "Deleted" })).toThrow("ObjectNotFound");
});
