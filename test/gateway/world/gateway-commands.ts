// The command line on a GatewayWorld: its cluster, its agents, its virtual time.

import { product } from "../../../src/bin/product.ts";
import { loadAllCommands } from "../../../src/cli/when-called.ts";
import { gatewayCommands } from "../../../src/jobs/gateway/commands/commands.ts";
import { gatewayFeatures } from "../../../src/jobs/gateway/controller/features.ts";
import { gatewayJob } from "../../../src/jobs/gateway/job.ts";
import { cliWorld } from "../../support/cli-world.ts";
import type { GatewayWorld } from "./gateway-world.ts";

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Mainstay with this job, whether it is among the product's or not. */
const withGateway = {
  jobs: [...product.jobs.filter(({ name }) => name !== gatewayJob.name), gatewayJob],
  features: [...product.features.filter(({ job }) => job.name !== gatewayJob.name), gatewayFeatures],
  commands: [...product.commands.filter(({ job }) => job !== gatewayJob.name), gatewayCommands],
};

/** Runs one command while time passes, for agents take time to answer. */
export async function mainstay(
  { kube, clock, lab, feed }: Pick<GatewayWorld, "kube" | "clock" | "lab" | "feed">,
  args: readonly string[],
  files: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  // Virtual time would run away while a file is read.
  await loadAllCommands();
  const world = cliWorld({ kube, clock, openStack: lab.fake, feed, files, product: withGateway });
  const running = world.run(...args);
  const progress = { ended: false };
  const settled = running.finally(() => {
    progress.ended = true;
  });
  while (!progress.ended) await clock.advance(10);
  return await settled;
}
