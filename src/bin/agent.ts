// The agent of a gateway as a process: files, clock, listener, SIGTERM, and the programs that it is given. Wiring only.

import { hostname, release } from "node:os";
import { join } from "node:path";
import { formatProblem } from "../apis/text/problem.ts";
import { MainstayError } from "../core/errors.ts";
import { present } from "../core/present.ts";
import { listenHttp } from "../drivers/http/http-listener.ts";
import { fileJournal } from "../drivers/system/file-journal.ts";
import { hmacTokens } from "../drivers/system/hmac-tokens.ts";
import { jsonLog } from "../drivers/system/json-log.ts";
import { systemClock } from "../drivers/system/system-clock.ts";
import { systemFiles } from "../drivers/system/system-files.ts";
import { systemRandom } from "../drivers/system/system-random.ts";
import { parseToml } from "../drivers/system/toml-text.ts";
import {
  type AgentConfiguration,
  parseAgentConfiguration,
} from "../jobs/gateway/agent/configuration/agent-configuration.ts";
import { readLbaasConfiguration } from "../jobs/gateway/agent/configuration/lbaas-agent-configuration.ts";
import { GatewayAgent } from "../jobs/gateway/agent/gateway-agent.ts";
import { agentService } from "../jobs/gateway/agent/http/agent-service.ts";
import { nftDataplane } from "../jobs/gateway/agent/nft-dataplane.ts";
import type { Conntrack } from "../ports/conntrack.ts";
import type { Keepalived } from "../ports/keepalived.ts";
import type { Log } from "../ports/log.ts";
import type { Nft } from "../ports/nft.ts";
import type { Sysctls } from "../ports/sysctls.ts";
import { cannotListen } from "../server/cannot-listen.ts";

/** What carries packets on this machine. */
export interface GatewayPrograms {
  readonly nft: Nft;
  readonly keepalived: Keepalived;
  readonly conntrack: Conntrack;
  readonly sysctls: Sysctls;
  /** keepalived's track file, which `keepalived.setReady` writes. */
  readonly readyFile: string;
  /** Rejects when one of them is not there: a gateway without it carries nothing, which is better said at the start. */
  installed(): Promise<void>;
  /** Looks after none of them any more; they go on. */
  release(): void;
}

export interface LoadedAgentConfiguration {
  readonly configuration: AgentConfiguration;
  /** The key of tokens. */
  readonly key?: Uint8Array;
  readonly notes: readonly string[];
}

/** A file whose name ends in `.toml` is one of ch-k8s-lbaas. */
export async function loadAgentConfiguration(path: string): Promise<LoadedAgentConfiguration> {
  const text = await systemFiles.readText(path);
  if (path.endsWith(".toml")) {
    const toml = parseToml(text, path);
    if (!toml.ok) throw unusable(toml.problems.map(formatProblem));
    const read = readLbaasConfiguration(toml.value, hostname().toLowerCase(), path);
    if (!read.ok) throw unusable(read.problems);
    return { configuration: read.configuration, key: Buffer.from(read.secret, "base64"), notes: read.notes };
  }
  const checked = parseAgentConfiguration(text, path);
  if (!checked.ok) throw unusable(checked.problems);
  const { secretFile } = checked.configuration.access;
  const secret = secretFile === undefined ? undefined : await systemFiles.readText(secretFile);
  const key = secret === undefined ? undefined : Buffer.from(secret.trim(), "base64");
  if (key !== undefined && key.length < 12) throw unusable([`${secretFile}: holds fewer than 12 bytes in base64`]);
  return { configuration: checked.configuration, ...present({ key }), notes: [] };
}

export interface RunningAgent {
  readonly port: number;
  stop(): Promise<void>;
}

export async function startAgent(
  { configuration, key, notes }: LoadedAgentConfiguration,
  programsFor: (configuration: AgentConfiguration, log: Log) => GatewayPrograms,
  version: string,
): Promise<RunningAgent> {
  const { name, folder, listen, access, v1, maxDocumentBytes, logLevel } = configuration;
  const log = jsonLog({ level: logLevel });
  for (const note of notes) log.warn("a setting has no effect", { note });
  const programs = programsFor(configuration, log);
  await programs.installed();
  const shared = { clock: systemClock, random: systemRandom, log, dataplane: nftDataplane };
  const agent = new GatewayAgent({
    ...shared,
    nft: programs.nft,
    keepalived: programs.keepalived,
    conntrack: programs.conntrack,
    sysctls: programs.sysctls,
    local: localGateway(configuration),
    settings: {
      readyFile: programs.readyFile,
      compat: { password: v1.password, ...present({ priority: v1.priority }) },
    },
    journal: fileJournal(join(folder, "journal")),
    lbaas: v1,
    versions: { agent: version, kernel: release() },
  });
  const service = agentService({
    ...shared,
    agent,
    gateway: name,
    tokens: hmacTokens,
    access: { ...present({ key }), certificateNames: access.certificateNames },
    v1: { ...(v1.enabled ? present({ key }) : {}), expiry: v1.expiry, maxBytes: maxDocumentBytes },
    maxBytes: maxDocumentBytes,
  });
  await agent.start();
  const listener = await listenHttp({ ...listen, service, ...(await tlsOf(listen)) }).catch(async (error: unknown) => {
    await agent.stop();
    programs.release();
    throw cannotListen("listen", listen, error);
  });
  log.info("agent started", { version, gateway: name, port: listener.port });
  return {
    port: listener.port,
    async stop() {
      await listener.close();
      await agent.stop();
      programs.release();
      log.info("agent stopped");
    },
  };
}

/** Until SIGTERM or SIGINT. Rules and keepalived go on: another agent takes them over. */
export async function runAgent(...start: Parameters<typeof startAgent>): Promise<void> {
  const asked = new Promise<void>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve());
  });
  const agent = await startAgent(...start);
  await asked;
  await agent.stop();
}

function localGateway(configuration: AgentConfiguration) {
  const { name, externalInterface, internalInterface, ownAddresses, connectionMark, acceptIn } = configuration;
  return { name, externalInterface, internalInterface, ownAddresses, connectionMark, ...present({ acceptIn }) };
}

async function tlsOf({ certificateFile, keyFile, clientAuthorityFile }: AgentConfiguration["listen"]) {
  if (certificateFile === undefined || keyFile === undefined) return {};
  const [cert, key] = await Promise.all([systemFiles.readText(certificateFile), systemFiles.readText(keyFile)]);
  const clients =
    clientAuthorityFile === undefined ? {} : { clientAuthorities: await systemFiles.readText(clientAuthorityFile) };
  return { tls: { cert, key, ...clients } };
}

function unusable(problems: readonly string[]): MainstayError {
  const message = ["the agent's configuration cannot be used", ...problems.map((problem) => `  - ${problem}`)].join(
    "\n",
  );
  return new MainstayError({ reason: "ConfigurationInvalid", message });
}
