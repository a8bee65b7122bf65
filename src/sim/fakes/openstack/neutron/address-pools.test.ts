import { array, assert, boolean, property } from "fast-check";
import { expect, test } from "vitest";
import { AddressPools } from "./address-pools.ts";

test("no address is given out twice, and none outside of the subnet", () => {
  assert(
    property(array(boolean(), { maxLength: 60 }), (steps) => {
      const pools = new AddressPools();
      pools.add("s", "192.0.2.16/28");
      const taken: string[] = [];
      for (const take of steps) {
        const gone = take ? undefined : taken.shift();
        if (gone !== undefined) pools.release("s", gone);
        const address = take && taken.length < 13 ? pools.takeNext("s") : undefined;
        if (address !== undefined) taken.push(address);
      }
      expect(new Set(taken).size).toBe(taken.length);
      expect(taken.filter((address) => !pools.contains("s", address))).toEqual([]);
      while (taken.length < 13) taken.push(pools.takeNext("s") ?? "none");
      expect(pools.takeNext("s")).toBeUndefined();
    }),
  );
});

test("a subnet contains its own family and range only", () => {
  const pools = new AddressPools();
  pools.add("four", "10.0.1.0/24");
  pools.add("six", "2001:db8::/64");
  expect(pools.contains("four", "10.0.1.255")).toBe(true);
  expect(pools.contains("four", "10.0.2.0")).toBe(false);
  expect(pools.contains("four", "2001:db8::1")).toBe(false);
  expect(pools.contains("six", "2001:db8::1")).toBe(true);
  expect(pools.contains("six", "2001:db9::1")).toBe(false);
  expect(pools.takeNext("six")).toBe("2001:db8::2");
  expect(pools.take("six", "2001:db8::2")).toBe(false);
});
