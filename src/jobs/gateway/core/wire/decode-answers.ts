// What an agent answered, decoded once: everything behind this line is typed. An answer that is none counts as no answer.

import { z } from "zod";
import { present } from "../../../../core/present.ts";
import type {
  AgentCapabilities,
  AgentStatus,
  ApplyAnswer,
  CarryProblem,
  MachineStatus,
} from "../model/agent-answers.ts";
import type { DocumentVersion } from "../model/document.ts";

const version = z.object({ epoch: z.int().min(0), generation: z.int().min(0) });
const text = z.string().max(4_000);

const problem: z.ZodType<CarryProblem> = z
  .object({ subject: text, service: text.optional(), message: text })
  .transform(({ service, ...rest }) => (service === undefined ? rest : { ...rest, service }));

const group = z
  .object({
    name: text,
    role: z.enum(["master", "backup", "fault", "unknown"]).catch("unknown"),
    since: text.optional(),
  })
  .transform(({ since, ...rest }) => (since === undefined ? rest : { ...rest, since }));

const count = z.int().min(0);
const machine = z
  .object({
    time: text,
    connections: z.object({ tracked: count, limit: count.optional() }).optional(),
    settings: z.record(text, text),
  })
  .transform(({ time, connections, settings }): MachineStatus => {
    const { tracked, limit } = connections ?? {};
    return { time, settings, ...(tracked === undefined ? {} : { connections: { tracked, ...present({ limit }) } }) };
  });

const status: z.ZodType<AgentStatus> = z
  .object({
    name: text,
    carries: version.optional(),
    problems: z.array(problem),
    ready: z.boolean(),
    unready: text.optional(),
    keepalived: z.enum(["running", "stopped", "unknown"]).catch("unknown"),
    groups: z.array(group),
    machine: machine.optional().catch(undefined),
  })
  .transform(({ carries, unready, machine: told, ...rest }) => ({
    ...rest,
    ...(told === undefined ? {} : { machine: told }),
    ...(carries === undefined ? {} : { carries }),
    ...(unready === undefined ? {} : { unready }),
  }));

const capabilities: z.ZodType<AgentCapabilities> = z.object({
  agent: text,
  nft: text,
  keepalived: text,
  kernel: text,
  features: z.array(text),
});

const applied: z.ZodType<ApplyAnswer> = z.object({ carries: version, problems: z.array(problem) });

const refused = z.object({ error: text.optional(), why: text.optional(), carries: version.optional() });

export interface RefusedAnswer {
  readonly message: string;
  /** As the agent words it, such as `wrong-base`. */
  readonly why?: string;
  readonly carries?: DocumentVersion;
}

export function decodeStatus(body: string): AgentStatus | undefined {
  return decoded(body, status);
}

export function decodeCapabilities(body: string): AgentCapabilities | undefined {
  return decoded(body, capabilities);
}

export function decodeApplied(body: string): ApplyAnswer | undefined {
  return decoded(body, applied);
}

/** Of any reply that is no success. */
export function decodeRefusal(body: string): RefusedAnswer {
  const { error, why, carries } = decoded(body, refused) ?? {};
  return {
    message: error ?? body.trim().slice(0, 300),
    ...(why === undefined ? {} : { why }),
    ...(carries === undefined ? {} : { carries }),
  };
}

function decoded<T>(body: string, shape: z.ZodType<T>): T | undefined {
  try {
    const parsed = shape.safeParse(JSON.parse(body));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
