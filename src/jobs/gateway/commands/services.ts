// mainstay services: which address leads to which Service, through which gateway.

import { Command } from "commander";
import type { CliPorts } from "../../../cli/cli-ports.ts";
import { addConnectionOptions } from "../../../cli/connection-options.ts";
import { addExamples, addExitCodes } from "../../../cli/help-text.ts";
import type { Ending } from "../../../cli/job-commands.ts";
import { outputFormats, outputOption } from "../../../cli/output-option.ts";
import { whenCalled } from "../../../cli/when-called.ts";
import type { ServicesFlags } from "./show-services.ts";

const loadShowServices = whenCalled(() => import("./show-services.ts"));

export function servicesCommand(ports: CliPorts, ending: Ending): Command {
  const command = addConnectionOptions(new Command("services"))
    .summary("show Services of type LoadBalancer: address, ports, backends, and the gateway that carries each")
    .description(
      "Shows Services of type LoadBalancer with their addresses, ports and backends, which gateway carries each and since when. It reads the API server, and changes nothing.",
    )
    .argument("[service]", "a Service: its name, or namespace/name")
    .option("-n, --namespace <name>", "Services of this namespace only")
    .option("-A, --all-namespaces", "Services of all namespaces, which is the default")
    .addOption(outputOption(outputFormats))
    .action(async (service: string | undefined, flags: ServicesFlags) => {
      const { showServices } = await loadShowServices();
      ending.code = await showServices(service, flags, ports);
    });
  addExamples(
    command,
    ["mainstay services", "all of them, those that need attention first"],
    ["mainstay services -n shop -o json", "those of a namespace, for a program"],
    ["mainstay services shop/web", "one of them"],
  );
  return addExitCodes(command, {
    0: "done",
    3: "the cluster does not answer, or may not be asked",
    5: "no Service of type LoadBalancer has the name",
  });
}
