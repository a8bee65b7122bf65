// Who leads, and whether anybody can work at all, in one sentence. Pure.

import type { ManagerInfo } from "../../server/contract.ts";

export interface Leadership {
  /** Nobody works for the cluster right now, or the one who does cannot see it. */
  readonly troubled: boolean;
  readonly sentence: string;
}

export function leadershipOf(manager: ManagerInfo): Leadership {
  const { identity, ready, missing } = manager;
  const leader = leaderOf(manager);
  if (leader === undefined)
    return { troubled: true, sentence: "Nobody leads right now. Nothing is changed until somebody does." };
  if (!ready) {
    const what = missing.length === 0 ? "" : ` Missing: ${missing.join("; ")}.`;
    return { troubled: true, sentence: `${identity} cannot see all of the cluster, so this may be old.${what}` };
  }
  if (leader === identity) return { troubled: false, sentence: `${identity} leads and sees all it needs.` };
  return {
    troubled: false,
    sentence: `${leader} leads. ${identity}, which answers here, stands by: it sees every object and plans nothing.`,
  };
}

/** A lease still names its last holder when that one has stepped down; a manager knows best about itself. */
function leaderOf({ leading, identity, leader, replicas }: ManagerInfo): string | undefined {
  if (leading) return identity;
  const seen = replicas.find(({ state }) => state === "leading")?.identity;
  // A manager in another process is known by its lease alone.
  const elsewhere = leader !== identity && replicas.every((replica) => replica.identity !== leader);
  return seen ?? (elsewhere ? leader : undefined);
}
