import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { isDnsName, withoutClosingDot } from "./dns-name.ts";

describe("a DNS name", () => {
  it.each([
    "api.mycluster.example.com",
    "API.Example.COM",
    "api",
    "a-b.c1",
    "api.example.com.",
    "1api.2example.3com",
    "xn--bcher-kva.example",
    `${"a".repeat(63)}.example`,
  ])("%s is one", (name) => {
    expect(isDnsName(name)).toBe(true);
  });

  it.each([
    "",
    ".",
    "203.0.113.7",
    "203.0.113.7.",
    "2001:db8::1",
    "[2001:db8::1]",
    "fe80::1%eth0",
    "api.example.5",
    "127.1",
    "0x7f000001",
    "api.0xff",
    "2130706433",
    "api..example.com",
    "-api.example.com",
    "api-.example.com",
    "api_server.example.com",
    "api.example.com:6443",
    "https://api.example.com",
    "*.example.com",
    " api.example.com",
    "api.example.com\n",
    `${"a".repeat(64)}.example`,
    `${"a.".repeat(127)}com`,
  ])("%j is none", (text) => {
    expect(isDnsName(text)).toBe(false);
  });

  test("is never an address, however it is written", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.ipV4(),
          fc.ipV4Extended(),
          fc.ipV6(),
          fc.ipV6().map((ip) => `[${ip}]`),
        ),
        (address) => {
          expect(isDnsName(address)).toBe(false);
        },
      ),
    );
  });

  it("is the same with and without its closing dot", () => {
    expect([withoutClosingDot("api.example.com."), withoutClosingDot("api")]).toEqual(["api.example.com", "api"]);
  });
});
