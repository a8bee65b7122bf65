// mainstay gateways: who leads, who stands by, and who is behind.

import { Command } from "commander";
import type { CliPorts } from "../../../cli/cli-ports.ts";
import { addConnectionOptions } from "../../../cli/connection-options.ts";
import { addExamples, addExitCodes } from "../../../cli/help-text.ts";
import type { Ending } from "../../../cli/job-commands.ts";
import { outputFormats, outputOption } from "../../../cli/output-option.ts";
import { whenCalled } from "../../../cli/when-called.ts";
import { agentsOption } from "./agents-option.ts";
import type { GatewaysFlags } from "./show-gateways.ts";

const loadShowGateways = whenCalled(() => import("./show-gateways.ts"));

export function gatewaysCommand(ports: CliPorts, ending: Ending): Command {
  const command = addConnectionOptions(new Command("gateways"))
    .summary("show gateways: role, generation, how far behind, connections")
    .description(
      "Shows the gateways of every GatewayPool, or of one: which groups each leads and since when, the document that it carries and how far it is behind. It changes nothing.",
    )
    .argument("[pool]", "a GatewayPool by name; or pool/gateway for one gateway")
    .addOption(agentsOption("ask the agents themselves, also how many connections they track"))
    .addOption(outputOption(outputFormats))
    .action(async (pool: string | undefined, flags: GatewaysFlags) => {
      const { showGateways } = await loadShowGateways();
      ending.code = await showGateways(pool, flags, ports);
    });
  addExamples(
    command,
    ["mainstay gateways", "of all pools, as their controller saw them last"],
    ["mainstay gateways public --agents", "of one pool, as their agents say now"],
  );
  return addExitCodes(command, {
    0: "done",
    3: "the cluster does not answer, or may not be asked",
    5: "no pool or gateway has the name",
  });
}
