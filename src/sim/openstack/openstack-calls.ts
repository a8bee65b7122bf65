// How calls to OpenStack are named in traces and in coverage: what each is for, and what it is about.

import { isRecord } from "../../apis/text/problem.ts";

/** By method: the kind of action that it serves. What is not here reads. */
const purposes: Readonly<Record<string, string>> = {
  createLoadBalancer: "create-load-balancer",
  updateLoadBalancer: "update-load-balancer",
  deleteLoadBalancer: "delete-load-balancer",
  failoverLoadBalancer: "failover-load-balancer",
  createListener: "create-listener",
  updateListener: "update-listener",
  deleteListener: "delete-listener",
  createPool: "create-pool",
  updatePool: "update-pool",
  deletePool: "delete-pool",
  createHealthMonitor: "create-monitor",
  updateHealthMonitor: "update-monitor",
  deleteHealthMonitor: "delete-monitor",
  createMember: "merge-members",
  updateMember: "merge-members",
  mergeMembers: "merge-members",
  deleteMember: "remove-member",
  createPort: "create-port",
  updatePort: "set-address-pairs",
  deletePort: "delete-port",
  createFloatingIp: "create-floating-ip",
  updateFloatingIp: "attach-floating-ip",
  deleteFloatingIp: "delete-floating-ip",
  replaceTags: "tag-floating-ip",
};

/** A cloud does not report its changes: observing it again is what a quiet system does, too. */
const observeAgain = "observe-again";

export function isWriteMethod(method: string): boolean {
  return purposes[method] !== undefined;
}

export function purposeOf(method: string, args: readonly unknown[]): string {
  const change = args[1];
  if (method === "updateFloatingIp" && isRecord(change) && change["portId"] === null) return "detach-floating-ip";
  if (/^update(Port|FloatingIp)$/.test(method) && isRecord(change) && change["description"] !== undefined)
    return "mark-address";
  return purposes[method] ?? observeAgain;
}

export function targetOf(args: readonly unknown[]): string {
  const [first] = args;
  if (typeof first === "string") return first;
  const { name, address, portId } = isRecord(first) ? first : {};
  return [name, address, portId].find((part) => typeof part === "string") ?? "";
}
