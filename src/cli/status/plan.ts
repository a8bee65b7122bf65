// mainstay plan: what would be done now for one object, without doing it.

import { parseGuard } from "../../core/guards.ts";
import type { CliPorts, ConnectOptions } from "../cli-ports.ts";
import { withConnection } from "../connection-options.ts";
import { exitCodes } from "../exit-codes.ts";
import { invalid } from "../invalid-input.ts";
import { type OutputFormat, printAs } from "../print.ts";
import { withProgress } from "../progress.ts";
import { managedBy, parseObjectName } from "./managed-kinds.ts";
import { planData, planObject, planText } from "./object-plan.ts";

export interface PlanFlags extends ConnectOptions {
  readonly output: OutputFormat;
  readonly config?: string;
  readonly namespace?: string;
  readonly guard?: readonly string[];
}

export async function plan(name: string, flags: PlanFlags, ports: CliPorts): Promise<number> {
  const managed = await managedBy(flags.config, ports);
  const named = parseObjectName(name, flags.namespace, managed.shown);
  const guards = (flags.guard ?? []).map((text) => {
    const parsed = parseGuard(text);
    if ("problem" in parsed) throw invalid("--guard", parsed.problem, "Correct the guard.");
    return { name: text, guard: parsed.guard };
  });
  const plans = await withConnection(ports, flags, ({ kube }) =>
    withProgress("reading the cluster", ports, planObject({ kube, clock: ports.clock, managed, named, guards })),
  );
  printAs(flags.output, plans.map(planData), () => plans.map(planText).join("\n"), ports.terminal);
  return plans.some(({ planned }) => planned.found === "blind") ? exitCodes.cluster : exitCodes.ok;
}
