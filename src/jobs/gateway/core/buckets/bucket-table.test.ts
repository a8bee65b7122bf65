import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bucketCounts, type Endpoint } from "../model/document.ts";
import { bucketCount } from "./bucket-count.ts";
import { type BucketTable, bucketTable, endpointKey } from "./bucket-table.ts";

const endpoint = (n: number): Endpoint => ({ address: `10.0.${n >> 8}.${n & 255}`, port: 8080 });
const anyNumbers = (max: number) => fc.uniqueArray(fc.integer({ min: 0, max: 80 }), { maxLength: max });
const anyEndpoints = anyNumbers(70).map((numbers) => numbers.map(endpoint));

/** A table with a past: endpoints that came and went. */
const anyTable = fc
  .array(anyEndpoints, { minLength: 1, maxLength: 4 })
  .map((past) => past.reduce<BucketTable>((table, now) => bucketTable(now, table), { endpoints: [], buckets: [] }));

function ownerOf({ endpoints, buckets }: BucketTable, bucket: number): string {
  const owner = endpoints[buckets[bucket] ?? -1];
  return owner === undefined ? "nobody" : endpointKey(owner);
}

/** The kernel scales a 32-bit hash. */
function bucketOf(hash: number, { buckets }: BucketTable): number {
  return Math.floor((hash * buckets.length) / 2 ** 32);
}

function sharesOf({ endpoints, buckets }: BucketTable): readonly number[] {
  return endpoints.map((_, place) => buckets.filter((owner) => owner === place).length);
}

/** Buckets that changed hands although their endpoint lives. */
function movedOf(before: BucketTable, after: BucketTable): number {
  const living = new Set(after.endpoints.map(endpointKey));
  return after.buckets.filter((_, bucket) => {
    const was = ownerOf(before, bucket);
    return living.has(was) && was !== ownerOf(after, bucket);
  }).length;
}

describe("a table of buckets", () => {
  test("gives all endpoints equal shares, whatever was before", () => {
    fc.assert(
      fc.property(anyTable, anyEndpoints, (before, endpoints) => {
        const table = bucketTable(endpoints, before);
        const shares = sharesOf(table);
        expect(table.endpoints).toHaveLength(endpoints.length);
        expect(endpoints.length === 0 ? [0] : bucketCounts).toContain(table.buckets.length);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(table.buckets.length);
        expect(Math.max(0, ...shares) - Math.min(Infinity, ...shares)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("moves no bucket of an endpoint that stays when others go", () => {
    const removal = anyTable.chain((before) => fc.tuple(fc.constant(before), fc.subarray([...before.endpoints])));
    fc.assert(
      fc.property(removal, ([before, left]) => {
        const after = bucketTable(left, before);
        fc.pre(after.buckets.length === before.buckets.length);
        expect(movedOf(before, after)).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  test("keeps as many buckets as equal shares allow, whoever comes and goes", () => {
    fc.assert(
      fc.property(anyTable, anyEndpoints, (before, endpoints) => {
        const after = bucketTable(endpoints, before);
        fc.pre(after.buckets.length === before.buckets.length && endpoints.length > 0);
        const had = after.endpoints.map((one) => {
          const place = before.endpoints.findIndex((other) => endpointKey(other) === endpointKey(one));
          return before.buckets.filter((owner) => owner === place).length;
        });
        const share = Math.floor(after.buckets.length / endpoints.length);
        const larger = Math.min(after.buckets.length % endpoints.length, had.filter((count) => count > share).length);
        const most = had.reduce((sum, count) => sum + Math.min(count, share), larger);
        const kept = after.buckets.filter((_, bucket) => ownerOf(before, bucket) === ownerOf(after, bucket));
        expect(kept).toHaveLength(most);
      }),
      { numRuns: 300 },
    );
  });

  test("stays as it is while nothing changes, in whatever order endpoints come", () => {
    const shuffled = fc
      .tuple(anyTable, anyEndpoints)
      .chain(([before, some]) =>
        fc.tuple(
          fc.constant(before),
          fc.constant(some),
          fc.shuffledSubarray(some, { minLength: some.length, maxLength: some.length }),
        ),
      );
    fc.assert(
      fc.property(shuffled, ([before, endpoints, mixed]) => {
        const table = bucketTable(endpoints, before);
        expect(bucketTable(mixed, before)).toEqual(table);
        expect(bucketTable(mixed, table)).toEqual(table);
      }),
    );
  });

  test("moves no connection when it grows, but those that new endpoints get", () => {
    const sizes = fc.tuple(fc.integer({ min: 2, max: 8 }), fc.integer({ min: 9, max: 200 }));
    fc.assert(
      fc.property(
        sizes,
        fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { maxLength: 50 }),
        ([few, many], hashes) => {
          const first = bucketTable(
            Array.from({ length: few }, (_, n) => endpoint(n)),
            { endpoints: [endpoint(0)], buckets: [0, ...Array.from({ length: 15 }, () => 0)] },
          );
          const grown = bucketTable(
            Array.from({ length: many }, (_, n) => endpoint(n)),
            first,
          );
          expect(first.buckets).toHaveLength(16);
          expect(grown.buckets.length).toBeGreaterThan(16);
          const old = new Set(first.endpoints.map(endpointKey));
          const moves = hashes
            .map((hash) => [ownerOf(first, bucketOf(hash, first)), ownerOf(grown, bucketOf(hash, grown))] as const)
            .filter(([was, is]) => was !== is && old.has(is));
          expect(moves).toEqual([]);
        },
      ),
    );
  });

  test("is not misled by a table that somebody broke", () => {
    const broken = { endpoints: [endpoint(1), endpoint(2)], buckets: Array.from({ length: 17 }, (_, n) => n - 3) };
    const table = bucketTable([endpoint(1), endpoint(2)], broken);
    expect(sharesOf(table)).toEqual([4, 4]);
  });

  test("leaves out new endpoints beyond the highest number of buckets", () => {
    const many = Array.from({ length: 1_100 }, (_, n) => endpoint(n));
    const late = many.slice(500);
    const table = bucketTable(many, bucketTable(late));
    expect(table.endpoints).toHaveLength(1_024);
    expect(late.filter((one) => !table.endpoints.some((other) => other.address === one.address))).toEqual([]);
    expect(new Set(table.buckets).size).toBe(1_024);
  });
});

describe("the number of buckets", () => {
  test.each([
    [0, 0, 0],
    [1, 0, 1],
    [1, 64, 1],
    [2, 0, 8],
    [2, 1, 8],
    [4, 0, 16],
    [5, 0, 64],
    [8, 16, 16],
    [9, 16, 64],
    [5, 64, 64],
    [4, 64, 16],
    [64, 0, 256],
    [65, 0, 1_024],
    [128, 256, 256],
    [129, 256, 1_024],
    [17, 256, 256],
    [16, 256, 64],
    [700, 1_024, 1_024],
    [65, 1_024, 1_024],
    [64, 1_024, 256],
    [2_000, 0, 1_024],
    [3, 17, 16],
  ])("for %i endpoints after %i buckets is %i", (endpoints, previous, expected) => {
    expect(bucketCount(endpoints, previous)).toBe(expected);
  });
});
