// The rule in the operator's chain that accepts our connections where its policy drops them. An accept in our own table would not do: each
// table has its say. nftables removes a rule by its handle only, so whoever keeps the rule lists that one chain, and this file says
// which commands bring it to what it should be. The rule is known by its comment, which holds what it accepts.

import { z } from "zod";
import type { LocalGateway } from "../model/local-gateway.ts";
import { acceptChain } from "./gateway-names.ts";
import { hex } from "./nft-family.ts";

export type AcceptIn = NonNullable<LocalGateway["acceptIn"]>;

export interface FoundRule {
  readonly handle: number;
  readonly comment: string;
}

const ourComment = "mainstay accepts ";

/** What `nft -j list chain` printed, as the rules of ours in it. What cannot be read holds none. */
export function decodeOwnRules(listing: unknown): readonly FoundRule[] {
  const decoded = listingSchema.safeParse(listing);
  if (!decoded.success) return [];
  return decoded.data.nftables.flatMap((entry) => {
    const rule = ruleSchema.safeParse(entry);
    return rule.success && rule.data.rule.comment.startsWith(ourComment) ? [rule.data.rule] : [];
  });
}

/** First in the chain: whatever the operator drops below it was meant for others. Undefined: the chain is as it should be. */
export function renderAcceptRule(local: LocalGateway, found: readonly FoundRule[]): string | undefined {
  if (local.acceptIn === undefined) return undefined;
  const { bits, mask } = local.connectionMark;
  const comment = `${ourComment}${hex(bits)}/${hex(mask)}`;
  if (found.length === 1 && found[0]?.comment === comment) return undefined;
  const rule = `ct mark & ${hex(mask)} == ${hex(bits)} counter accept comment "${comment}"`;
  return `${deletes(local.acceptIn, found).join("")}insert rule ${acceptChain(local.acceptIn)} ${rule}\n`;
}

/** Undefined: there is none. */
export function renderAcceptRuleRemoval(acceptIn: AcceptIn, found: readonly FoundRule[]): string | undefined {
  return found.length === 0 ? undefined : deletes(acceptIn, found).join("");
}

function deletes(acceptIn: AcceptIn, found: readonly FoundRule[]): readonly string[] {
  return found.map(({ handle }) => `delete rule ${acceptChain(acceptIn)} handle ${Math.trunc(handle)}\n`);
}

const listingSchema = z.object({ nftables: z.array(z.unknown()) });
const ruleSchema = z.object({ rule: z.object({ handle: z.int().positive(), comment: z.string() }) });
