// A document as one transaction that puts the gateway's own tables in place of whatever they were. Nothing else of the host's ruleset is
// touched. For a document that `checkDocument` passed.

import { invariant } from "../../../../core/errors.ts";
import type { GatewayDocument } from "../model/document.ts";
import type { LocalGateway } from "../model/local-gateway.ts";
import {
  addressElements,
  type ElementSet,
  type Emit,
  elementSets,
  forwardingElements,
  groupElements,
} from "./elements.ts";
import { type NftWords, nftFamilies, tableName } from "./nft-family.ts";
import { renderElements } from "./render-elements.ts";
import { renderTable } from "./table-rules.ts";

export function renderRuleset(document: GatewayDocument, local: LocalGateway): string {
  const elements = new Map(nftFamilies.map(({ ip }) => [ip, new Map<ElementSet, string[]>()]));
  const emit: Emit = (words, set, key, data) => {
    const ofFamily = elements.get(words.ip);
    const ofSet = ofFamily?.get(set);
    const text = data === undefined ? key : `${key} : ${data}`;
    if (ofSet === undefined) ofFamily?.set(set, [text]);
    else ofSet.push(text);
  };
  emitDocument(document, emit);
  return nftFamilies
    .flatMap((words) => [
      emptyTable(words),
      renderTable(words, local),
      ...elementSets.flatMap((set) => renderElements("add", words, set, elements.get(words.ip)?.get(set) ?? [])),
    ])
    .join("");
}

/** Takes the gateway's own tables away, whether they are there or not. */
export function renderRemoval(): string {
  return nftFamilies.map(emptyTable).join("");
}

/** There is no `destroy` in nftables 1.0.6: a table that is missing is made first. */
function emptyTable({ ip }: NftWords): string {
  return `table ${ip} ${tableName}\ndelete table ${ip} ${tableName}\n`;
}

function emitDocument(document: GatewayDocument, emit: Emit): void {
  const groups = new Map(document.groups.map((group) => [group.name, group]));
  for (const group of document.groups) groupElements(group, emit);
  for (const address of document.addresses) {
    const group = groups.get(address.group);
    invariant(group !== undefined, `${address.address}: a group of the document, not ${address.group}`);
    addressElements(address, group, emit);
  }
  for (const forwarding of document.forwardings) forwardingElements(forwarding, emit);
}
