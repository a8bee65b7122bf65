// The settings of a world with gateways: where addresses come from, how many gateways there are, how Services share, and which Service is a
// bad one among the others.

import type { Random } from "../../../ports/random.ts";
import { between, chance, pick } from "../../../sim/time/derive-seed.ts";
import type { BackendLayer, SharingPolicy } from "../apis/gateway-pool.ts";

export interface GatewaySetting {
  readonly source: "static" | "neutron" | "floating";
  readonly gateways: readonly string[];
  readonly groups: readonly string[];
  readonly sharing: SharingPolicy;
  readonly layer: BackendLayer;
  /** What a Service asks for, or has behind it, that cannot be had. */
  readonly bad: "address" | "endpoint" | undefined;
  readonly observeAgainMs: number;
  readonly neutronMs: number;
  /** How long what seems unused is left alone. */
  readonly graceMs: number;
  /** A process often crashes as it writes. */
  readonly crashesOnWrite: boolean;
}

export function drawSetting(random: Random, isSlow: boolean): GatewaySetting {
  const source = pick(random, ["static", "neutron", "floating", "floating"] as const) ?? "static";
  const gateways = chance(random, 0.3) ? ["gw1", "gw2", "gw3"] : ["gw1", "gw2"];
  const layer = pick(random, ["NodePort", "Pod", "ClusterIP"] as const) ?? "NodePort";
  const bad = pick(random, ["address", "endpoint", undefined] as const);
  return {
    source,
    gateways,
    groups: chance(random, 0.3) ? ["a", "b"] : ["a"],
    sharing: pick(random, ["ByPort", "ByPort", "WithinNamespace", "Never"] as const) ?? "ByPort",
    layer,
    // Only Pods are wherever their slices say.
    bad: bad === "endpoint" && layer !== "Pod" ? "address" : bad,
    observeAgainMs: isSlow ? 30_000 : between(random, 3_000, 8_000),
    neutronMs: isSlow ? 60_000 : between(random, 5_000, 12_000),
    graceMs: isSlow ? 120_000 : between(random, 10_000, 30_000),
    crashesOnWrite: chance(random, 0.3),
  };
}
