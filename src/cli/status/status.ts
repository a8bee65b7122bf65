// mainstay status: every object Mainstay looks after, or those asked for. With --watch it is printed again whenever something has
// changed; with --wait once, when all are healthy or the time is over.

import { namespaces } from "../../apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { MainstayError } from "../../core/errors.ts";
import { isKubeError } from "../../core/kube-error.ts";
import type { KubeReader } from "../../ports/kube.ts";
import type { CliPorts } from "../cli-ports.ts";
import { withConnection } from "../connection-options.ts";
import { parseDurationMs } from "../duration.ts";
import { exitCodes } from "../exit-codes.ts";
import { invalid } from "../invalid-input.ts";
import { toYaml } from "../print.ts";
import { withProgress } from "../progress.ts";
import { within } from "../within.ts";
import { followStatus } from "./follow-status.ts";
import { managedBy } from "./managed-kinds.ts";
import { readStatus, type Status } from "./read-status.ts";
import { defaultTimeout, type StatusFlags } from "./status-flags.ts";
import { nameOf, statusText } from "./status-text.ts";
import { isMissing, isOver, namesOf, waitUntilHealthy } from "./wait-until-healthy.ts";
import { noSuchObject, only, unhealthy, type WantedObjects, wantedObjects } from "./wanted-objects.ts";

interface Look {
  readonly kube: KubeReader;
  readonly wanted: WantedObjects;
  readonly ports: CliPorts;
  readonly show: (found: Status) => void;
}

export async function status(object: string | undefined, flags: StatusFlags, ports: CliPorts): Promise<number> {
  const timeoutMs = checkFlags(flags);
  const { shown } = await managedBy(flags.config, ports);
  const wanted = wantedObjects(object, flags.namespace, shown);
  return await withConnection(ports, flags, async ({ kube }) => {
    const look: Look = { kube, wanted, ports, show: printer(flags.output, ports) };
    if (flags.wait === true) return await wait(look, timeoutMs, flags.timeout ?? defaultTimeout);
    const all = await readOnce(look, flags.watch === true);
    const first = all && only(all, wanted);
    if (first !== undefined && isMissing(first, wanted) && !first.hidden) throw await missing(look, all ?? first);
    if (first?.objects.length === 0) await refuseUnknownNamespace(look);
    if (first !== undefined) look.show(first);
    if (flags.watch === true) await follow(look, look.show, ports.interrupted, first !== undefined);
    return first === undefined ? exitCodes.ok : exitCodeOf(first, wanted, flags.check === true);
  });
}

/** Answers with the time to wait. */
function checkFlags({ namespace, allNamespaces, watch, wait: waits, check, timeout }: StatusFlags): number {
  const both = (one: string, other: string) => invalid(`${one}, ${other}`, "both are set", "Keep one of them.");
  if (namespace !== undefined && allNamespaces === true) throw both("--namespace", "--all-namespaces");
  if (watch === true && waits === true) throw both("--watch", "--wait");
  if (watch === true && check === true) throw both("--watch", "--check");
  if (timeout !== undefined && waits !== true)
    throw invalid("--timeout", `"${timeout}" means nothing without --wait`, "Add --wait.");
  const timeoutMs = parseDurationMs(timeout ?? defaultTimeout);
  if (timeoutMs === undefined)
    throw invalid("--timeout", `"${timeout}" is not a duration`, "Write a number and h, m or s, such as 90s or 5m.");
  if (timeoutMs === 0) throw invalid("--timeout", `"${timeout}" leaves no time to wait`, "Use --check to look once.");
  return timeoutMs;
}

/** Undefined while the server is away, for whoever goes on until it is back. Other trouble does not pass by itself. */
async function readOnce({ kube, wanted, ports }: Look, goesOn: boolean): Promise<Status | undefined> {
  const { kinds, namespace } = wanted;
  const reading = readStatus(kube, kinds, namespace === undefined ? {} : { namespace });
  try {
    return await withProgress("reading the cluster", ports, reading);
  } catch (error) {
    if (goesOn && isKubeError(error, "Unreachable", "Timeout", "ServerError", "TooManyRequests")) return undefined;
    throw error;
  }
}

/** `all` is what was read. For the hint other namespaces are read too, as far as one may. */
async function missing({ kube, wanted }: Look, all: Status): Promise<MainstayError> {
  const everywhere = wanted.namespace === undefined ? all : await readStatus(kube, wanted.kinds).catch(() => all);
  return noSuchObject(wanted, everywhere);
}

/** "Nothing is managed here" would hide a mistyped namespace. Whoever may not read namespaces gets that answer. */
async function refuseUnknownNamespace({ kube, wanted: { namespace } }: Look): Promise<void> {
  if (namespace === undefined) return;
  const isMissing = await kube.get<KubeObject>(namespaces, { name: namespace }).then(
    () => false,
    (error: unknown) => isKubeError(error, "NotFound"),
  );
  if (!isMissing) return;
  const message = `there is no namespace ${namespace}`;
  throw new MainstayError({ reason: "ObjectNotFound", message, hint: "kubectl get namespaces lists them." });
}

async function follow(
  { kube, wanted, ports }: Look,
  show: (found: Status) => void,
  end: AbortSignal | undefined,
  hasShown: boolean,
): Promise<void> {
  const { kinds, namespace } = wanted;
  const selection = namespace === undefined ? {} : { namespace };
  await followStatus({ kube, kinds, selection, hasShown }, { ...ports, end }, (found) => show(only(found, wanted)));
}

async function wait(look: Look, timeoutMs: number, timeout: string): Promise<number> {
  const { wanted, ports, show } = look;
  const startedMs = ports.clock.monotonicMs();
  const all = await within(ports.clock, timeoutMs, readOnce(look, true));
  const leftMs = Math.max(0, timeoutMs - (ports.clock.monotonicMs() - startedMs));
  const first = all && only(all, wanted);
  const found =
    first !== undefined && isOver(first, wanted)
      ? first
      : await waitUntilHealthy((seen, end) => follow(look, seen, end, false), wanted, leftMs, ports);
  if (found === undefined) throw neverAnswered(timeout);
  if (isMissing(found, wanted) && !found.hidden) throw await missing(look, all ?? found);
  show(found);
  if (!isOver(found, wanted)) tellUnhealthy(unhealthy(found, wanted), timeout, ports);
  return exitCodeOf(found, wanted, true);
}

function neverAnswered(timeout: string): MainstayError {
  return new MainstayError({
    reason: "ApiUnreachable",
    message: `the API server did not answer within ${timeout}`,
    hint: "mainstay doctor says what is wrong with the connection.",
  });
}

function tellUnhealthy(rows: Status["objects"], timeout: string, { terminal }: CliPorts): void {
  terminal.err(`error: not healthy after ${timeout}: ${namesOf(rows)}`);
  for (const { id } of rows.slice(0, 1)) terminal.err(`hint: mainstay explain ${nameOf(id)} says why.`);
}

/** What may not be listed may be ill: nobody can say that all is well. */
function exitCodeOf(found: Status, wanted: WantedObjects, check: boolean): number {
  if (check && unhealthy(found, wanted).length > 0) return exitCodes.refused;
  return found.hidden && (check || found.objects.length === 0) ? exitCodes.cluster : exitCodes.ok;
}

/** Prints what has changed since it last printed. */
function printer(format: StatusFlags["output"], { terminal }: CliPorts): (found: Status) => void {
  let before: string | undefined;
  let notes: readonly string[] = [];
  return (found) => {
    for (const line of found.unread.filter((one) => !notes.includes(one))) terminal.err(`note: ${line}`);
    notes = found.unread;
    const text = statusAs(format, found, terminal.colours);
    if (text !== before) terminal.out(before === undefined ? text : `\n${text}`);
    before = text;
  };
}

function statusAs(format: StatusFlags["output"], found: Status, inColour: boolean): string {
  const { objects, unread } = found;
  if (format === "json") return JSON.stringify({ objects, unread }, undefined, 2);
  if (format === "yaml") return toYaml({ objects, unread }).trimEnd();
  return statusText(found, format === "wide", inColour);
}
