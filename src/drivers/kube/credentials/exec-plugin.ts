// Credentials that a command prints, as defined by client.authentication.k8s.io v1 and v1beta1. Kept until they expire, and requested
// again once after a 401. What the command prints never reaches a message.

import { MainstayError } from "../../../core/errors.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Credential, Credentials } from "../kubeconfig/connection.ts";
import type { Cluster, ExecPlugin } from "../kubeconfig/kubeconfig-file.ts";
import { decodeExecCredential, execInfo } from "./exec-credential.ts";
import { runCommand } from "./run-command.ts";

export type ExecSource = Credentials;

export interface ExecPluginOptions {
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The kubeconfig's user, for messages. */
  readonly user: string;
  readonly plugin: ExecPlugin;
  readonly cluster: Cluster;
  readonly interactive: boolean;
  /** Without a terminal. */
  readonly commandLimitMs?: number;
}

interface Held {
  readonly credential: Credential;
  readonly expiresAtMs: number;
}

/** A credential this close to its end may have expired when it arrives. */
const leewayMs = 5_000;

/** A hung command would hold up every later call. A person at a prompt is given time to type. */
const commandLimitMs = 60_000;
const promptLimitMs = 600_000;

export function execPlugin(options: ExecPluginOptions): ExecSource {
  const { clock, plugin } = options;
  let held: Held | undefined;
  let running: Promise<Held> | undefined;

  /** One run at a time, however many requests wait for it. */
  function ask(): Promise<Held> {
    running ??= runPlugin(options).finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    async current() {
      if (held === undefined || clock.nowMs() >= held.expiresAtMs - leewayMs) held = await ask();
      return held.credential;
    },
    async refresh() {
      const before = held;
      const fresh = await ask();
      held = fresh;
      return before === undefined || JSON.stringify(before.credential) !== JSON.stringify(fresh.credential);
    },
  };

  async function runPlugin({ user, cluster, interactive, environment }: ExecPluginOptions): Promise<Held> {
    const mode = plugin.interactiveMode ?? "IfAvailable";
    const what = `exec plugin "${plugin.command}" of user "${user}"`;
    if (mode === "Always" && !interactive) throw failed(what, "needs a terminal, and there is none", plugin);
    const terminal = interactive && mode !== "Never";
    const own = Object.fromEntries((plugin.env ?? []).map(({ name, value }) => [name, value]));
    const env = { ...environment, ...own, KUBERNETES_EXEC_INFO: await execInfo(plugin, cluster, terminal) };
    const limitMs = terminal ? promptLimitMs : (options.commandLimitMs ?? commandLimitMs);
    const result = await runCommand(plugin.command, plugin.args ?? [], env, terminal, limitMs);
    if (result.failure !== undefined) throw failed(what, result.failure, plugin);
    const decoded = decodeExecCredential(plugin, result.output);
    if ("problem" in decoded) throw failed(what, decoded.problem, plugin);
    return decoded;
  }
}

function failed(what: string, problem: string, plugin: ExecPlugin): MainstayError {
  return new MainstayError({
    reason: "NotAuthenticated",
    message: `${what}: ${problem}`,
    hint: plugin.installHint?.trim() || "Run the command by hand and read its output.",
  });
}
