// mainstay agent: the program that runs on each gateway and carries what the controller tells it.

import { Command } from "commander";
import type { CliPorts } from "../cli-ports.ts";
import { addExamples } from "../help-text.ts";

export function agentCommand(ports: CliPorts): Command {
  const command = new Command("agent")
    .summary("run the agent of a gateway")
    .description(
      "Runs the agent of a gateway until it is stopped: it carries Services with nftables and keepalived, as the controller tells it over HTTP. " +
        "Rules and keepalived go on when it ends, and the next agent takes them over. A file whose name ends in .toml is read as one of ch-k8s-lbaas.",
    )
    .requiredOption("--config <file>", "configuration file of this gateway's agent")
    .action(async ({ config }: { readonly config: string }) => await ports.runAgent(config));
  return addExamples(
    command,
    ["mainstay agent --config /etc/mainstay/agent.yaml", "as the systemd unit runs it, as root"],
    ["mainstay agent --config /etc/ch-k8s-lbaas-agent.toml", "with the configuration of ch-k8s-lbaas"],
  );
}
