// The DNS records that people follow at the end of a round, where we publish them: those that it has written, else those that it found. And why
// they are not what they should be, where that is not over with the round.

import { isDnsName, withoutClosingDot } from "../../../../apis/text/dns-name.ts";
import { dnsLane } from "../model/lanes.ts";
import { publishesDns } from "../situation/published.ts";
import type { Situation } from "../situation/situation.ts";
import type { Failure, RoundResult } from "./endpoint-condition.ts";

/** Undefined: the records are not ours, and nobody can tell what they say. */
export function publishedRecords(situation: Situation, round: RoundResult): readonly string[] | undefined {
  const { intent, observed, kept } = situation;
  const host = withoutClosingDot(intent.endpoint?.host ?? "");
  const isWanted = intent.mode !== "none" || kept !== undefined;
  if (!publishesDns(observed) || !isWanted || !isDnsName(host)) return undefined;
  const written = round.plan.actions.find((action) => action.kind === "apply-dns-endpoint");
  const { dnsEndpoint, unreadDns } = observed.object;
  if (unreadDns !== undefined) return undefined;
  const published = recordsTrouble(round) === undefined ? (written ?? dnsEndpoint) : dnsEndpoint;
  return published?.host === host ? published.addresses : [];
}

/** They cannot be written, or what is written does not last: somebody else writes them, too. */
export function recordsTrouble({ plan, failures }: RoundResult): Failure | undefined {
  const failed = failures.find(isOfRecords);
  const repeated = plan.waits.find((wait) => wait.reason === "StepRepeated" && isOfRecords(wait));
  return failed ?? (repeated && { ...repeated, message: repeated.message ?? "" });
}

/** We publish them, and may not read what is published. */
export function unreadRecords({ observed, intent }: Situation): Failure | undefined {
  const { unreadDns } = observed.object;
  return intent.publishDns && unreadDns !== undefined
    ? { reason: unreadDns.reason, message: unreadDns.message }
    : undefined;
}

export function isOfRecords({ lane }: Pick<Failure, "lane">): boolean {
  return lane?.part === dnsLane.part;
}
