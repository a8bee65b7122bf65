// mainstay explain: what an object is, how it fares, what it waits for or is refused and why, with the pages that help.

import { events } from "../../apis/kube/builtin-kinds.ts";
import { formatRef, isSameKind, type Kind, type KubeObject, refOf } from "../../apis/kube/kube-object.ts";
import { MainstayError } from "../../core/errors.ts";
import type { JobDeclaration } from "../../core/job/declaration.ts";
import { isKubeError } from "../../core/kube-error.ts";
import type { Plan } from "../../core/plan.ts";
import { present } from "../../core/present.ts";
import { explained, sentence } from "../../core/views/explained.ts";
import type { EventView, Health, PartsTable } from "../../core/views/object-view.ts";
import type { Picture } from "../../core/views/picture.ts";
import { eventView } from "../../core/views/plan-view.ts";
import { listEverything } from "../../engine/round/list-everything.ts";
import type { KubeReader } from "../../ports/kube.ts";
import type { CliPorts, ConnectOptions } from "../cli-ports.ts";
import { withConnection } from "../connection-options.ts";
import { exitCodes } from "../exit-codes.ts";
import { nearbyHint } from "../nearby.ts";
import type { OutputFormat } from "../output-option.ts";
import { printAs, table } from "../print.ts";
import { withProgress } from "../progress.ts";
import { healthWord } from "./health-word.ts";
import {
  configurationData,
  configurationWords,
  type Managed,
  managedAsRunning,
  managedBy,
  type NamedObject,
  noteConfiguration,
  parseObjectName,
} from "./managed-kinds.ts";
import { type ObjectPlan, planData, planObject, planTexts, withoutMissingRights } from "./object-plan.ts";
import { partsText } from "./parts-text.ts";
import { pictureText } from "./picture-text.ts";
import { type ReadKind, readKinds, type StatusRow, statusOf, type Unread, unreadWords } from "./read-status.ts";
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
  /** What admission warned of when it was written: fields and annotations without effect, consents left behind. */
  readonly warnings: readonly string[];
  readonly partsTable?: PartsTable;
  readonly tables?: readonly PartsTable[];
  readonly picture?: Picture;
}

const eventsShown = 5;

export async function explainObject(name: string, flags: ExplainFlags, ports: CliPorts): Promise<number> {
  const given = await managedBy(flags.config, ports);
  const asked = { managed: given, named: parseObjectName(name, flags.namespace, given.shown) };
  const { managed, found } = await withConnection(ports, flags, ({ kube }) => {
    const explained = async () => {
      const { managed, named } = await managedAsRunning(asked, kube, ports);
      return { managed, found: await read(kube, managed, named, ports) };
    };
    return withProgress("reading the cluster", ports, explained());
  });
  const { plans, ...rest } = found;
  printAs(
    flags.output,
    { ...rest, plans: plans.map(planData), configuration: configurationData(managed) },
    () => text(found, managed, ports.terminal.colours),
    ports.terminal,
  );
  noteConfiguration(managed, flags.output, ports.terminal);
  return exitCodes.ok;
}

async function read(kube: KubeReader, managed: Managed, named: NamedObject, ports: CliPorts): Promise<Explanation> {
  const { shown, ref } = named;
  const reports = managed.shown.filter((one) => one !== shown && one.reportOf?.plural === shown.kind.plural);
  const related = [shown, ...reports];
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
  const inputs = plans.flatMap(({ planned }) => (planned.found === "plan" ? planned.related : []));
  const picture =
    object === undefined ? undefined : shown.picture?.({ object, report: reportIn(kinds, named), related: inputs });
  const parts = object === undefined ? undefined : shown.parts?.(object, refusals);
  const { jobs } = await ports.product();
  return {
    row,
    what: shown.what,
    plans,
    events: await eventsOf(kube, shown.kind.kind, ref),
    warnings: object === undefined ? [] : warningsOf(object, shown.kind, jobs),
    ...(parts === undefined ? {} : { partsTable: parts.table, ...present({ tables: parts.tables }) }),
    ...present({ picture }),
  };
}

/** The object whose conditions report on the named one. */
function reportIn(kinds: readonly ReadKind[], { shown, ref }: NamedObject): KubeObject | undefined {
  const reports = kinds.filter((one) => one.shown.reportOf?.plural === shown.kind.plural);
  const found = reports.flatMap(({ objects }) => (typeof objects === "string" ? [] : objects));
  return found.find((report) => formatRef(refOf(report)) === formatRef(ref));
}

function warningsOf(object: KubeObject, kind: Kind, jobs: readonly JobDeclaration[]): readonly string[] {
  const checks = jobs.flatMap(({ admission }) => admission).filter((one) => isSameKind(one.kind, kind));
  return checks.flatMap(({ warnings }) => warnings(object, kind.version));
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

/** "It is unknown" would say that nobody knows the object. */
function isHow(health: Health, inColour: boolean): string {
  return `${health === "unknown" ? "Its health is" : "It is"} ${healthWord(health, inColour)}.`;
}

/** Events have times of two kinds, of which one has microseconds; conditions have neither. */
function inSeconds(time: string): string {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? time : `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

function text(
  { row, what, plans, events: recent, warnings, partsTable, tables = [], picture }: Explanation,
  managed: Managed,
  inColour: boolean,
): string {
  const { id, controllers, health, sentence: words, conditions } = row;
  const reasons = new Set([
    ...conditions.filter(({ good }) => !good).map(({ reason }) => reason),
    ...plans.flatMap(({ planned }) => (planned.found === "plan" ? reasonsIn(withoutMissingRights(planned.plan)) : [])),
  ]);
  const help = [...reasons].map(explained).filter(({ runbook }) => runbook !== undefined);
  return [
    nameOf(id),
    ...(what === "" ? [] : [`  ${what}`]),
    ...(controllers.length === 0
      ? [`  ${words}`]
      : [`  Managed by ${controllers.join(", ")}.`, `  ${isHow(health, inColour)} ${words}`]),
    ...(picture === undefined ? [] : ["", pictureText(picture, inColour)]),
    ...(conditions.length === 0
      ? []
      : [
          "",
          table([
            ["CONDITION", "STATUS", "SINCE", "IN WORDS"],
            ...conditions.map((one) => [one.type, one.status, one.since, one.words]),
          ]),
        ]),
    ...(partsTable === undefined ? [] : ["", partsText(partsTable, inColour)]),
    ...tables.flatMap((one) => ["", partsText(one, inColour)]),
    ...(warnings.length === 0 ? [] : ["", "How it is written:"]),
    ...warnings.map((line) => `  ${line}`),
    "",
    "What Mainstay would do now:",
    ...planTexts(plans, inColour).map(indented),
    `  ${configurationWords(managed)}`,
    ...(recent.length === 0
      ? []
      : [
          "",
          table([
            ["EVENT", "COUNT", "LAST SEEN", "MESSAGE"],
            ...recent.map((one) => [one.reason, String(one.count), inSeconds(one.lastSeen), one.message]),
          ]),
        ]),
    ...(help.length === 0 ? [] : ["", "What the reasons mean, and the command that says what to do:"]),
    ...help.map(({ reason, summary, runbook }) => `  ${reason}: ${summary} See: ${runbook}`),
  ].join("\n");
}

function reasonsIn({ waits, refusals }: Plan): readonly string[] {
  return [...waits, ...refusals].map(({ reason }) => reason);
}

function indented(lines: string): string {
  return lines
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}
