import { expect, test } from "vitest";
import { asSentence } from "./as-sentence.ts";

test.each([
  ["there is no such object", "There is no such object."],
  ["Nothing is left to do.", "Nothing is left to do."],
  ["ClusterVersion/version: Progressing is True", "ClusterVersion/version: Progressing is True."],
  ["services/web: has no address", "services/web: has no address."],
  ["", ""],
])("%j becomes the sentence %j", (message, expected) => expect(asSentence(message)).toBe(expected));
