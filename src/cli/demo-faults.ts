// mainstay demo fault: sends requests to a demonstration that runs in another terminal.

import { isRecord } from "../apis/text/problem.ts";
import { MainstayError } from "../core/errors.ts";
import { present } from "../core/present.ts";
import { type Fault, type FaultsAnswer, routes } from "../server/contract.ts";
import type { CliPorts } from "./cli-ports.ts";
import { exitCodes } from "./exit-codes.ts";
import { invalid } from "./invalid-input.ts";
import { type OutputFormat, printAs, table } from "./print.ts";

export interface FaultFlags {
  readonly server: string;
  readonly output: OutputFormat;
}

type FaultPorts = Pick<CliPorts, "http" | "terminal">;

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
  const fault = (await ask(flags, ports, "POST", routes.fault(id), { parameters })) as Fault;
  printAs(
    flags.output,
    fault,
    () => `${fault.title} has begun and heals at ${fault.active?.endsAt ?? "once"}.\n${fault.watch}`,
    ports.terminal,
  );
  return exitCodes.ok;
}

export async function stopFault(id: string, flags: FaultFlags, ports: FaultPorts): Promise<number> {
  const { faults } = (await ask(flags, ports, "GET", routes.faults)) as FaultsAnswer;
  const wasOn = faults.some((one) => one.id === id && one.active !== undefined);
  const fault = (await ask(flags, ports, "DELETE", routes.fault(id))) as Fault;
  const words = wasOn ? "is over" : "was not on; there is nothing to stop";
  printAs(flags.output, fault, () => `${fault.title} ${words}.`, ports.terminal);
  return exitCodes.ok;
}

function faultTable(faults: readonly Fault[]): string {
  const rows = faults.map(({ id, description, active, parameters }) => [
    id,
    active === undefined ? "off" : `active until ${active.endsAt}: ${active.says}`,
    parameters.map((one) => `${one.name}=${one.default}`).join(" "),
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

async function ask({ server }: FaultFlags, { http }: FaultPorts, method: string, path: string, body?: unknown) {
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
