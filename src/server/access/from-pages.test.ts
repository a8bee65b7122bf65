import { expect, test } from "vitest";
import { refusedFromPages } from "./from-pages.ts";

const asked = (headers: Readonly<Record<string, string>>) => refusedFromPages({ headers })?.status;

test("programs on this machine pass", () => {
  expect(asked({ host: "127.0.0.1:16080" })).toBeUndefined();
  expect(asked({ host: "localhost:16080", "user-agent": "kubectl" })).toBeUndefined();
});

test("pages of other sites do not, whatever they ask", () => {
  expect(asked({ host: "127.0.0.1:16080", origin: "http://evil.example.com" })).toBe(403);
  expect(asked({ host: "127.0.0.1:16080", origin: "null" })).toBe(403);
  expect(asked({ host: "127.0.0.1:16080", "sec-fetch-site": "cross-site" })).toBe(403);
});

test("nor does a foreign name that was made to point here", () => {
  expect(asked({ host: "evil.example.com" })).toBe(403);
});
