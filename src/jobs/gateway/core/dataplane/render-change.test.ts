import fc from "fast-check";
import { expect, test } from "vitest";
import {
  forwarding,
  gatewayDocument,
  localGateway,
  someDocuments,
} from "../../../../../test/support/gateway-documents.ts";
import { checkDocument } from "./check-document.ts";
import { elementSets } from "./elements.ts";
import { renderChange } from "./render-change.ts";
import { renderRuleset } from "./render-ruleset.ts";

interface Step {
  readonly verb: string;
  /** `ip mainstay endpoints`. */
  readonly set: string;
  readonly element: string;
  readonly data: string;
}

function stepsOf(script: string): readonly Step[] {
  const commands = script.matchAll(/^(add|delete) element (\S+ mainstay \S+) \{\n([^}]*)\n\}$/gm);
  return [...commands].flatMap(([, verb = "", set = "", body = ""]) =>
    body.split(",\n").map((line) => {
      const [key = "", data = ""] = line.trim().split(" : ");
      return { verb, set, element: `${set} ${key}`, data };
    }),
  );
}

/** As strict as the kernel: an element is added when it is not there, and deleted when it is. */
function elementsAfter(script: string, start: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> {
  const elements = new Map(start);
  for (const { verb, element, data } of stepsOf(script)) {
    if (elements.has(element) !== (verb === "delete")) throw new Error(`the kernel would refuse: ${verb} ${element}`);
    if (verb === "add") elements.set(element, data);
    else elements.delete(element);
  }
  return elements;
}

const inOrder = (elements: ReadonlyMap<string, string>) => [...elements].toSorted();

test("a change leaves the elements of the second document, in every set, and deletes and adds only what differs", () => {
  const touched = new Set<string>();
  fc.assert(
    fc.property(someDocuments(), someDocuments(), (one, other) => {
      const { good: before } = checkDocument(one, localGateway);
      const { good: after } = checkDocument(other, localGateway, { previous: before });
      const held = elementsAfter(renderRuleset(before, localGateway));
      const wanted = elementsAfter(renderRuleset(after, localGateway));
      const change = renderChange(before, after) ?? "";
      expect(inOrder(elementsAfter(change, held))).toEqual(inOrder(wanted));
      const steps = stepsOf(change);
      for (const { verb, set } of steps) touched.add(`${verb} ${set}`);
      expect(steps.filter(({ element }) => held.get(element) === wanted.get(element))).toEqual([]);
    }),
    { numRuns: 250 },
  );
  const everything = ["add", "delete"].flatMap((verb) =>
    ["ip", "ip6"].flatMap((family) => elementSets.map((set) => `${verb} ${family} mainstay ${set}`)),
  );
  expect([...touched].toSorted()).toEqual(everything.toSorted());
});

test("a document that has the same content is no change, whatever its version, order and names of Services", () => {
  const document = gatewayDocument({ forwardings: [forwarding(), forwarding({ port: 81 }), forwarding({ port: 82 })] });
  const copy = structuredClone(document);
  const other = {
    ...copy,
    version: { epoch: 2, generation: 9 },
    addresses: copy.addresses.toReversed(),
    forwardings: copy.forwardings.toReversed().map((one) => ({ ...one, service: "default/renamed" })),
  };
  expect(renderChange(document, copy)).toBeUndefined();
  expect(renderChange(document, other)).toBeUndefined();
});

test("what is the same object in both documents is not even looked at", () => {
  const untouchable = (): ReturnType<typeof forwarding> =>
    new Proxy(forwarding(), {
      get: () => {
        throw new Error("read");
      },
    });
  const shared = [untouchable(), untouchable(), untouchable()];
  const before = gatewayDocument({ forwardings: [...shared, forwarding()] });
  const after = { ...before, forwardings: [...shared, forwarding({ whenEmpty: "drop", endpoints: [], buckets: [] })] };
  expect(renderChange(before, after)).toContain(
    "add element ip mainstay empty {\n  198.18.0.100 . tcp . 80 : drop\n}\n",
  );
});

test("a source address that a group gains is used by the addresses of that group alone", () => {
  const [group] = gatewayDocument().groups;
  const other = { name: "b", virtualRouterId: 52, order: [], sourceAddresses: ["198.19.0.111"] };
  const groups = group === undefined ? [] : [group, other];
  const addresses = [
    { address: "198.18.0.100", group: "a" },
    { address: "198.18.0.200", group: "b" },
  ];
  const grown = groups.map((one) =>
    one.name === "b" ? one : { ...one, sourceAddresses: [...one.sourceAddresses, "198.19.0.103"] },
  );
  const change = renderChange(gatewayDocument({ groups, addresses }), gatewayDocument({ groups: grown, addresses }));
  expect(change).toContain("198.18.0.100 . 0x4d530401 : 198.19.0.103");
  expect(change).not.toContain("198.18.0.200");
});
