// nftables as the agent's dataplane: tables of our own, whose rules never change and whose elements are the document.

import { checkDocument } from "../core/dataplane/check-document.ts";
import { decodeDocument } from "../core/dataplane/decode-document.ts";
import { nftFamilies, tableName } from "../core/dataplane/nft-family.ts";
import { renderChange } from "../core/dataplane/render-change.ts";
import { renderRuleset } from "../core/dataplane/render-ruleset.ts";
import type { Dataplane } from "./dataplane.ts";
import { readTraffic } from "./read-traffic.ts";

export const nftDataplane: Dataplane = {
  tables: nftFamilies.map(({ ip }) => ({ family: ip, name: tableName })),
  decode: decodeDocument,
  check: checkDocument,
  renderRuleset,
  renderChange,
  readTraffic,
};
