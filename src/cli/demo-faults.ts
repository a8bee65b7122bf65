// mainstay demo fault: sends requests to a demonstration that runs in another terminal.

import { nearest } from "../apis/text/nearest.ts";
import { isRecord } from "../apis/text/problem.ts";
import { MainstayError } from "../core/errors.ts";
import { present } from "../core/present.ts";
import { type Fault, type FaultsAnswer, routes } from "../server/contract.ts";
import type { CliPorts } from "./cli-ports.ts";
import { usualServer } from "./demo-server.ts";
import { exitCodes } from "./exit-codes.ts";
import { invalid } from "./invalid-input.ts";
import type { OutputFormat } from "./output-option.ts";
import { printAs, table } from "./print.ts";

/** In the folder of a demonstration: the address of its dashboard, which is also that of its faults. */
export const dashboardFile = "dashboard-url";

export interface FaultFlags {
  /** Absent: of the demonstration that KUBECONFIG names, else where one usually is. */
  readonly server?: string;
  readonly output: OutputFormat;
}

type FaultPorts = Pick<CliPorts, "http" | "terminal" | "files" | "demoFolder">;

export async function listFaults(flags: FaultFlags, ports: FaultPorts): Promise<number> {
  const { faults } = (await ask(flags, ports, "GET", routes.faults)) as FaultsAnswer;
  printAs(flags.output, faults, () => faultTable(faults), ports.terminal);
  return exitCodes.ok;
}

export async function startFault(
  id: string,
  settings: readonly string[],
  flags: FaultFlags,
  ports: FaultPorts,
): Promise<number> {
  const parameters = parseSettings(settings);
  const { active: before } = await findFault(id, flags, ports);
  const fault = (await ask(flags, ports, "POST", routes.fault(id), { parameters })) as Fault;
  printAs(
    flags.output,
    fault,
    () =>
      [
        `${fault.title} has begun and heals at ${fault.active?.endsAt ?? "once"}.`,
        ...(before === undefined
          ? []
          : [`The one that was active (${settingsText(before.parameters)}) has ended for it.`]),
        fault.watch,
      ].join("\n"),
    ports.terminal,
  );
  return exitCodes.ok;
}

export async function stopFault(id: string, flags: FaultFlags, ports: FaultPorts): Promise<number> {
  const wasOn = (await findFault(id, flags, ports)).active !== undefined;
  const fault = (await ask(flags, ports, "DELETE", routes.fault(id))) as Fault;
  const words = wasOn ? "is over" : "was not on; there is nothing to stop";
  printAs(flags.output, fault, () => `${fault.title} ${words}.`, ports.terminal);
  return exitCodes.ok;
}

async function findFault(id: string, flags: FaultFlags, ports: FaultPorts): Promise<Fault> {
  const { faults } = (await ask(flags, ports, "GET", routes.faults)) as FaultsAnswer;
  const found = faults.find((one) => one.id === id);
  if (found !== undefined) return found;
  const known = faults.map((one) => one.id);
  const meant = nearest(id, known);
  const hint = meant === undefined ? `Known are ${known.join(", ")}.` : `Did you mean ${meant}?`;
  throw invalid("<fault>", `there is no fault ${id}`, hint);
}

function settingsText(parameters: Readonly<Record<string, number>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
}

function faultTable(faults: readonly Fault[]): string {
  const rows = faults.map(({ id, description, active, parameters }) => [
    id,
    active === undefined ? "off" : `active until ${active.endsAt}: ${active.says}`,
    active === undefined
      ? parameters.map((one) => `${one.name}=${one.default}`).join(" ")
      : settingsText(active.parameters),
    description,
  ]);
  return table([["FAULT", "STATE", "SETTINGS", "WHAT IT DOES"], ...rows]);
}

function parseSettings(texts: readonly string[]): Readonly<Record<string, number>> {
  const parsed = texts.map(parseSetting);
  const twice = parsed.find(([name], index) => parsed.findIndex(([other]) => other === name) !== index);
  if (twice !== undefined) throw invalid("<setting>", `"${twice[0]}" is given more than once`, "Give it once.");
  return Object.fromEntries(parsed);
}

function parseSetting(text: string): readonly [string, number] {
  const [, name, value] = /^([a-z]+)=(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    const [, word, number] = /^([a-z]+)=[a-z-]+(\d+)$/i.exec(text) ?? [];
    const example = word === undefined ? "Write name=number, such as seconds=30." : `Write ${word}=${number}.`;
    throw invalid("<setting>", `"${text}" is not a setting`, example);
  }
  return [name, Number(value)];
}

function isOnLoopback(server: string): boolean {
  return /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?\/?$/.test(server) && URL.canParse(server);
}

async function serverOf({ server }: FaultFlags, { files, demoFolder }: FaultPorts): Promise<string> {
  if (server !== undefined) return server;
  if (demoFolder === undefined) return usualServer;
  return await files.readText(`${demoFolder}/${dashboardFile}`).catch(() => {
    throw new MainstayError({
      reason: "ApiUnreachable",
      message: `KUBECONFIG names the demonstration in ${demoFolder}, and this demonstration is not running`,
      hint: "Start it with mainstay demo, or unset KUBECONFIG.",
    });
  });
}

async function ask(flags: FaultFlags, ports: FaultPorts, method: string, path: string, body?: unknown) {
  const { http } = ports;
  const server = await serverOf(flags, ports);
  if (!isOnLoopback(server))
    throw invalid("--server", `"${server}" is not the address of a demonstration`, "Copy what mainstay demo printed.");
  const answer = await http({
    method,
    url: `${server.replace(/\/$/, "")}${path}`,
    ...present({ body }),
  });
  if (answer.status < 400) return answer.body;
  const error = isRecord(answer.body) && isRecord(answer.body["error"]) ? answer.body["error"] : {};
  if (typeof error["message"] !== "string")
    throw invalid(
      "--server",
      `${server} answers ${answer.status}, as the dashboard of a demonstration does not`,
      "Copy the dashboard's address that mainstay demo printed.",
    );
  throw new MainstayError({
    reason: "InputInvalid",
    message: error["message"],
    hint: "mainstay demo fault list shows what there is.",
  });
}
