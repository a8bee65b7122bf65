// The gateway's rulesets, judged by the real nft and the kernel.

import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  decodeOwnRules,
  renderAcceptRule,
  renderAcceptRuleRemoval,
} from "../../../src/jobs/gateway/core/dataplane/accept-rule.ts";
import { checkDocument } from "../../../src/jobs/gateway/core/dataplane/check-document.ts";
import { decodeDocument } from "../../../src/jobs/gateway/core/dataplane/decode-document.ts";
import { renderChange } from "../../../src/jobs/gateway/core/dataplane/render-change.ts";
import { renderRemoval, renderRuleset } from "../../../src/jobs/gateway/core/dataplane/render-ruleset.ts";
import type { GatewayDocument } from "../../../src/jobs/gateway/core/model/document.ts";
import type { LocalGateway } from "../../../src/jobs/gateway/core/model/local-gateway.ts";
import { describeLab, labNft } from "../../lab.ts";
import {
  forwarding,
  gatewayDocument,
  hostileDocuments,
  localGateway,
  someDocuments,
} from "../../support/gateway-documents.ts";
import { searchRuns } from "../../support/search-share.ts";
import { makeNftNamespace, type NftNamespace } from "./nft-namespace.ts";

describeLab("the gateway's ruleset in the kernel", labNft, () => {
  let kernel: NftNamespace;
  beforeAll(async () => {
    kernel = await makeNftNamespace();
  });
  afterAll(() => kernel.remove());

  const load = (script: string) => kernel.nft(["-f", "-"], script);
  const loaded = async (document: GatewayDocument, local = localGateway) => {
    await load(renderRuleset(document, local));
    return await kernel.ruleset();
  };

  test("a change leaves what a full load of the second document would", async () => {
    await fc.assert(
      fc.asyncProperty(someDocuments(), someDocuments(), async (one, other) => {
        const { good: before } = checkDocument(one, localGateway);
        const { good: after } = checkDocument(other, localGateway, { previous: before });
        await loaded(before);
        const change = renderChange(before, after);
        if (change !== undefined) await load(change);
        const changed = await kernel.ruleset();
        expect(changed).toEqual(await loaded(after));
      }),
      { numRuns: searchRuns(60) },
    );
  });

  test("nothing that can be sent yields a statement of the sender's", async () => {
    await load("table ip bystander { chain kept { }; }\n");
    const nobody = await loaded(gatewayDocument());
    await fc.assert(
      fc.asyncProperty(hostileDocuments(), async (value) => {
        const decoded = decodeDocument(JSON.parse(JSON.stringify(value)));
        if (decoded.kind === "malformed") return;
        const { good } = checkDocument(decoded.document, localGateway, decoded);
        expect(withoutElements(await loaded(good))).toEqual(withoutElements(nobody));
      }),
      { numRuns: searchRuns(60) },
    );
    await load("delete table ip bystander\n");
  });

  test("it takes the place of whatever has its name, and goes without a trace", async () => {
    const empty = await kernel.nft(["list", "ruleset"]).then(async (text) => {
      expect(text).toContain("table ip mainstay");
      await load(renderRemoval());
      return await kernel.ruleset();
    });
    await load("table ip mainstay { set endpoints { type mark; }; chain forward { }; }\ntable ip6 mainstay { }\n");
    const document = gatewayDocument({ forwardings: [forwarding()] });
    const first = await loaded(document);
    expect(await loaded(document)).toEqual(first);
    await load(renderRemoval());
    await load(renderRemoval());
    expect(await kernel.ruleset()).toEqual(empty);
  });

  test.each<[string, Partial<LocalGateway>]>([
    ["with one interface for both sides", { internalInterface: "ext0" }],
    ["without addresses of its own", { ownAddresses: [] }],
    ["with IPv4 alone", { ownAddresses: ["198.18.0.2"] }],
    ["with a mask that is wider than its bits", { connectionMark: { bits: 0x8000_0000, mask: 0xf000_0000 } }],
    ["without a mark", { connectionMark: { bits: 0, mask: 0 } }],
  ])("a gateway %s has a ruleset", async (_, fields) => {
    const local = { ...localGateway, ...fields };
    const document = gatewayDocument({ forwardings: [forwarding({ source: "client" })] });
    await expect(loaded(document, local)).resolves.toBeDefined();
  });

  test("the rule in the operator's chain is there once, first, as the mark is now, and goes alone", async () => {
    await load("table inet filter { chain forward { type filter hook forward priority 0; policy drop; accept; }; }\n");
    const acceptIn = { family: "inet", table: "filter", chain: "forward" } as const;
    const rules = async () =>
      decodeOwnRules(JSON.parse(await kernel.nft(["-j", "list", "chain", "inet", "filter", "forward"])));
    const keep = async (local: LocalGateway) => {
      const script = renderAcceptRule(local, await rules());
      if (script !== undefined) await load(script);
      return script;
    };
    const before = await kernel.ruleset();
    expect(await keep({ ...localGateway, acceptIn })).toBeDefined();
    expect(await keep({ ...localGateway, acceptIn })).toBeUndefined();
    await keep({ ...localGateway, acceptIn, connectionMark: { bits: 2, mask: 2 } });
    const listing = await kernel.nft(["list", "chain", "inet", "filter", "forward"]);
    expect(listing.match(/ct mark .*|\baccept$/gm)).toEqual([
      expect.stringContaining('& 0x00000002 == 0x00000002 counter packets 0 bytes 0 accept comment "mainstay'),
      "accept",
    ]);
    await load(renderAcceptRuleRemoval(acceptIn, await rules()) ?? "");
    expect(await kernel.ruleset()).toEqual(before);
    expect(renderAcceptRuleRemoval(acceptIn, await rules())).toBeUndefined();
  });
});

/** Tables, chains, rules and the names of sets: what a statement of somebody else's would change. */
function withoutElements(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, part) => (key === "elem" ? undefined : part)));
}
