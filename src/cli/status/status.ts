// mainstay status: every object Mainstay looks after. With --watch it is printed again whenever something has changed.

import type { CliPorts, ConnectOptions } from "../cli-ports.ts";
import { withConnection } from "../connection-options.ts";
import { exitCodes } from "../exit-codes.ts";
import { toYaml } from "../print.ts";
import { withProgress } from "../progress.ts";
import { followStatus } from "./follow-status.ts";
import { managedBy } from "./managed-kinds.ts";
import { readStatus, type Status } from "./read-status.ts";
import { statusText } from "./status-text.ts";

export const statusFormats = ["text", "wide", "yaml", "json"] as const;

export interface StatusFlags extends ConnectOptions {
  readonly output: (typeof statusFormats)[number];
  readonly config?: string;
  readonly watch?: boolean;
}

export async function status(flags: StatusFlags, ports: CliPorts): Promise<number> {
  const { shown } = await managedBy(flags.config, ports);
  const show = printer(flags.output, ports);
  return await withConnection(ports, flags, async ({ kube }) => {
    const first = await withProgress("reading the cluster", ports, readStatus(kube, shown));
    show(first);
    if (flags.watch === true) await followStatus(kube, shown, ports, show);
    return first.hidden && first.objects.length === 0 ? exitCodes.cluster : exitCodes.ok;
  });
}

/** Prints what has changed since it last printed. */
function printer(format: StatusFlags["output"], { terminal }: CliPorts): (found: Status) => void {
  let before: string | undefined;
  let notes: readonly string[] = [];
  return (found) => {
    for (const line of found.unread.filter((one) => !notes.includes(one))) terminal.err(`note: ${line}`);
    notes = found.unread;
    const text = statusAs(format, found);
    if (text !== before) terminal.out(before === undefined ? text : `\n${text}`);
    before = text;
  };
}

export function statusAs(format: StatusFlags["output"], found: Status): string {
  const { objects, unread } = found;
  if (format === "json") return JSON.stringify({ objects, unread }, undefined, 2);
  if (format === "yaml") return toYaml({ objects, unread }).trimEnd();
  return statusText(found, format === "wide");
}
