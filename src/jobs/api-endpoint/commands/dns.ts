// mainstay dns: what to publish so that clients find a cluster.

import { Command } from "commander";
import type { CliPorts } from "../../../cli/cli-ports.ts";
import { addConnectionOptions } from "../../../cli/connection-options.ts";
import { addExamples, addExitCodes } from "../../../cli/help-text.ts";
import type { Ending } from "../../../cli/job-commands.ts";
import { outputOption } from "../../../cli/output-option.ts";
import { whenCalled } from "../../../cli/when-called.ts";
import type { DnsFlags } from "./dns-records.ts";
import { recordsFormats } from "./records-formats.ts";

const loadDnsRecords = whenCalled(() => import("./dns-records.ts"));

export function dnsCommand(ports: CliPorts, ending: Ending): Command {
  const command = new Command("dns")
    .summary("DNS records that lead clients to a cluster")
    .description("Says which DNS records lead clients to a cluster.")
    .helpCommand(false);
  addExamples(command, ["mainstay dns records clusters/blue", "the records of the cluster blue"]);
  const records = addConnectionOptions(command.command("records"))
    .summary("print the addresses of the zones where a machine answers now")
    .description("Prints the records to publish now: the addresses of the zones where a machine answers.")
    .argument("<cluster>", "a Cluster of Cluster API: its name, or namespace/name")
    .option("-n, --namespace <name>", "namespace of the cluster")
    .addOption(
      outputOption(
        recordsFormats,
        "text is a table, bind lines of a zone file, yaml and json are data, external-dns is a DNSEndpoint",
      ),
    )
    .action(async (cluster: string, flags: DnsFlags) => {
      const { printDnsRecords } = await loadDnsRecords();
      ending.code = await printDnsRecords(cluster, flags, ports);
    });
  addExamples(
    records,
    ["mainstay dns records clusters/blue", "a table"],
    ["mainstay dns records blue -n clusters -o bind", "lines of a zone file"],
    ["mainstay dns records clusters/blue -o external-dns", "a DNSEndpoint for external-dns"],
  );
  addExitCodes(records, {
    0: "publish them",
    1: "there is nothing to publish",
    3: "it is not known whether they are right: leave what is published",
    5: "there is no such cluster",
  });
  return command;
}
