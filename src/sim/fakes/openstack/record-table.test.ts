import { array, assert, constant, constantFrom, oneof, property, record } from "fast-check";
import { expect, test } from "vitest";
import { RecordTable } from "./record-table.ts";

interface Row {
  readonly id: string;
  readonly tags: readonly string[];
}

const row = record({
  id: constantFrom("a", "b", "c", "d"),
  tags: array(constantFrom("x", "y", "z"), { maxLength: 3 }),
});
const step = oneof(
  record({ kind: constant("put" as const), row }),
  record({ kind: constant("remove" as const), row }),
  record({ kind: constant("patch" as const), row }),
);

test("an index finds exactly the rows that a scan would, in the order they were made", () => {
  assert(
    property(array(step, { maxLength: 30 }), (steps) => {
      const table = new RecordTable<Row>(
        ({ tags }) => tags,
        () => {},
      );
      for (const {
        kind,
        row: { id, tags },
      } of steps) {
        if (kind === "put") table.replace({ id, tags });
        else if (kind === "patch") table.patch(id, { tags });
        else table.remove(id);
      }
      for (const key of ["x", "y", "z"]) {
        const scanned = table.all().filter(({ tags }) => tags.includes(key));
        expect(
          table
            .find(key)
            .map(({ id }) => id)
            .toSorted(),
        ).toEqual(scanned.map(({ id }) => id).toSorted());
        expect(table.count(key)).toBe(scanned.length);
      }
    }),
  );
});

test("a listener gets what was before and after, and nothing of rows that are not there", () => {
  const calls: (readonly [Row | undefined, Row | undefined])[] = [];
  const table = new RecordTable<Row>(
    () => [],
    (before, after) => calls.push([before, after]),
  );
  const [first, second] = [
    { id: "a", tags: [] },
    { id: "a", tags: ["x"] },
  ];
  table.insert(first);
  table.patch("a", { tags: ["x"] });
  table.patch("b", { tags: ["x"] });
  table.remove("a");
  table.remove("a");
  expect(calls).toEqual([
    [undefined, first],
    [first, second],
    [second, undefined],
  ]);
});
