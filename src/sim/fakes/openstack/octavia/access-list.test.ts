import { expect, test } from "vitest";
import { CloudFault } from "../cloud-fault.ts";
import { maskedCidrs } from "./access-list.ts";

test("host bits are masked and a bare address is a network of one", () => {
  const given = ["10.9.8.7/16", "192.0.2.1", "198.51.100.200/25", "0.0.0.0/0"];
  expect(maskedCidrs(given, "10.0.0.1")).toEqual(["10.9.0.0/16", "192.0.2.1/32", "198.51.100.128/25", "0.0.0.0/0"]);
  expect(maskedCidrs(["2001:db8::7/32", "2001:db8::1"], "2001:db8::5")).toEqual(["2001:db8::/32", "2001:db8::1/128"]);
});

test("the other family and what is no range are refused", () => {
  expect(() => maskedCidrs(["2001:db8::/32"], "10.0.0.1")).toThrow(CloudFault);
  expect(() => maskedCidrs(["10.0.0.0/8"], "2001:db8::5")).toThrow(CloudFault);
  expect(() => maskedCidrs(["10.0.0.0/33"], "10.0.0.1")).toThrow(CloudFault);
  expect(() => maskedCidrs(["everybody"], "10.0.0.1")).toThrow(CloudFault);
});
