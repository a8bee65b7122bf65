import { expect, test } from "vitest";
import { disjointRanges } from "./disjoint-ranges.ts";

test.each<[string, readonly string[], readonly string[]]>([
  ["one that lies in another goes", ["10.1.0.0/16", "10.0.0.0/8", "10.1.2.3"], ["10.0.0.0/8"]],
  ["equal ones in two spellings are one", ["10.9.0.0/8", "10.0.0.0/8"], ["10.0.0.0/8"]],
  ["neighbours stay", ["10.0.0.0/9", "10.128.0.0/9"], ["10.0.0.0/9", "10.128.0.0/9"]],
  ["IPv6 likewise", ["2001:DB8::5", "2001:db8::/32", "2001:db9::/32"], ["2001:db8::/32", "2001:db9::/32"]],
  ["everything swallows all of its family", ["0.0.0.0/0", "192.0.2.1", "::1"], ["0.0.0.0/0", "::1/128"]],
  ["nothing stays nothing", [], []],
])("of ranges that overlap, %s", (_, ranges, expected) => {
  expect(disjointRanges(ranges)).toEqual(expected);
});
