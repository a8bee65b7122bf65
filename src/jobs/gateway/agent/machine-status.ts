// What an agent tells of the machine that it runs on: its clock, how many connections it tracks, and settings that Services depend on.

import type { Clock } from "../../../ports/clock.ts";
import type { Sysctls } from "../../../ports/sysctls.ts";
import { connectionCount, connectionLimit, kernelSettings } from "../core/gateways/kernel-settings.ts";
import type { MachineStatus } from "../core/model/agent-answers.ts";

export interface MachineParts {
  readonly clock: Clock;
  readonly sysctls?: Sysctls;
}

export async function machineStatus({ clock, sysctls }: MachineParts): Promise<MachineStatus> {
  const time = new Date(clock.nowMs()).toISOString();
  if (sysctls === undefined) return { time, settings: {} };
  const read = async (name: string) => [name, await sysctls.read(name).catch(() => undefined)] as const;
  const names = [...kernelSettings.map(({ name }) => name), connectionCount, connectionLimit];
  const values = new Map(await Promise.all(names.map(read)));
  const [tracked, limit] = [countIn(values.get(connectionCount)), countIn(values.get(connectionLimit))];
  const settings = kernelSettings.flatMap(({ name }) => {
    const value = values.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    time,
    ...(tracked === undefined ? {} : { connections: { tracked, ...(limit === undefined ? {} : { limit }) } }),
    settings: Object.fromEntries(settings),
  };
}

function countIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
