import { expect, test } from "vitest";
import { formatTagRecord, noTagsRecorded, parseTagRecord, type TagRecord } from "./tag-record.ts";

const records: readonly (readonly [string | undefined, TagRecord])[] = [
  [undefined, { is: "applied", tags: [] }],
  ['{"applied":["a","b"]}', { is: "applied", tags: ["a", "b"] }],
  ['{"applying":["a"]}', { is: "applying", tags: ["a"] }],
  ['{"applying":[]}', { is: "applying", tags: [] }],
];

test.each(records)("the annotation %j is read as it was written", (text, record) => {
  expect(parseTagRecord(text)).toEqual(record);
  expect(formatTagRecord(record)).toBe(text);
});

test.each(["", "a,b", "[]", "null", '"a"', "{}", '{"applied":"a"}', '{"applied":[1]}', '{"applying":['])(
  "%j says nothing",
  (text) => expect(parseTagRecord(text)).toEqual(noTagsRecorded),
);

test("a mark of Mainstay's own is never taken for a tag of the user's", () => {
  const tags = ["mainstay-owner=x", "a", "A"];
  expect(parseTagRecord(JSON.stringify({ applying: tags }))).toEqual({ is: "applying", tags: ["a"] });
});
