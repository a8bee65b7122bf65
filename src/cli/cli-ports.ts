// Everything a command may use. bin/mainstay.ts gives the real implementations, tests give fakes.

import type { Clock } from "../ports/clock.ts";
import type { Files } from "../ports/files.ts";
import type { Kube } from "../ports/kube.ts";
import type { OpenStack } from "../ports/openstack.ts";
import type { Random } from "../ports/random.ts";
import type { Terminal } from "../ports/terminal.ts";
import type { Configuration } from "./configuration/configuration.ts";
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

export interface CliPorts {
  readonly product: Product;
  readonly version: string;
  readonly terminal: Terminal;
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly connect: (options: ConnectOptions) => Promise<Connection>;
  /** Clouds, for commands that observe or plan. Loaded when first used. */
  readonly openStack: OpenStack;
  /** JSON over HTTP, to a demonstration on this machine. Rejects with a MainstayError when nothing answers. */
  readonly http: (call: HttpCall) => Promise<{ readonly status: number; readonly body: unknown }>;
  /** Ends commands that go on until then. Absent: the process ends instead. */
  readonly interrupted?: AbortSignal;
  /** Runs the controller manager until it is stopped. */
  readonly runController: (configuration: Configuration, version: string) => Promise<void>;
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
