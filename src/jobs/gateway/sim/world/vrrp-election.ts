// Who leads which group, by the configurations that keepalived has on each machine: the highest priority of those that run. Adverts take
// no time here; what matters is that machines with different configurations still agree.

import type { VrrpRole } from "../../../../ports/keepalived.ts";
import { readyBonus } from "../../core/keepalived/priorities.ts";
import type { FakeGateway } from "../fake-gateway.ts";

export interface VrrpInstance {
  readonly group: string;
  readonly virtualRouterId: number;
  readonly priority: number;
  /** Announced to clients by whoever leads. */
  readonly addresses: readonly string[];
}

export interface Elector {
  readonly name: string;
  readonly isOn: boolean;
  readonly gateway: FakeGateway;
}

export function instancesOf({ configuration = "", isRunning }: FakeGateway): readonly VrrpInstance[] {
  if (!isRunning) return [];
  const [, ...blocks] = configuration.split(/^vrrp_instance /m);
  return blocks.map((block) => ({
    group: /^\S+/.exec(block)?.[0] ?? "",
    virtualRouterId: numberIn(block, /virtual_router_id (\d+)/),
    priority: numberIn(block, /^ {2}priority (\d+)/m),
    addresses: [...block.matchAll(/^\s*(\S+)\/\d+ dev ext0$/gm)].flatMap(([, address]) => address ?? []),
  }));
}

function numberIn(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1] ?? 0);
}

/** By virtual router: the machine that leads. */
export function leadersOf(electors: readonly Elector[]): ReadonlyMap<number, string> {
  const best = new Map<number, { readonly name: string; readonly priority: number }>();
  for (const { name, isOn, gateway } of electors.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!isOn) continue;
    for (const { virtualRouterId, priority } of instancesOf(gateway)) {
      const own = priority + (gateway.isReady ? readyBonus : 0);
      if (own > (best.get(virtualRouterId)?.priority ?? 0)) best.set(virtualRouterId, { name, priority: own });
    }
  }
  return new Map([...best].map(([id, { name }]) => [id, name]));
}

export function rolesOf({ name, gateway }: Elector, leaders: ReadonlyMap<number, string>): Map<string, VrrpRole> {
  return new Map(
    instancesOf(gateway).map(({ group, virtualRouterId }) => [
      group,
      leaders.get(virtualRouterId) === name ? "master" : "backup",
    ]),
  );
}
