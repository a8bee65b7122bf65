// The command line without a machine: files in memory, a terminal that remembers, a cluster when the test has one.

import { product } from "../../src/bin/product.ts";
import type { CliPorts, ConnectOptions } from "../../src/cli/cli-ports.ts";
import type { Configuration } from "../../src/cli/configuration/configuration.ts";
import { run } from "../../src/cli/run.ts";
import { MainstayError } from "../../src/core/errors.ts";
import { present } from "../../src/core/present.ts";
import { systemClock } from "../../src/drivers/system/system-clock.ts";
import type { Clock } from "../../src/ports/clock.ts";
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
}

export function cliWorld({
  files: given = {},
  kube,
  input = "",
  clock = systemClock,
  interrupted,
  openStack = noOpenStack,
}: CliWorldOptions = {}): CliWorld {
  const files = new Map(Object.entries(given));
  const started: Configuration[] = [];
  const connected: ConnectOptions[] = [];
  return {
    files,
    started,
    connected,
    async run(...args) {
      const out: string[] = [];
      const err: string[] = [];
      const ports: CliPorts = {
        version: "1.2.3",
        product,
        ...present({ interrupted }),
        clock,
        random: seededRandom(1),
        terminal: {
          out: (text) => out.push(text),
          err: (text) => err.push(text),
          readInput: async () => input,
          interactive: false,
          columns: 120,
        },
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
        http: async () => {
          throw new MainstayError({ reason: "ApiUnreachable", message: "there is no demonstration" });
        },
        runController: async (configuration) => void started.push(configuration),
        runDemo: async () => 0,
      };
      const code = await run(args, ports);
      return { code, out: out.join("\n"), err: err.join("\n") };
    },
  };
}

function missing(path: string): never {
  throw new MainstayError({
    reason: "InputInvalid",
    message: `file ${path} cannot be read: ENOENT`,
    hint: "Check the path.",
  });
}
