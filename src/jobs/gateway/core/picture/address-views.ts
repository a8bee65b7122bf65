// The addresses of a pool that Services have, as its status tells them: what clients use, and who answers there.

import type { Health } from "../../../../core/views/object-view.ts";
import type { AddressStatus, GatewayPool } from "../../apis/gateway-pool.ts";
import { type GroupView, joined, type PoolView } from "./gateway-views.ts";

export interface AddressView {
  readonly status: AddressStatus;
  /** What clients use. */
  readonly shown: string;
  readonly group?: GroupView;
  /** Whether clients get through; `partly`: some do, or for some things. */
  readonly reached: "yes" | "partly" | "no" | "unknown" | "not-yet";
  readonly health: Health;
  readonly word: string;
}

const healthOf = {
  yes: "healthy",
  partly: "degraded",
  no: "degraded",
  unknown: "unknown",
  "not-yet": "progressing",
} as const;

export function addressViews({ status = {} }: GatewayPool, { groups, gateways }: PoolView): readonly AddressView[] {
  const unready = new Set(gateways.filter(({ state }) => state === "unready").map(({ name }) => name));
  return (status.addressesInUse ?? []).map((address) => {
    const group = address.group === undefined ? undefined : groups.get(address.group);
    const [reached, word] = answers(group, unready);
    return {
      status: address,
      shown: address.publicAddress ?? address.address,
      ...(group === undefined ? {} : { group }),
      reached,
      health: healthOf[reached],
      word,
    };
  });
}

function answers(
  group: GroupView | undefined,
  unready: ReadonlySet<string>,
): readonly [AddressView["reached"], string] {
  if (group === undefined) return ["not-yet", "not carried yet"];
  const { standing, by } = group;
  const leaders = joined(by);
  switch (standing) {
    case "led":
      return by.some((name) => unready.has(name))
        ? ["partly", `led by ${leaders}, which is not ready`]
        : ["yes", `led by ${leaders}`];
    case "heard":
      return ["unknown", `led by ${leaders}, unseen`];
    case "split":
      return ["partly", `led by ${leaders} at once`];
    case "unled":
      return ["no", "no gateway leads"];
    case "unknown":
      return ["unknown", by.length === 0 ? "nobody knows who leads" : `led by ${leaders} when last seen`];
  }
}
