// mainstay status: every object Mainstay looks after. With --watch it is printed again whenever something has changed.

import type { KubeReader } from "../../ports/kube.ts";
import type { CliPorts, ConnectOptions } from "../cli-ports.ts";
import { withConnection } from "../connection-options.ts";
import { exitCodes } from "../exit-codes.ts";
import { toYaml } from "../print.ts";
import { withProgress } from "../progress.ts";
import { type Managed, managedBy } from "./managed-kinds.ts";
import { readStatus, type Status } from "./read-status.ts";
import { statusText } from "./status-text.ts";

export const statusFormats = ["text", "wide", "yaml", "json"] as const;

export interface StatusFlags extends ConnectOptions {
  readonly output: (typeof statusFormats)[number];
  readonly config?: string;
  readonly watch?: boolean;
}

const watchEveryMs = 2_000;

export async function status(flags: StatusFlags, ports: CliPorts): Promise<number> {
  const managed = await managedBy(flags.config, ports);
  return await withConnection(ports, flags, async ({ kube }) => {
    const first = await withProgress("reading the cluster", ports, readStatus(kube, managed.shown));
    for (const line of first.unread) ports.terminal.err(`note: ${line}`);
    ports.terminal.out(statusAs(flags.output, first));
    if (flags.watch === true) await follow(kube, managed, flags, ports, statusAs(flags.output, first));
    return exitCodes.ok;
  });
}

export function statusAs(format: StatusFlags["output"], found: Status): string {
  if (format === "json") return JSON.stringify(found, undefined, 2);
  if (format === "yaml") return toYaml(found).trimEnd();
  return statusText(found, format === "wide");
}

/** Until it is interrupted. A cluster that does not answer for a while is waited for. */
async function follow(
  kube: KubeReader,
  { shown }: Managed,
  { output }: StatusFlags,
  { clock, terminal, interrupted }: CliPorts,
  shownBefore: string,
): Promise<void> {
  let before = shownBefore;
  let trouble = "";
  const isOver = (): boolean => interrupted?.aborted === true;
  while (!isOver()) {
    await new Promise<void>((resolve) => void clock.after(watchEveryMs, resolve));
    try {
      const text = statusAs(output, await readStatus(kube, shown));
      if (text !== before) terminal.out(`\n${text}`);
      before = text;
      trouble = "";
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      if (said !== trouble) terminal.err(`note: ${said}`);
      trouble = said;
    }
  }
}
