// Which pool serves a Service. A Service that is served stays where it is for as long as that pool still fits; one that fits several is
// refused rather than guessed about.

import type { AddressRecord } from "../../apis/annotations.ts";
import type { GatewayPool } from "../../apis/gateway-pool.ts";
import type { Service } from "../../apis/kube-objects.ts";

export type PoolChoice =
  | { readonly kind: "pool"; readonly pool: string }
  | { readonly kind: "none" }
  | { readonly kind: "ambiguous"; readonly pools: readonly string[] };

export function choosePool({ spec = {} }: Service, record: AddressRecord, pools: readonly GatewayPool[]): PoolChoice {
  const fitting = pools.filter((pool) => fits(pool, spec.loadBalancerClass));
  const names = fitting.map(({ metadata }) => metadata.name).toSorted();
  if (record.pool !== undefined && names.includes(record.pool)) return { kind: "pool", pool: record.pool };
  const defaults = fitting.filter((pool) => pool.spec?.isDefault === true).map(({ metadata }) => metadata.name);
  const [only, ...more] = defaults.length > 0 ? defaults : names;
  if (only === undefined) return { kind: "none" };
  return more.length === 0 ? { kind: "pool", pool: only } : { kind: "ambiguous", pools: names };
}

/** A pool without a class would otherwise serve nobody. */
function fits({ metadata, spec = {} }: GatewayPool, wanted: string | undefined): boolean {
  if (metadata.deletionTimestamp !== undefined) return false;
  if (wanted !== undefined && wanted !== "") return spec.loadBalancerClass === wanted;
  return spec.isDefault === true || spec.loadBalancerClass === undefined;
}
