// mainstay dns: what to publish so that clients find a cluster.

import { Command } from "commander";
import type { CliPorts } from "../../../cli/cli-ports.ts";
import { addConnectionOptions } from "../../../cli/connection-options.ts";
import type { Ending } from "../../../cli/job-commands.ts";
import { outputOption } from "../../../cli/output-option.ts";
import { type DnsFlags, printDnsRecords } from "./dns-records.ts";
import { recordsFormats } from "./records-as.ts";

export function dnsCommand(ports: CliPorts, ending: Ending): Command {
  const command = new Command("dns").summary("DNS records that lead clients to a cluster").helpCommand(false);
  addConnectionOptions(command.command("records"))
    .summary("print the addresses of the zones that have healthy members now")
    .argument("<cluster>", "a Cluster of Cluster API: its name, or namespace/name")
    .option("-n, --namespace <name>", "namespace of the cluster")
    .addOption(
      outputOption(
        recordsFormats,
        "text is a table, bind lines of a zone file, yaml and json are data, external-dns is a DNSEndpoint",
      ),
    )
    .action(async (cluster: string, flags: DnsFlags) => {
      ending.code = await printDnsRecords(cluster, flags, ports);
    });
  return command;
}
