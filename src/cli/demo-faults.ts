// mainstay demo fault: talks to the server of a demonstration that runs in another terminal.

import { isRecord } from "../apis/problem.ts";
import { MainstayError } from "../core/errors.ts";
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
  const parameters = Object.fromEntries(settings.map(parseSetting));
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
  const fault = (await ask(flags, ports, "DELETE", routes.fault(id))) as Fault;
  printAs(flags.output, fault, () => `${fault.title} is over.`, ports.terminal);
  return exitCodes.ok;
}

function faultTable(faults: readonly Fault[]): string {
  const rows = faults.map(({ id, title, active, parameters }) => [
    id,
    active === undefined ? "-" : `active until ${active.endsAt}: ${active.says}`,
    parameters.map((one) => `${one.name}=${one.default}`).join(" "),
    title,
  ]);
  return table([["FAULT", "STATE", "PARAMETERS", "WHAT IT IS"], ...rows]);
}

function parseSetting(text: string): readonly [string, number] {
  const [, name, value] = /^([a-z]+)=(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw invalid("<setting>", `"${text}" is no setting`, "Write name=number, such as seconds=30.");
  return [name, Number(value)];
}

async function ask({ server }: FaultFlags, { http }: FaultPorts, method: string, path: string, body?: unknown) {
  if (!/^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?\/?$/.test(server))
    throw invalid("--server", `"${server}" is not the address of a demonstration`, "Copy what mainstay demo printed.");
  const answer = await http({
    method,
    url: `${server.replace(/\/$/, "")}${path}`,
    ...(body === undefined ? {} : { body }),
  });
  if (answer.status < 400) return answer.body;
  const error = isRecord(answer.body) && isRecord(answer.body["error"]) ? answer.body["error"] : {};
  throw new MainstayError({
    reason: "InputInvalid",
    message: typeof error["message"] === "string" ? error["message"] : `the demonstration answered ${answer.status}`,
    hint: "mainstay demo fault list shows what there is.",
  });
}
