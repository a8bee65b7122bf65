// Everything a command may touch. bin/mainstay.ts gives the real things, tests give others; commands know no difference.

import type { Configuration } from "../controllers/configuration.ts";
import type { Clock } from "../ports/clock.ts";
import type { Files } from "../ports/files.ts";
import type { Kube } from "../ports/kube.ts";
import type { Terminal } from "../ports/terminal.ts";

export interface ConnectOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

export interface Connection {
  readonly kube: Kube;
  close(): Promise<void>;
}

export interface CliPorts {
  readonly version: string;
  readonly terminal: Terminal;
  readonly files: Files;
  readonly clock: Clock;
  readonly connect: (options: ConnectOptions) => Promise<Connection>;
  /** Runs the controller manager until it is told to stop. */
  readonly runController: (configuration: Configuration, version: string) => Promise<void>;
  /** Runs the demonstration and answers with an exit code. */
  readonly runDemo: (options: DemoOptions) => Promise<number>;
}

export interface DemoOptions {
  /** Where to begin looking for a free port. */
  readonly port: number;
  /** Converge, then end. */
  readonly check: boolean;
}
