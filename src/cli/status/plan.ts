// mainstay plan: what would be done now for one object, without doing it.

import { formatRef } from "../../apis/kube/kube-object.ts";
import { MainstayError } from "../../core/errors.ts";
import { parseGuard } from "../../core/guards.ts";
import { isKubeError } from "../../core/kube-error.ts";
import type { PlannedOnce } from "../../engine/round/plan-once.ts";
import type { CliPorts, ConnectOptions } from "../cli-ports.ts";
import { withConnection } from "../connection-options.ts";
import { exitCodes } from "../exit-codes.ts";
import { invalid } from "../invalid-input.ts";
import { nearbyHint } from "../nearby.ts";
import type { OutputFormat } from "../output-option.ts";
import { printAs } from "../print.ts";
import { withProgress } from "../progress.ts";
import {
  configurationData,
  configurationWords,
  managedAsRunning,
  managedBy,
  noteConfiguration,
  parseObjectName,
} from "./managed-kinds.ts";
import { cannotPlan, type ObjectPlan, type PlanInput, planData, planObject, planTexts } from "./object-plan.ts";

export interface PlanFlags extends ConnectOptions {
  readonly output: OutputFormat;
  readonly config?: string;
  readonly namespace?: string;
  readonly guard?: readonly string[];
}

export async function plan(name: string, flags: PlanFlags, ports: CliPorts): Promise<number> {
  const given = await managedBy(flags.config, ports);
  const asked = { managed: given, named: parseObjectName(name, flags.namespace, given.shown) };
  const guards = (flags.guard ?? []).map((text) => {
    const parsed = parseGuard(text);
    if ("problem" in parsed) throw invalid("--guard", parsed.problem, "Correct the guard.");
    return { name: text, guard: parsed.guard };
  });
  const { managed, plans } = await withConnection(ports, flags, ({ kube }) => {
    const planned = async () => {
      const running = await managedAsRunning(asked, kube, ports);
      return { ...running, plans: await read({ kube, clock: ports.clock, ...running, guards }) };
    };
    return withProgress("reading the cluster", ports, planned());
  });
  const configuration = configurationData(managed);
  printAs(
    flags.output,
    plans.map((one) => ({ ...planData(one), configuration })),
    () => [...planTexts(plans, ports.terminal.colours), configurationWords(managed)].join("\n"),
    ports.terminal,
  );
  noteConfiguration(managed, flags.output, ports.terminal);
  return plans.some(cannotPlan) ? exitCodes.cluster : exitCodes.ok;
}

/** An object that is not there may leave something to do; when it does not, its name was a mistake. */
async function read(input: PlanInput): Promise<readonly ObjectPlan[]> {
  const { shown, ref } = input.named;
  const [plans, isThere] = await Promise.all([
    planObject(input),
    input.kube.get(shown.kind, ref).then(
      () => true,
      (error: unknown) => !isKubeError(error, "NotFound"),
    ),
  ]);
  if (isThere || plans.some(({ planned }) => !isIdle(planned))) return plans;
  throw new MainstayError({
    reason: "ObjectNotFound",
    message: `there is no ${shown.kind.kind} ${formatRef(ref)}, and nothing to do for it`,
    hint: await nearbyHint(input.kube, shown.kind, ref, "mainstay status lists what is there."),
  });
}

function isIdle(planned: PlannedOnce): boolean {
  if (planned.found !== "plan") return planned.found === "gone";
  const { actions, waits, refusals } = planned.plan;
  return actions.length + waits.length + refusals.length === 0;
}
