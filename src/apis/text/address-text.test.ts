import { isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { isAddress, isAddressOrRange } from "./address-text.ts";

describe("addresses as text", () => {
  test("are recognised as the platform does", () => {
    const near = fc.stringMatching(/^[0-9a-f:.]{0,20}$/);
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), near), (text) => {
        expect(isAddress(text)).toBe(isIP(text) !== 0);
      }),
      { numRuns: 500 },
    );
  });

  it.each(["192.0.2.1", "192.0.2.0/24", "0.0.0.0/0", "2001:db8::/32", "::/0", "10.9.8.7/16"])(
    "%s is an address or a range",
    (text) => {
      expect(isAddressOrRange(text)).toBe(true);
    },
  );

  it.each(["", "everybody", "192.0.2.0/33", "192.0.2.0/", "2001:db8::/129", "192.0.2.0/24/1", "192.0.2", "/24"])(
    "%j is neither",
    (text) => {
      expect(isAddressOrRange(text)).toBe(false);
    },
  );
});
