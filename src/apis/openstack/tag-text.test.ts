import { describe, expect, test } from "vitest";
import { isSameTag, isTagText, usableTags, userTagProblems } from "./tag-text.ts";

// What the real services answer to these is in test/contract/openstack.
describe("a tag", () => {
  test.each(["team=a", "a b", "a,b", "zürich", "漢字", "x".repeat(255)])("may be %s", (text) => {
    expect([isTagText(text), usableTags([text])]).toEqual([true, [text]]);
  });

  test.each([
    ["empty", ""],
    ["too long", "x".repeat(256)],
    ["with an emoji", "team-😀"],
    ["with half a character", "team-\ud83d"],
  ])("may not be %s", (_what, text) => {
    expect([isTagText(text), usableTags(["fine", text])]).toEqual([false, ["fine"]]);
  });

  test.each([
    ["Team", "team"],
    ["café", "cafe"],
    ["cafe\u0301", "café"],
    ["Команда", "команда"],
    ["Straße", "strase"],
    ["a  ", "a"],
    ["ΟΔΟΣ", "οδος"],
  ])("%j is %j to a database", (one, other) => {
    expect([isSameTag(one, other), usableTags([one, other])]).toEqual([true, [one]]);
  });

  test.each([
    ["a b", "ab"],
    [" a", "a"],
    ["a-b", "a_b"],
    ["ss", "s"],
  ])("%j is not %j", (one, other) => {
    expect([isSameTag(one, other), usableTags([one, other])]).toEqual([false, [one, other]]);
  });
});

test("every tag that cannot be put on is named with its place, and what to do", () => {
  const tags = ["Team=a", "team-😀", "mainstay-owner=x", "team=a"];
  expect(userTagProblems(tags, "spec.tags")).toMatchObject([
    { where: "spec.tags[1]", message: '"team-😀" is not a valid tag', isLeftOut: true },
    { where: "spec.tags[2]", isLeftOut: true },
    { where: "spec.tags[3]", message: '"team=a" and "Team=a" are the same tag', isLeftOut: true },
  ]);
  expect(usableTags(tags)).toEqual(["Team=a"]);
});
