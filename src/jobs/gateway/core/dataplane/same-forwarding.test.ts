import { expect, test } from "vitest";
import { forwarding } from "../../../../../test/support/gateway-documents.ts";
import type { Forwarding } from "../model/document.ts";
import { sameForwarding } from "./same-forwarding.ts";

const one = forwarding({ allowedSources: ["10.0.0.0/8"] });

test("a copy is the same", () => {
  expect(sameForwarding(one, structuredClone(one))).toBe(true);
  expect(sameForwarding(forwarding(), forwarding())).toBe(true);
});

test.each<[keyof Forwarding, Partial<Forwarding>]>([
  ["address", { address: "198.18.0.101" }],
  ["protocol", { protocol: "UDP" }],
  ["port", { port: 81 }],
  ["service", { service: "default/other" }],
  ["endpoints", { endpoints: [{ address: "198.19.0.21", port: 8081 }] }],
  ["endpoints", { endpoints: one.endpoints.map((endpoint) => ({ ...endpoint, port: 9 })) }],
  ["buckets", { buckets: [1, 0] }],
  ["affinity", { affinity: "client" }],
  ["source", { source: "client" }],
  ["allowedSources", { allowedSources: [] }],
  ["allowedSources", { allowedSources: ["10.0.0.0/9"] }],
  ["whenEmpty", { whenEmpty: "drop" }],
])("another %s makes another forwarding", (_, fields) => {
  expect(sameForwarding(one, { ...one, ...fields })).toBe(false);
});

test("nobody at all and anybody are not the same", () => {
  expect(sameForwarding(forwarding(), forwarding({ allowedSources: [] }))).toBe(false);
});
