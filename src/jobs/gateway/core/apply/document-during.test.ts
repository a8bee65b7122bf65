import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sampleDocument, sampleForwarding, sampleGroup } from "../../sim/sample-document.ts";
import type { GatewayDocument } from "../model/document.ts";
import { documentDuring } from "./document-during.ts";

const groupNames = ["a", "b", "c"];
/** Each source address belongs to one group; each address, too. */
const documents = fc
  .record({
    sourceOf: fc.array(fc.constantFrom(...groupNames, undefined), { minLength: 5, maxLength: 5 }),
    groupOf: fc.array(fc.constantFrom(...groupNames, undefined), { minLength: 4, maxLength: 4 }),
  })
  .map(({ sourceOf, groupOf }): GatewayDocument => {
    const groups = groupNames.flatMap((name, index) => {
      const sourceAddresses = sourceOf.flatMap((owner, at) => (owner === name ? [`198.19.0.${at}`] : []));
      return sourceAddresses.length === 0 ? [] : [sampleGroup({ name, virtualRouterId: index + 1, sourceAddresses })];
    });
    const addresses = groupOf.flatMap((group, at) =>
      groups.some(({ name }) => name === group) ? [{ address: `198.18.0.${at}`, group: group ?? "" }] : [],
    );
    const forwardings = addresses.map(({ address }) => sampleForwarding({ address }));
    return sampleDocument({ groups, addresses, forwardings });
  });

const addressesOf = ({ addresses }: GatewayDocument) => addresses.map(({ address }) => address);
const sourcesOf = ({ groups }: GatewayDocument) => groups.flatMap(({ sourceAddresses }) => sourceAddresses);

describe("the rules between two documents", () => {
  test("know every address of both, once, in a group that there is; and so for forwardings and source addresses", () => {
    fc.assert(
      fc.property(documents, documents, (before, after) => {
        const during = documentDuring(before, after);
        const all = [...new Set([...addressesOf(before), ...addressesOf(after)])];
        expect(addressesOf(during).toSorted()).toEqual(all.toSorted());
        expect(during.forwardings.map(({ address }) => address).toSorted()).toEqual(all.toSorted());
        const names = during.groups.map(({ name }) => name);
        expect(new Set(names).size).toBe(names.length);
        expect(during.addresses.filter(({ group }) => !names.includes(group))).toEqual([]);
        expect(new Set(sourcesOf(during)).size).toBe(sourcesOf(during).length);
        expect(during.groups.filter(({ sourceAddresses }) => sourceAddresses.length === 0)).toEqual([]);
      }),
    );
  });

  test("use source addresses that the group has before and after, where there are any", () => {
    fc.assert(
      fc.property(documents, documents, (before, after) => {
        const wrong = documentDuring(before, after).groups.filter(({ name, sourceAddresses }) => {
          const [old, next] = [before, after].map(({ groups }) => groups.find((group) => group.name === name));
          const shared = next?.sourceAddresses.filter((address) => old?.sourceAddresses.includes(address)) ?? [];
          return shared.length > 0 && sourceAddresses.some((address) => !shared.includes(address));
        });
        expect(wrong).toEqual([]);
      }),
    );
  });

  test("are those of the document to come when no address leaves and no source address changes", () => {
    const before = sampleDocument({ forwardings: [] });
    const after = sampleDocument();
    expect(documentDuring(before, after)).toBe(after);
  });
});
