// Everything a command may use. bin/mainstay.ts gives the real implementations, tests give fakes.

import type { Checked } from "../apis/text/problem.ts";
import type { Clock } from "../ports/clock.ts";
import type { Files } from "../ports/files.ts";
import type { GatewayFeed } from "../ports/gateway-feed.ts";
import type { Kube } from "../ports/kube.ts";
import type { OpenStack } from "../ports/openstack.ts";
import type { Random } from "../ports/random.ts";
import type { Terminal } from "../ports/terminal.ts";
import type { Tokens } from "../ports/tokens.ts";
import type { Configuration } from "./configuration/configuration.ts";
import type { JobCommands } from "./job-commands.ts";
import type { Product } from "./product.ts";

export interface ConnectOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

export interface Connection {
  readonly kube: Kube;
  close(): Promise<void>;
}

export interface HttpCall {
  readonly method: string;
  readonly url: string;
  /** Sent as JSON. */
  readonly body?: unknown;
}

export interface GatewayAccess {
  readonly feed: GatewayFeed;
  readonly tokens: Tokens;
}

export interface CliPorts {
  /** The commands of every job. They load the rest of a job when they are called. */
  readonly commands: readonly JobCommands[];
  /** The jobs themselves, which are most of the program: loaded when first asked for. */
  readonly product: () => Promise<Product>;
  readonly version: string;
  /** Of the Node that runs this program, such as `22.12.0`. */
  readonly nodeVersion: string;
  readonly terminal: Terminal;
  readonly files: Files;
  /** Where the runbook pages are that come with this program: `<reason>.md`. */
  readonly runbookFolder: string;
  /** Where people find a file that comes with this program, such as `deploy/rbac/manager.yaml`. */
  readonly shipped: (path: string) => string;
  /** Of the demonstration whose kubeconfig KUBECONFIG names. */
  readonly demoFolder?: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly connect: (options: ConnectOptions) => Promise<Connection>;
  /** Clouds, for commands that observe or plan. Loaded when first used. */
  readonly openStack: OpenStack;
  /** To the agents of gateways, for commands that ask them. */
  readonly gatewayAccess: () => Promise<GatewayAccess>;
  /** Parses TOML that people wrote for another program. */
  readonly parseToml: (text: string, where: string) => Promise<Checked<unknown>>;
  /** JSON over HTTP, to a demonstration on this machine. Rejects with a MainstayError when nothing answers. */
  readonly http: (call: HttpCall) => Promise<{ readonly status: number; readonly body: unknown }>;
  /** Ends commands that go on until then. Absent: the process ends instead. */
  readonly interrupted?: AbortSignal;
  /** Runs the controller manager until it is stopped. */
  readonly runController: (configuration: Configuration, version: string) => Promise<void>;
  /** Runs the agent of a gateway, with the configuration in this file, until it is stopped. */
  readonly runAgent: (path: string) => Promise<void>;
  /** Runs the demonstration and answers with an exit code. */
  readonly runDemo: (options: DemoOptions) => Promise<number>;
}

export interface DemoOptions {
  /** Where to begin looking for a free port. */
  readonly port: number;
  readonly dashboardPort: number;
  /** Converge, then end. */
  readonly check: boolean;
}
