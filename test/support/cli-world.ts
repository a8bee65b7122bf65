// The command line without a machine: files in memory, a terminal that remembers, a cluster when the test has one.

import { product as wholeProduct } from "../../src/bin/product.ts";
import type { CliPorts, ConnectOptions } from "../../src/cli/cli-ports.ts";
import type { Configuration } from "../../src/cli/configuration/configuration.ts";
import type { Product } from "../../src/cli/product.ts";
import { run } from "../../src/cli/run.ts";
import { MainstayError } from "../../src/core/errors.ts";
import { present } from "../../src/core/present.ts";
import { hmacTokens } from "../../src/drivers/system/hmac-tokens.ts";
import { systemClock } from "../../src/drivers/system/system-clock.ts";
import { parseToml } from "../../src/drivers/system/toml-text.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { FeedReply, GatewayFeed } from "../../src/ports/gateway-feed.ts";
import type { Kube } from "../../src/ports/kube.ts";
import type { OpenStack } from "../../src/ports/openstack.ts";
import { noOpenStack } from "../../src/sim/fakes/openstack/no-openstack.ts";
import { seededRandom } from "../../src/sim/time/seeded-random.ts";

export interface CliWorld {
  readonly files: Map<string, string>;
  readonly started: Configuration[];
  readonly connected: ConnectOptions[];
  /** One command; answers with all it left behind. */
  run(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }>;
}

export interface CliWorldOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly kube?: Kube;
  readonly input?: string;
  readonly clock?: Clock;
  readonly interrupted?: AbortSignal;
  readonly openStack?: OpenStack;
  /** To the agents of gateways. */
  readonly feed?: GatewayFeed;
  /** Instead of all of Mainstay. */
  readonly product?: Product;
  /** A person watches, on a terminal with colours. */
  readonly colours?: boolean;
  /** A demonstration. */
  readonly http?: CliPorts["http"];
  /** Of the demonstration that KUBECONFIG names. */
  readonly demoFolder?: string;
}

export function cliWorld(options: CliWorldOptions = {}): CliWorld {
  const files = new Map(Object.entries(options.files ?? {}));
  const started: Configuration[] = [];
  const connected: ConnectOptions[] = [];
  return {
    files,
    started,
    connected,
    async run(...args) {
      const out: string[] = [];
      const err: string[] = [];
      const ports = cliPorts(options, { files, started, connected, out, err });
      const code = await run(args, ports);
      return { code, out: out.join("\n"), err: err.join("\n") };
    },
  };
}

interface Remembered extends Pick<CliWorld, "files" | "started" | "connected"> {
  readonly out: string[];
  readonly err: string[];
}

const nothingYet = (): Remembered => ({ files: new Map(), started: [], connected: [], out: [], err: [] });

/** What the command line is given; what it does with it is remembered. */
export function cliPorts(
  {
    kube,
    input = "",
    clock = systemClock,
    interrupted,
    openStack = noOpenStack,
    feed,
    product = wholeProduct,
    http = noDemonstration,
    colours = false,
    demoFolder,
  }: CliWorldOptions = {},
  { files, started, connected, out, err }: Remembered = nothingYet(),
): CliPorts {
  return {
    version: "1.2.3",
    nodeVersion: "22.12.0",
    commands: product.commands,
    product: async () => product,
    ...present({ interrupted }),
    clock,
    random: seededRandom(1),
    terminal: {
      out: (text) => out.push(text),
      err: (text) => err.push(text),
      readInput: async () => input,
      interactive: colours,
      colours,
      columns: 120,
    },
    runbookFolder: "/runbooks",
    shipped: (path) => path,
    ...present({ demoFolder }),
    files: {
      exists: async (path) => files.has(path),
      readText: async (path) => files.get(path) ?? missing(path),
      writeText: async (path, text) => void files.set(path, text),
    },
    connect: async (options) => {
      connected.push(options);
      if (kube === undefined)
        throw new MainstayError({ reason: "ApiUnreachable", message: "there is no cluster", hint: "Bring one." });
      return { kube, close: async () => {} };
    },
    openStack,
    gatewayAccess: async () => ({ feed: feed ?? { send: noAgent, close: async () => {} }, tokens: hmacTokens }),
    parseToml: async (text, where) => parseToml(text, where),
    http,
    runController: async (configuration) => void started.push(configuration),
    runAgent: async () => {},
    runDemo: async () => 0,
  };
}

async function noAgent(): Promise<FeedReply> {
  return { kind: "silent", message: "connection refused" };
}

async function noDemonstration(): Promise<never> {
  throw new MainstayError({ reason: "ApiUnreachable", message: "there is no demonstration" });
}

function missing(path: string): never {
  throw new MainstayError({
    reason: "InputInvalid",
    message: `file ${path} cannot be read: ENOENT`,
    hint: "Check the path.",
  });
}
