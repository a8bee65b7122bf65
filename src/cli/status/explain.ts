// mainstay explain: what an object is, how it fares, what it waits for or is refused and why, with the pages that help.

import { events } from "../../apis/kube/builtin-kinds.ts";
import { formatRef, type KubeObject, refOf } from "../../apis/kube/kube-object.ts";
import { MainstayError } from "../../core/errors.ts";
import { isKubeError } from "../../core/kube-error.ts";
import { explained, sentence } from "../../core/views/explained.ts";
import type { EventView, PartsTable } from "../../core/views/object-view.ts";
import { eventView } from "../../core/views/plan-view.ts";
import { listEverything } from "../../engine/round/list-everything.ts";
import type { KubeReader } from "../../ports/kube.ts";
import type { CliPorts, ConnectOptions } from "../cli-ports.ts";
import { withConnection } from "../connection-options.ts";
import { exitCodes } from "../exit-codes.ts";
import { nearbyHint } from "../nearby.ts";
import { type OutputFormat, printAs, table } from "../print.ts";
import { withProgress } from "../progress.ts";
import { healthWord } from "./health-word.ts";
import { configurationWords, type Managed, managedBy, type NamedObject, parseObjectName } from "./managed-kinds.ts";
import { type ObjectPlan, planData, planObject, planText } from "./object-plan.ts";
import { partsText } from "./parts-text.ts";
import { readKinds, type StatusRow, statusOf, type Unread, unreadWords } from "./read-status.ts";
import { nameOf } from "./status-text.ts";

export interface ExplainFlags extends ConnectOptions {
  readonly output: OutputFormat;
  readonly config?: string;
  readonly namespace?: string;
}

interface Explanation {
  readonly row: StatusRow;
  readonly what: string;
  readonly plans: readonly ObjectPlan[];
  readonly events: readonly EventView[];
  readonly partsTable?: PartsTable;
}

const eventsShown = 5;

export async function explainObject(name: string, flags: ExplainFlags, ports: CliPorts): Promise<number> {
  const managed = await managedBy(flags.config, ports);
  const named = parseObjectName(name, flags.namespace, managed.shown);
  const found = await withConnection(ports, flags, ({ kube }) =>
    withProgress("reading the cluster", ports, read(kube, managed, named, ports)),
  );
  const { plans, ...rest } = found;
  printAs(
    flags.output,
    { ...rest, plans: plans.map(planData), configuration: managed.file ?? null },
    () => text(found, managed),
    ports.terminal,
  );
  return exitCodes.ok;
}

async function read(kube: KubeReader, managed: Managed, named: NamedObject, ports: CliPorts): Promise<Explanation> {
  const { shown, ref } = named;
  const related = managed.shown.filter((one) => one === shown || one.reportOf?.plural === shown.kind.plural);
  // A report has the name of the object that it speaks of.
  const { namespace, name } = ref;
  const selection = { ...(namespace === undefined ? {} : { namespace }), fieldSelector: `metadata.name=${name}` };
  const kinds = await readKinds(kube, related, selection);
  const own = kinds.find((one) => one.shown === shown)?.objects;
  if (typeof own === "string") throw unreadable(named, own);
  const { objects } = statusOf(kinds);
  const row = objects.find(({ id }) => id.kind === shown.kind.kind && formatRef(id) === formatRef(ref));
  if (row === undefined)
    throw new MainstayError({
      reason: "ObjectNotFound",
      message: `there is no ${shown.kind.kind} ${formatRef(ref)}`,
      hint: await nearbyHint(kube, shown.kind, ref, "mainstay status lists what is there."),
    });
  const plans = await planObject({ kube, clock: ports.clock, managed, named });
  const refusals = plans.flatMap(({ planned }) => (planned.found === "plan" ? planned.plan.refusals : []));
  const [object] = own ?? [];
  const parts = object === undefined ? undefined : shown.parts?.(object, refusals);
  return {
    row,
    what: shown.what,
    plans,
    events: await eventsOf(kube, shown.kind.kind, ref),
    ...(parts === undefined ? {} : { partsTable: parts.table }),
  };
}

/** What cannot be read is not absent. */
function unreadable({ shown, ref }: NamedObject, why: Unread): MainstayError {
  const { message, hint } = unreadWords(shown.kind, why);
  return new MainstayError({
    reason: why === "forbidden" ? "PermissionDenied" : "KindNotServed",
    message: `${shown.kind.kind} ${formatRef(ref)} cannot be read: ${message}`,
    hint: sentence(hint),
  });
}

/** Somebody who may not read events gets the rest. */
async function eventsOf(kube: KubeReader, kind: string, ref: { readonly name: string; readonly namespace?: string }) {
  const selection = {
    namespace: ref.namespace ?? "default",
    fieldSelector: `regarding.kind=${kind},regarding.name=${ref.name}`,
  };
  const found: readonly KubeObject[] = await listEverything(kube, events, selection).catch((error: unknown) => {
    if (isKubeError(error, "Forbidden")) return [];
    throw error;
  });
  return found
    .toSorted((a, b) => refOf(a).name.localeCompare(refOf(b).name))
    .map(eventView)
    .toSorted((a, b) => (a.lastSeen < b.lastSeen ? 1 : a.lastSeen > b.lastSeen ? -1 : 0))
    .slice(0, eventsShown);
}

function text({ row, what, plans, events: recent, partsTable }: Explanation, managed: Managed): string {
  const { id, controllers, health, sentence: words, conditions } = row;
  const reasons = new Set([
    ...conditions.filter(({ good }) => !good).map(({ reason }) => reason),
    ...plans.flatMap(({ planned }) =>
      planned.found === "plan" ? [...planned.plan.waits, ...planned.plan.refusals].map(({ reason }) => reason) : [],
    ),
  ]);
  const help = [...reasons].map(explained).filter(({ runbook }) => runbook !== undefined);
  return [
    nameOf(id),
    ...(what === "" ? [] : [`  ${what}`]),
    ...(controllers.length === 0
      ? [`  ${words}`]
      : [`  Looked after by ${controllers.join(", ")}.`, `  It is ${healthWord(health)}. ${words}`]),
    ...(conditions.length === 0
      ? []
      : [
          "",
          table([
            ["CONDITION", "STATUS", "SINCE", "IN WORDS"],
            ...conditions.map((one) => [one.type, one.status, one.since, one.words]),
          ]),
        ]),
    ...(partsTable === undefined ? [] : ["", partsText(partsTable)]),
    "",
    "What Mainstay would do now:",
    ...plans.map((one) => indented(planText(one))),
    `  ${configurationWords(managed)}`,
    ...(recent.length === 0
      ? []
      : [
          "",
          table([
            ["EVENT", "COUNT", "LAST SEEN", "MESSAGE"],
            ...recent.map((one) => [one.reason, String(one.count), one.lastSeen, one.message]),
          ]),
        ]),
    ...(help.length === 0 ? [] : ["", "What the reasons mean, and where it says what to do:"]),
    ...help.map(({ reason, summary, runbook }) => `  ${reason}: ${summary} ${runbook}`),
  ].join("\n");
}

function indented(lines: string): string {
  return lines
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}
