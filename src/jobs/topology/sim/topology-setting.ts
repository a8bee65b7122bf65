// The settings of a world with a topology: what the installer declared, what people request in the end, and whether the mode may change.

import type { Random } from "../../../ports/random.ts";
import type { SimProcess } from "../../../sim/processes/sim-process.ts";
import { chance, pick } from "../../../sim/time/derive-seed.ts";
import { infrastructures } from "../apis/infrastructure.ts";

export interface TopologySetting {
  readonly declared: "SingleReplica" | "HighlyAvailable";
  /** The feature gate MutableTopology: turned on by an update in some worlds. */
  readonly gate: "off" | "on" | "on-with-the-update";
  readonly upgradeGate: "ClusterVersion" | "none";
  /** The definition of Infrastructure refuses requests that cannot be granted. */
  readonly strict: boolean;
  /** Undefined: they ask for nothing. */
  readonly requested: string | undefined;
}

export const infrastructureResource = `${infrastructures.group}/${infrastructures.plural}`;
/** The last two are refused by us, or by the API server where the definition is strict. */
export const requests = ["HighlyAvailable", "HighlyAvailable", "SingleReplica", "DualReplica"] as const;

export function drawSetting(random: Random): TopologySetting {
  return {
    declared: chance(random, 0.6) ? "SingleReplica" : "HighlyAvailable",
    gate: pick(random, ["off", "on", "on", "on-with-the-update"]) ?? "off",
    upgradeGate: chance(random, 0.7) ? "ClusterVersion" : "none",
    strict: chance(random, 0.5),
    requested: chance(random, 0.3) ? undefined : pick(random, requests),
  };
}

export function isMutable({ gate }: TopologySetting, { version }: Pick<SimProcess, "version">): boolean {
  return gate === "on" || (gate === "on-with-the-update" && version === "new");
}
