// Which manager leads and whether it can work, in one sentence. Pure.

import type { ManagerInfo } from "../../server/contract.ts";

export interface Leadership {
  /** No manager leads right now, or this one cannot read the cluster. */
  readonly needsAttention: boolean;
  readonly sentence: string;
}

export function leadershipOf(manager: ManagerInfo): Leadership {
  const { identity, ready, missing } = manager;
  const leader = leaderOf(manager);
  if (leader === undefined)
    return { needsAttention: true, sentence: "Nobody leads right now. Nothing is changed until somebody does." };
  if (!ready) {
    const what = missing.length === 0 ? "" : ` Missing: ${missing.join("; ")}.`;
    return { needsAttention: true, sentence: `${shortIdentity(identity)} cannot read all of the cluster.${what}` };
  }
  if (leader === identity)
    return { needsAttention: false, sentence: `${shortIdentity(identity)} leads and can read all it needs.` };
  return {
    needsAttention: false,
    sentence: `This replica, ${shortIdentity(identity)}, is a standby: it shows every object and plans nothing. ${shortIdentity(leader)} leads.`,
  };
}

/** The leader whose dashboard has the plans. Undefined unless this manager is a standby of another one that leads. */
export function leaderElsewhere(
  manager: ManagerInfo,
): { readonly name: string; readonly command?: string } | undefined {
  const leader = leaderOf(manager);
  if (leader === undefined || leader === manager.identity) return undefined;
  const name = shortIdentity(leader);
  // The identity of a manager in a cluster is its Pod's name, an underscore and a uuid; any other identity is not a Pod's name.
  if (manager.demo || !/^[a-z0-9][a-z0-9.-]*_/.test(leader)) return { name };
  return { name, command: `kubectl -n mainstay-system port-forward pod/${name} 8081` };
}

/** The Pod's name, without the uuid of the process. */
export function shortIdentity(identity: string): string {
  return identity.split("_")[0] || identity;
}

/** A Lease still names its last holder after that one has stepped down, so that each manager's own state counts more. */
function leaderOf({ leading, identity, leader, replicas }: ManagerInfo): string | undefined {
  if (leading) return identity;
  const known = replicas.find(({ state }) => state === "leading")?.identity;
  // A manager in another process is known by its lease alone.
  const elsewhere = leader !== identity && replicas.every((replica) => replica.identity !== leader);
  return known ?? (elsewhere ? leader : undefined);
}
