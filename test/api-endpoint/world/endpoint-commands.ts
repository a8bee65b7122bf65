// The command line on an EndpointWorld: its cluster, its cloud, its virtual time.

import { loadAllCommands } from "../../../src/cli/when-called.ts";
import { cliWorld } from "../../support/cli-world.ts";
import type { EndpointWorld } from "./endpoint-world.ts";

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs one command while time passes, for a cloud takes time to answer. */
export async function mainstay(
  { kube, clock, lab }: Pick<EndpointWorld, "kube" | "clock" | "lab">,
  args: readonly string[],
  files: Readonly<Record<string, string>> = {},
  input = "",
): Promise<Ended> {
  // Virtual time would run away while a file is read.
  await loadAllCommands();
  const running = cliWorld({ kube, clock, openStack: lab.fake, files, input }).run(...args);
  const progress = { ended: false };
  const settled = running.finally(() => {
    progress.ended = true;
  });
  while (!progress.ended) await clock.advance(10);
  return await settled;
}
