import { expect, test } from "vitest";
import { forwarding, gatewayDocument } from "../../../../../test/support/gateway-documents.ts";
import { decodeDocument } from "./decode-document.ts";

const document = gatewayDocument({ forwardings: [forwarding(), forwarding({ port: 81, allowedSources: [] })] });

test("a document that was sent is read as it was, without what nobody knows", () => {
  const sent: unknown = JSON.parse(JSON.stringify({ ...document, colour: "blue" }));
  expect(decodeDocument(sent)).toEqual({ kind: "document", document, unreadable: [] });
});

test.each<[string, unknown, RegExp]>([
  ["no object", [], /expected object/],
  ["nothing", null, /expected object/],
  ["no list of forwardings", { ...document, forwardings: {} }, /^forwardings: .*expected array/],
  ["an address that is a number", { ...document, addresses: [{ address: 1, group: "a" }] }, /^addresses.0.address: /],
  ["a generation below zero", { ...document, version: { epoch: 1, generation: -1 } }, /^version.generation: /],
  ["a pool that is no name", { ...document, pool: "a pool" }, /^pool: /],
  ["adverts without a pause", { ...document, vrrp: { ...document.vrrp, advertIntervalMs: 0 } }, /advertIntervalMs/],
  [
    "a peer that is no address",
    { ...document, vrrp: { ...document.vrrp, unicast: { "gw-1": "x }" } } },
    /is no address/,
  ],
])("with %s, all of it is refused", (_, value, problem) => {
  expect(decodeDocument(value)).toEqual({ kind: "malformed", problems: [expect.stringMatching(problem)] });
});

test("a forwarding that cannot be read is told apart, with as much of its name as can be read", () => {
  const [first, second] = document.forwardings;
  const forwardings = [first, { ...second, affinity: "always" }, { service: "default/x" }, 7];
  expect(decodeDocument({ ...document, forwardings })).toEqual({
    kind: "document",
    document: { ...document, forwardings: [first] },
    unreadable: [
      { subject: "198.18.0.100/TCP/81", service: "default/web", message: expect.stringContaining("affinity") },
      { subject: "forwardings[2]", service: "default/x", message: expect.stringContaining("address") },
      { subject: "forwardings[3]", message: expect.stringContaining("expected object") },
    ],
  });
});
