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
    return { troubled: true, sentence: `${shortIdentity(identity)} cannot see all of the cluster.${what}` };
  }
  if (leader === identity)
    return { troubled: false, sentence: `${shortIdentity(identity)} leads and sees all it needs.` };
  return {
    troubled: false,
    sentence: `This replica, ${shortIdentity(identity)}, is a standby: it shows every object and plans nothing. ${shortIdentity(leader)} leads.`,
  };
}

/** Where the plans are, when they are not here. Undefined unless this is a standby of somebody who leads elsewhere. */
export function leaderElsewhere(
  manager: ManagerInfo,
): { readonly name: string; readonly command?: string } | undefined {
  const leader = leaderOf(manager);
  if (leader === undefined || leader === manager.identity) return undefined;
  const name = shortIdentity(leader);
  // A manager in a cluster calls itself by its Pod's name and a word of its own; another one may be called anything.
  if (manager.demo || !/^[a-z0-9][a-z0-9.-]*_/.test(leader)) return { name };
  return { name, command: `kubectl -n mainstay-system port-forward pod/${name} 8081` };
}

/** The Pod's name, without what tells two lives of it apart. */
export function shortIdentity(identity: string): string {
  return identity.split("_")[0] || identity;
}

/** A lease still names its last holder when that one has stepped down; a manager knows best about itself. */
function leaderOf({ leading, identity, leader, replicas }: ManagerInfo): string | undefined {
  if (leading) return identity;
  const seen = replicas.find(({ state }) => state === "leading")?.identity;
  // A manager in another process is known by its lease alone.
  const elsewhere = leader !== identity && replicas.every((replica) => replica.identity !== leader);
  return seen ?? (elsewhere ? leader : undefined);
}
