import { expect, test } from "vitest";
import { canonicalAddress, familyOf, isInside, isIpLiteral, parseCidr, rangeOf, sameAddress } from "./ip.ts";

test.each([
  ["10.9.8.7/16", "10.9.0.0/16", 4],
  ["192.0.2.1", "192.0.2.1/32", 4],
  ["0.0.0.0/0", "0.0.0.0/0", 4],
  ["2001:DB8:0::1/33", "2001:db8::/33", 6],
  ["2001:db8::5", "2001:db8::5/128", 6],
  [" 10.0.0.0/8 ", "10.0.0.0/8", 4],
])("%s is the range %s", (text, masked, family) => {
  expect(parseCidr(text)).toEqual({ text: masked, family });
});

test.each([
  "",
  "10.0.0.0/33",
  "10.0.0/8",
  "10.0.0.0/8/9",
  "fe80::1%eth0/64",
  "example.com",
  "0x0a000001",
  "10.0.0.0/-1",
  "::/129",
])("%j is no range", (text) => {
  expect(parseCidr(text)).toBeUndefined();
});

test("an address is known in every spelling", () => {
  expect(canonicalAddress("2001:DB8:0:0::1")).toBe("2001:db8::1");
  expect(sameAddress("2001:db8::1", "2001:0db8::0001")).toBe(true);
  expect(familyOf("10.0.0.1")).toBe(4);
  expect(familyOf("::1")).toBe(6);
  expect(familyOf("host")).toBeUndefined();
  expect(isIpLiteral("[::1]")).toBe(true);
  expect(isIpLiteral("api.example.com")).toBe(false);
});

test.each([
  ["127.0.0.53", "loopback"],
  ["169.254.169.254", "linkLocal"],
  ["fe80::1", "linkLocal"],
  ["ff02::1", "multicast"],
  ["::ffff:10.0.0.1", "ipv4Mapped"],
  ["10.0.0.1", "private"],
  ["host", undefined],
])("%s is of the kind %s", (address, kind) => {
  expect(rangeOf(address)).toBe(kind);
});

test("an address is inside ranges of its own family only", () => {
  expect(isInside("10.6.1.1", "10.6.0.0/16")).toBe(true);
  expect(isInside("10.7.1.1", "10.6.0.0/16")).toBe(false);
  expect(isInside("::1", "0.0.0.0/0")).toBe(false);
  expect(isInside("10.6.1.1", "")).toBe(false);
});
