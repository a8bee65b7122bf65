// One gateway in its namespace, with the real agent, nft and keepalived in it.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { hmacTokens } from "../../src/drivers/system/hmac-tokens.ts";
import type { GatewayDocument } from "../../src/jobs/gateway/core/model/document.ts";
import { agentTokenAlgorithm } from "../../src/jobs/gateway/core/wire/agent-token.ts";
import { until } from "../lab/until.ts";
import type { Namespace } from "./namespace.ts";

export interface GatewayNode {
  readonly name: string;
  readonly space: Namespace;
  /** Where the agent keeps its state. */
  readonly folder: string;
  start(): Promise<void>;
  /** The agent's process, at once. */
  killAgent(): Promise<void>;
  /** It answers nobody and does nothing, or goes on. */
  freezeAgent(isFrozen: boolean): void;
  /** keepalived's processes, at once. */
  killKeepalived(): Promise<void>;
  keepalivedPid(): Promise<number>;
  /** What a machine that takes its place knows: nothing, in files and in the kernel. */
  forgetAll(): Promise<void>;
  /** Its links lose their carrier, or get it back. */
  cut(isCut: boolean): Promise<void>;
  put(document: GatewayDocument): Promise<{ readonly status: number; readonly body: string }>;
  status(): Promise<AgentStatusSeen>;
  /** Adverts that keepalived did not take because they list other addresses than its own configuration. */
  foreignAdverts(): Promise<number>;
  /** Addresses on its external interface. */
  addresses(): Promise<readonly string[]>;
  remove(): Promise<void>;
}

const statusShape = z.object({
  ready: z.boolean(),
  problems: z.array(z.object({ subject: z.string(), message: z.string() })),
  unready: z.string().optional(),
  keepalived: z.string(),
  carries: z.object({ epoch: z.number(), generation: z.number() }).optional(),
  groups: z.array(z.object({ name: z.string(), role: z.string() })),
});
export type AgentStatusSeen = z.infer<typeof statusShape>;

const port = 15_203;
const program = join(import.meta.dirname, "..", "..", "src", "bin", "mainstay.ts");
const addressShape = z.array(
  z.object({ addr_info: z.array(z.object({ local: z.string() }).partial()).default([]) }).partial(),
);
/** What runs a program with the rights that the unit of systemd leaves to the agent and all that it starts, and no others. */
async function asTheUnit(): Promise<readonly string[]> {
  const unit = await readFile(
    join(import.meta.dirname, "..", "..", "deploy", "agent", "mainstay-agent.service"),
    "utf8",
  );
  const names = /^CapabilityBoundingSet=(.+)$/m.exec(unit)?.[1]?.toLowerCase().split(" ") ?? [];
  const kept = names.map((name) => `+${name.replace("cap_", "")}`);
  return ["setpriv", "--no-new-privs", "--bounding-set", ["-all", ...kept].join(",")];
}

const answerShape = z.object({ status: z.number(), body: z.string() });

export async function gatewayNode(
  name: string,
  space: Namespace,
  ownAddresses: readonly string[],
  cut: (isCut: boolean) => Promise<void>,
): Promise<GatewayNode> {
  const folder = await mkdtemp(join(tmpdir(), "mainstay-netns-"));
  const state = join(folder, "state");
  const key = Buffer.from(`the key of ${name} in this test`);
  const [config, secretFile, log] = ["agent.yaml", "key", "agent.log"].map((file) => join(folder, file));
  await writeFile(secretFile ?? "", key.toString("base64"));
  await writeFile(
    config ?? "",
    JSON.stringify({
      name,
      externalInterface: "ext0",
      internalInterface: "int0",
      ownAddresses,
      folder: state,
      listen: { port },
      access: { secretFile },
    }),
  );
  let agent: ChildProcess | undefined;
  let requests = 0;

  const call = async (method: string, path: string, body = "") => {
    requests += 1;
    const seconds = Math.floor(Date.now() / 1_000);
    const sha256 = hmacTokens.digest(Buffer.from(body));
    const claims = { aud: name, iat: seconds, exp: seconds + 60, jti: `${process.pid}-${requests}`, sha256 };
    const token = hmacTokens.sign(claims, key, agentTokenAlgorithm);
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    return answerShape.parse(await space.ask({ do: "http", method, port, path, headers, body }));
  };
  const pidIn = async (file: string) => Number(await readFile(join(state, "keepalived", file), "utf8"));

  return {
    name,
    space,
    folder: state,
    async start() {
      const [command = "", ...leading] = space.prefix;
      const args = [...leading, ...(await asTheUnit()), process.execPath, program, "agent", "--config", config ?? ""];
      agent = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
      let said = "";
      for (const stream of [agent.stdout, agent.stderr])
        stream?.on("data", (bytes: Buffer) => void (said += bytes.toString()));
      agent.on("exit", () => void writeFile(log ?? "", said).catch(() => {}));
      await until(`the agent of ${name}`, async () => {
        if (agent?.exitCode !== null || agent.signalCode !== null)
          throw new Error(`the agent of ${name} has ended: ${said}`);
        return (await call("GET", "/v2/status").catch(() => undefined))?.status === 200;
      });
    },
    async killAgent() {
      if (agent === undefined || agent.exitCode !== null || agent.signalCode !== null) return;
      const ended = new Promise((resolve) => agent?.once("exit", resolve));
      agent.kill("SIGKILL");
      await ended;
    },
    freezeAgent: (isFrozen) => void agent?.kill(isFrozen ? "SIGSTOP" : "SIGCONT"),
    async killKeepalived() {
      for (const pid of [await pidIn("vrrp.pid"), await pidIn("keepalived.pid")]) process.kill(pid, "SIGKILL");
    },
    keepalivedPid: () => pidIn("keepalived.pid"),
    async forgetAll() {
      await rm(state, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
      await space.run("nft", "flush", "ruleset");
      await space.run("conntrack", "--flush");
      // Those that move are the only ones with such lengths.
      const shown = await space.run("ip", "-oneline", "address", "show", "scope", "global");
      const moving = [...shown.matchAll(/^\d+: (\S+)\s+inet6? (\S+\/(?:32|128)) /gm)];
      await space.ip(moving.map(([, device, address]) => `address delete ${address} dev ${device}`));
    },
    cut,
    put: (document) => call("PUT", "/v2/config", JSON.stringify(document)),
    status: async () => statusShape.parse(JSON.parse((await call("GET", "/v2/status")).body)),
    async foreignAdverts() {
      // A status is what keepalived has just written.
      await call("GET", "/v2/status");
      const dump = await readFile(join(state, "keepalived", "keepalived.json"), "utf8");
      return Number(/"addr_list_err":(\d+)/.exec(dump)?.[1]);
    },
    async addresses() {
      const shown = addressShape.parse(JSON.parse(await space.run("ip", "-json", "address", "show", "dev", "ext0")));
      return shown.flatMap((one) => (one.addr_info ?? []).flatMap(({ local }) => local ?? []));
    },
    async remove() {
      agent?.kill("SIGKILL");
      await space.remove();
      // Programs that were killed a moment ago may have made a file since the folder was listed.
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}
