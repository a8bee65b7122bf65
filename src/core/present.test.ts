import { expect, test } from "vitest";
import { present } from "./present.ts";

test("keeps what has a value, null and false included, and drops what is undefined", () => {
  const fields: { a?: number | undefined; b: string | null; c?: boolean | undefined } = {
    a: undefined,
    b: null,
    c: false,
  };
  expect(Object.entries(present(fields))).toEqual([
    ["b", null],
    ["c", false],
  ]);
});
