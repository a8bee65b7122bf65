// What a job adds to the command line: commands of its own, and its checks for `mainstay doctor`.

import type { Command } from "commander";
import type { ReasonTable } from "../core/reasons.ts";
import type { KubeReader } from "../ports/kube.ts";
import type { OpenStack } from "../ports/openstack.ts";
import type { CliPorts } from "./cli-ports.ts";
import type { Configuration } from "./configuration/configuration.ts";
import type { Finding } from "./doctor/finding.ts";

/** Where a command's action stores its exit code. */
export interface Ending {
  code: number;
}

export interface JobCheck {
  readonly kube: KubeReader;
  readonly configuration: Configuration;
  readonly shipped: CliPorts["shipped"];
  /** Given: credentials are tried. */
  readonly openStack?: OpenStack;
  /** Given: the agents of gateways are asked. */
  readonly agents?: Pick<CliPorts, "gatewayAccess" | "clock" | "random">;
}

export interface JobCommands {
  /** Of the job, as its declaration has it. */
  readonly job: string;
  /** The command line knows them before it has loaded the job: for `runbook`, completion and error messages. */
  readonly reasons: ReasonTable;
  readonly commands: readonly ((ports: CliPorts, ending: Ending) => Command)[];
  /** The faults that it adds to the demonstration, for completion: the demonstration itself is not loaded for that. */
  readonly demoFaults?: readonly string[];
  /** What people may type to be shown something of these objects (`openstackclusters.…/clusters/blue`): the simulation searches it for secrets. */
  readonly invocations: (objects: readonly string[]) => readonly (readonly string[])[];
  readonly checks: readonly ((check: JobCheck) => Promise<readonly Finding[]>)[];
}
