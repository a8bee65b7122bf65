// Feature gates, each with a stage, a default and a sentence; jobs declare them. An unknown name is an error, a deprecated one a
// warning, and a generally available feature cannot be switched off.

export type GateStage = "alpha" | "beta" | "ga" | "deprecated";

export interface GateFacts {
  readonly stage: GateStage;
  readonly default: boolean;
  /** The release that brought this stage. */
  readonly since: string;
  readonly description: string;
}

export type GateTable = Readonly<Record<string, GateFacts>>;

export type GateSettings<G extends string = string> = Readonly<Record<G, boolean>>;

export interface DecidedGates<G extends string = string> {
  readonly enabled: GateSettings<G>;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** `A=true,B=false` → pairs; whatever does not read so is a problem. */
export function parseGates(text: string): {
  readonly values: Readonly<Record<string, boolean>>;
  readonly problems: readonly string[];
} {
  const values: Record<string, boolean> = {};
  const problems: string[] = [];
  for (const part of text.split(",").map((piece) => piece.trim())) {
    if (part === "") continue;
    const [, name, value] = /^([^=\s]+)\s*=\s*(true|false)$/.exec(part) ?? [];
    if (name === undefined) problems.push(`feature gate "${part}" must read Name=true or Name=false`);
    else if (Object.hasOwn(values, name)) problems.push(`feature gate "${name}" is set twice`);
    else values[name] = value === "true";
  }
  return { values, problems };
}

/** Every gate of a table, on or off, with all problems and warnings about the settings. */
export function decideGates<G extends string>(
  gates: Readonly<Record<G, GateFacts>>,
  wanted: Readonly<Record<string, boolean>>,
): DecidedGates<G> {
  const names = Object.keys(gates) as G[];
  const enabled = Object.fromEntries(names.map((name) => [name, gates[name].default])) as Record<G, boolean>;
  const problems: string[] = [];
  const warnings: string[] = [];
  const known = names.toSorted().join(", ");
  for (const [name, value] of Object.entries(wanted)) {
    if (!isKnown(gates, name)) {
      problems.push(`feature gate "${name}" is not known; known are ${known === "" ? "none" : known}`);
      continue;
    }
    const { stage } = gates[name];
    if (stage === "ga" && !value)
      problems.push(`feature gate "${name}" is general since ${gates[name].since} and cannot be switched off`);
    else enabled[name] = value;
    if (stage === "ga" && value) warnings.push(`feature gate "${name}" is always on; the setting can go`);
    if (stage === "deprecated")
      warnings.push(`feature gate "${name}" is deprecated since ${gates[name].since} and will go`);
  }
  return { enabled, problems, warnings };
}

function isKnown<G extends string>(gates: Readonly<Record<G, GateFacts>>, name: string): name is G {
  return Object.hasOwn(gates, name);
}
