// The flags of mainstay status. Its help needs them, and nothing else of what reads a cluster.

import type { ConnectOptions } from "../cli-ports.ts";

export const statusFormats = ["text", "wide", "yaml", "json"] as const;
export const defaultTimeout = "5m";

export interface StatusFlags extends ConnectOptions {
  readonly output: (typeof statusFormats)[number];
  readonly config?: string;
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  readonly watch?: boolean;
  readonly wait?: boolean;
  readonly timeout?: string;
  readonly check?: boolean;
}
