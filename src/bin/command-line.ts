// The command line as a process: the real terminal, files, clock and clusters for the command line. Wiring only.

import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CliPorts } from "../cli/cli-ports.ts";
import { run } from "../cli/run.ts";
import { systemClock } from "../drivers/system/system-clock.ts";
import { systemFiles } from "../drivers/system/system-files.ts";
import { systemRandom } from "../drivers/system/system-random.ts";
import { systemTerminal } from "../drivers/system/system-terminal.ts";
import { allCommands } from "../jobs/commands.ts";
import type { Terminal } from "../ports/terminal.ts";
import { httpJson } from "./http-json.ts";
import { openStackWhenUsed } from "./openstack-when-used.ts";

// A checkout runs the sources, an installed package what was compiled from them.
const isCheckout = import.meta.filename.endsWith(".ts");
const root = fileURLToPath(new URL("../../", import.meta.url)).replace(/\/$/, "");
/** Who works in a checkout is in its folder; who installed the package is anywhere. */
const shipped = (path: string): string => (isCheckout ? path : join(root, path));
const called = {
  ...(isCheckout ? { command: "./mainstay", folder: root } : { command: "npx mainstay", folder: process.cwd() }),
  guide: shipped("docs/guides/demo.md"),
};

function demoFolderOf(kubeconfig: string): { readonly demoFolder?: string } {
  const folder = dirname(kubeconfig);
  return basename(folder).startsWith("mainstay-demo-") ? { demoFolder: folder } : {};
}

/** Sets the exit code of this process when the command has ended. */
export async function runCommandLine(version: string): Promise<void> {
  const terminal = systemTerminal();
  // Timers of the clock port do not keep a process alive; a command under way has to.
  const alive = setInterval(() => {}, 60_000);
  process.exitCode = await run(process.argv.slice(2), {
    version,
    nodeVersion: process.versions.node,
    commands: allCommands,
    terminal,
    files: systemFiles,
    runbookFolder: fileURLToPath(new URL("../../docs/operations", import.meta.url)),
    shipped,
    ...demoFolderOf(process.env["KUBECONFIG"] ?? ""),
    clock: systemClock,
    random: systemRandom,
    http: httpJson,
    ...loadedWhenUsed(version, terminal),
  });
  clearInterval(alive);
}

/** Most commands need neither a cluster nor a cloud, nor the controllers, nor an API server of their own. */
function loadedWhenUsed(
  version: string,
  terminal: Terminal,
): Pick<
  CliPorts,
  "product" | "connect" | "openStack" | "gatewayAccess" | "parseToml" | "runController" | "runAgent" | "runDemo"
> {
  return {
    product: async () => (await import("./product.ts")).product,
    connect: async (options) => {
      const { connectCluster } = await import("./connect.ts");
      return await connectCluster({ ...options, userAgent: `mainstay/${version}`, interactive: terminal.interactive });
    },
    openStack: openStackWhenUsed(async () => (await import("./openstack.ts")).connectOpenStack(version).openStack),
    gatewayAccess: async () => {
      const [{ undiciGatewayFeed }, { hmacTokens }] = await Promise.all([
        import("../drivers/gateway-feed/undici-gateway-feed.ts"),
        import("../drivers/system/hmac-tokens.ts"),
      ]);
      return { feed: undiciGatewayFeed({ clock: systemClock }), tokens: hmacTokens };
    },
    parseToml: async (text, where) => (await import("../drivers/system/toml-text.ts")).parseToml(text, where),
    runController: async (configuration) => {
      const { keepYoungGenerationSmall } = await import("../drivers/system/small-young-generation.ts");
      keepYoungGenerationSmall();
      await (await import("./controller.ts")).runController(configuration, version);
    },
    runAgent: async (path) => {
      const [{ loadAgentConfiguration, runAgent }, { gatewayPrograms }] = await Promise.all([
        import("./agent.ts"),
        import("./gateway-programs.ts"),
      ]);
      await runAgent(await loadAgentConfiguration(path), gatewayPrograms, version);
    },
    runDemo: async (options) => (await import("./demo.ts")).runDemo(options, terminal, { ...called, version }),
  };
}
