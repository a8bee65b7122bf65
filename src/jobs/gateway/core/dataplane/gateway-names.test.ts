import { expect, test } from "vitest";
import { forwarding, gatewayDocument, localGateway } from "../../../../../test/support/gateway-documents.ts";
import { InvariantViolation } from "../../../../core/errors.ts";
import type { LocalGateway } from "../model/local-gateway.ts";
import { renderAcceptRule } from "./accept-rule.ts";
import { localProblems } from "./gateway-names.ts";
import { renderRuleset } from "./render-ruleset.ts";

const acceptIn = { family: "inet", table: "filter", chain: "forward" } as const;

test("settings of a gateway that a script can hold have no problem", () => {
  expect(localProblems({ ...localGateway, acceptIn, externalInterface: "bond0.100" })).toEqual([]);
});

test.each<[Partial<LocalGateway>, string]>([
  [{ externalInterface: 'ext0" accept #' }, String.raw`"ext0\" accept #" is no name of an interface`],
  [{ internalInterface: "an-interface-too-long" }, '"an-interface-too-long" is no name of an interface'],
  [{ connectionMark: { bits: 3, mask: 1 } }, "the mark 3 is not within the mask 1"],
  [{ connectionMark: { bits: 1, mask: 2 ** 32 } }, "the mark 1 is not within the mask 4294967296"],
  [{ ownAddresses: ["198.18.0.2/24"] }, '"198.18.0.2/24" is no address'],
  [
    { acceptIn: { ...acceptIn, table: "filter forward; flush ruleset" } },
    '"filter forward; flush ruleset" is no name of a table or chain',
  ],
  [{ acceptIn: { ...acceptIn, chain: "1" } }, '"1" is no name of a table or chain'],
])("settings that it cannot hold are named: %j", (fields, problem) => {
  expect(localProblems({ ...localGateway, ...fields })).toEqual([problem]);
});

test("a name that is none gets into no script, even if nobody asked before", () => {
  const hostile = { ...localGateway, internalInterface: 'int0"\nflush ruleset' };
  expect(() => renderRuleset(gatewayDocument(), hostile)).toThrow("a name of an interface");
  const chain = { ...localGateway, acceptIn: { ...acceptIn, chain: "forward accept" } };
  expect(() => renderAcceptRule(chain, [])).toThrow("a name of a table or chain");
});

test.each([
  { address: "198.18.0.100 }\nflush ruleset\n" },
  { port: 65_536 },
  { endpoints: [{ address: "fd00:c::21", port: 80 }], buckets: [0] },
  { buckets: [0, 9] },
  { buckets: [0, 1, 0] },
  { allowedSources: ["fd00::/8"] },
])("nor does what nobody has checked: %j", (fields) => {
  const document = gatewayDocument({ forwardings: [forwarding(fields)] });
  expect(() => renderRuleset(document, localGateway)).toThrow(InvariantViolation);
});
