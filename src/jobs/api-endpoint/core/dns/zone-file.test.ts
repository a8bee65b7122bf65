import { expect, test } from "vitest";
import { recordsOf } from "./dns-endpoint.ts";
import { zoneFile } from "./zone-file.ts";

test("both families are lines of their own, under whole names", () => {
  expect(zoneFile(recordsOf("api.example.com", ["203.0.113.1", "2001:db8::1", "203.0.113.2"]), [])).toBe(
    [
      "api.example.com.\t30\tIN\tA\t203.0.113.1",
      "api.example.com.\t30\tIN\tA\t203.0.113.2",
      "api.example.com.\t30\tIN\tAAAA\t2001:db8::1",
    ].join("\n"),
  );
});

test("a comment with a line break stays a comment", () => {
  expect(zoneFile([], ["one\nevil.example.com. 1 IN A 192.0.2.1"])).toBe("; one evil.example.com. 1 IN A 192.0.2.1");
});
