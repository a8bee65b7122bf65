// The contract suite of nftables on the fake kernel and on the real one, and what only the real program does.

import { describe, expect, test } from "vitest";
import { linuxNft } from "../../../src/drivers/linux/nft.ts";
import { renderChange } from "../../../src/jobs/gateway/core/dataplane/render-change.ts";
import { renderRuleset } from "../../../src/jobs/gateway/core/dataplane/render-ruleset.ts";
import { fakeDataplane } from "../../../src/jobs/gateway/sim/fake-dataplane.ts";
import { FakeGateway } from "../../../src/jobs/gateway/sim/fake-gateway.ts";
import { sampleDocument, sampleForwarding, sampleLocal } from "../../../src/jobs/gateway/sim/sample-document.ts";
import { describeLab, labNft } from "../../lab.ts";
import { type NftTarget, nftContract } from "./nft.contract.ts";
import { makeNftNamespace } from "./nft-namespace.ts";

const local = sampleLocal();
const one = sampleDocument();
const other = sampleDocument({ forwardings: [sampleForwarding({ port: 443 })] });

const fake: NftTarget = {
  open: () => {
    const gateway = new FakeGateway();
    const broken = sampleDocument({ forwardings: [sampleForwarding({ service: "broken/rules" })] });
    return Promise.resolve({
      nft: gateway.nft,
      scripts: {
        load: fakeDataplane.renderRuleset(one, local),
        otherLoad: fakeDataplane.renderRuleset(other, local),
        change: fakeDataplane.renderChange(one, other, local) ?? "",
        refused: fakeDataplane.renderRuleset(broken, local),
      },
      rules: () => Promise.resolve(JSON.stringify(gateway.rules ?? "none")),
      flush: () => Promise.resolve(gateway.foreignChange("flush")),
      close: () => Promise.resolve(),
    });
  },
};

const real: NftTarget = {
  async open() {
    const kernel = await makeNftNamespace();
    const load = renderRuleset(one, local);
    return {
      nft: linuxNft([...kernel.prefix, "nft"]),
      scripts: {
        load,
        otherLoad: renderRuleset(other, local),
        change: renderChange(one, other) ?? "",
        refused: `${load}add rule ip mainstay no_such_chain accept\n`,
      },
      rules: async () => JSON.stringify(await kernel.ruleset()),
      flush: async () => void (await kernel.nft(["flush", "ruleset"])),
      close: () => kernel.remove(),
    };
  },
};

describe("nftables contract on the fake kernel", () => nftContract(fake));

describeLab("nftables contract on the real kernel", labNft, () => nftContract(real));

test("without the program, the error names the package that brings it", async () => {
  await expect(linuxNft(["/nowhere/nft"]).apply("")).rejects.toMatchObject({
    reason: "ProgramMissing",
    hint: expect.stringContaining("nftables"),
  });
});

test("a program that cannot say whether there is a table rejects, and does not say no", async () => {
  await expect(linuxNft(["false"]).hasTable("ip", "mainstay")).rejects.toMatchObject({ reason: "ProgramFailed" });
});
