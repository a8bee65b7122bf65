// mainstay trace: where a packet to a Service would go.

import { Command } from "commander";
import type { CliPorts } from "../../../cli/cli-ports.ts";
import { addConnectionOptions } from "../../../cli/connection-options.ts";
import { addExamples, addExitCodes } from "../../../cli/help-text.ts";
import type { Ending } from "../../../cli/job-commands.ts";
import { outputFormats, outputOption } from "../../../cli/output-option.ts";
import { whenCalled } from "../../../cli/when-called.ts";
import { agentsOption } from "./agents-option.ts";
import type { TraceFlags } from "./show-trace.ts";

const loadShowTrace = whenCalled(() => import("./show-trace.ts"));

export function traceCommand(ports: CliPorts, ending: Ending): Command {
  const command = addConnectionOptions(new Command("trace"))
    .summary("explain hop by hop where a packet to a Service would go, and why it would be dropped")
    .description(
      "Explains hop by hop where a packet to a Service would go: its address, the gateway that leads, source ranges, the bucket, the endpoint and what it sees as the sender; and why it would be dropped. No packet is sent, and nothing is changed.",
    )
    .argument("<service>", "a Service: its name, or namespace/name")
    .option("-n, --namespace <name>", "namespace of the Service")
    .option("--from <address>", "who sends: an address, or address:port ([address]:port for IPv6)")
    .option("--port <port>", "only this port of the Service, such as 443 or 53/UDP")
    .addOption(agentsOption("ask the agents what they carry, which says the very endpoint"))
    .addOption(outputOption(outputFormats))
    .action(async (service: string, flags: TraceFlags) => {
      const { showTrace } = await loadShowTrace();
      ending.code = await showTrace(service, flags, ports);
    });
  addExamples(
    command,
    ["mainstay trace shop/web", "every address and port of the Service"],
    ["mainstay trace shop/web --from 198.51.100.7:40000 --agents", "the very endpoint of one connection"],
  );
  return addExitCodes(command, {
    0: "it arrives",
    1: "it is refused or dropped somewhere, or no pool serves the Service",
    3: "it is not known, or the cluster does not answer",
    5: "no Service has the name",
  });
}
