// The flags that choose a cluster, and a connection to it that is always closed.

import { type Command, Option } from "commander";
import { present } from "../core/present.ts";
import type { CliPorts, Connection, ConnectOptions } from "./cli-ports.ts";

export function addConnectionOptions(command: Command): Command {
  return command
    .addOption(new Option("--kubeconfig <file>", "kubeconfig to use").helpGroup("Cluster:"))
    .addOption(new Option("--context <name>", "context of the kubeconfig to use").helpGroup("Cluster:"));
}

export async function withConnection<T>(
  ports: CliPorts,
  options: ConnectOptions,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  const { kubeconfig, context } = options;
  const connection = await ports.connect({
    ...present({ kubeconfig, context }),
  });
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}
