import { expect, test } from "vitest";
import { colouredWord, shownLength, splitColoured } from "./coloured-word.ts";

test("a word in colour is as wide as the word", () => {
  expect(shownLength(`a ${colouredWord("healthy", "green")} b`)).toBe("a healthy b".length);
});

test("other escape sequences are not taken for it", () => {
  const others = ["\u001b[2J", "\u001b[8mhidden\u001b[39m", "\u001b[31mno end", "\u001b[31mA\u001b[2J\u001b[39m"];
  for (const text of others) expect(splitColoured(text)).toEqual([text]);
});
