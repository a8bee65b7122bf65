import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sampleDocument, sampleForwarding, sampleGroup } from "../../sim/sample-document.ts";
import type { GatewayDocument } from "../model/document.ts";
import { applyDelta, documentDelta, sameContent } from "./document-delta.ts";

const forwarding = fc
  .record({
    last: fc.integer({ min: 1, max: 4 }),
    port: fc.integer({ min: 1, max: 3 }),
    endpoints: fc.integer({ min: 0, max: 2 }),
    affinity: fc.constantFrom("none" as const, "client" as const),
    allowed: fc.constantFrom(undefined, [], ["192.0.2.0/24"]),
  })
  .map(({ last, port, endpoints, affinity, allowed }) =>
    sampleForwarding({
      address: `198.18.0.${last}`,
      port,
      affinity,
      endpoints: Array.from({ length: endpoints }, (_, index) => ({ address: `10.0.0.${index}`, port: 1 })),
      ...(allowed === undefined ? {} : { allowedSources: allowed }),
    }),
  );
const documents = fc
  .record({
    forwardings: fc.uniqueArray(forwarding, { selector: ({ address, port }) => `${address} ${port}` }),
    order: fc.constantFrom(["gw1", "gw2"], ["gw2", "gw1"]),
    unicast: fc.constantFrom({}, { gw1: "192.0.2.1" }),
    generation: fc.nat(),
  })
  .map(({ forwardings, order, unicast, generation }) =>
    sampleDocument({
      version: { epoch: 1, generation },
      vrrp: { mode: "vrrp3", advertIntervalMs: 100, unicast },
      groups: [sampleGroup({ order })],
      forwardings,
    }),
  );

describe("the difference between two documents", () => {
  test("applied to the first, and sent as JSON in between, is the second", () => {
    fc.assert(
      fc.property(documents, documents, (before, after) => {
        const delta = JSON.parse(JSON.stringify(documentDelta(before, after))) as ReturnType<typeof documentDelta>;
        const made = applyDelta(before, delta);
        expect(sorted(made)).toEqual(sorted(after));
        expect(sameContent(made, after)).toBe(true);
      }),
    );
  });

  test("is empty between documents that say the same in another order, and only then", () => {
    fc.assert(
      fc.property(documents, documents, (one, other) => {
        const shuffled = { ...one, forwardings: one.forwardings.toReversed(), addresses: one.addresses.toReversed() };
        expect(sameContent(one, shuffled)).toBe(true);
        const isSame =
          JSON.stringify(sorted(one, { epoch: 0, generation: 0 })) ===
          JSON.stringify(sorted(other, { epoch: 0, generation: 0 }));
        expect(sameContent(one, other)).toBe(isSame);
      }),
    );
  });
});

function sorted(document: GatewayDocument, version = document.version): GatewayDocument {
  const byText = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  return {
    ...document,
    version,
    addresses: document.addresses.toSorted(byText),
    forwardings: document.forwardings.toSorted(byText),
  };
}
