// mainstay migrate api-endpoint --check: whether and how a cluster can move to one balancer per zone. Reads only, here and in the cloud.

import type { CliPorts, ConnectOptions } from "../../../cli/cli-ports.ts";
import { settingsOf } from "../../../cli/configuration/configuration.ts";
import { withConnection } from "../../../cli/connection-options.ts";
import { exitCodes } from "../../../cli/exit-codes.ts";
import { invalid } from "../../../cli/invalid-input.ts";
import type { OutputFormat } from "../../../cli/output-option.ts";
import { printAs } from "../../../cli/print.ts";
import { withProgress } from "../../../cli/progress.ts";
import {
  asRunning,
  configurationData,
  configurationWords,
  managedBy,
  noteConfiguration,
} from "../../../cli/status/managed-kinds.ts";
import { present } from "../../../core/present.ts";
import type { KubeReader } from "../../../ports/kube.ts";
import { isEnabled } from "../apis/load-balancer/api-server-load-balancer.ts";
import { openStackClusters } from "../apis/openstack-cluster/openstack-cluster.ts";
import type { Claims } from "../core/front-doors/open-stack-cluster-door.ts";
import { type MigrationCheck, migrationCheck } from "../core/migration/migration-check.ts";
import { apiEndpointJob } from "../job.ts";
import { parseClusterName } from "./cluster-name.ts";
import { frontDoorOf, isClaimed, objectOf } from "./front-door-of.ts";
import { migrationText } from "./migration-text.ts";
import { observeEndpointOnce } from "./observe-endpoint-once.ts";
import { readProposal } from "./proposal-file.ts";
import { type Proposed, presentObject, proposedObject } from "./proposed-object.ts";
import { type ClusterObjects, readCluster } from "./read-cluster.ts";

export interface MigrateFlags extends ConnectOptions {
  readonly output: OutputFormat;
  readonly check?: boolean;
  readonly namespace?: string;
  readonly filename?: string;
  readonly config?: string;
}

export async function checkMigration(cluster: string, flags: MigrateFlags, ports: CliPorts): Promise<number> {
  if (flags.check !== true)
    throw invalid(
      "--check",
      "it is not given, and nothing else is done here",
      "Add --check to see what would happen; the controllers make the move when the object asks for zones.",
    );
  const ref = parseClusterName(cluster, flags.namespace);
  const given = await managedBy(flags.config, ports);
  const file = flags.filename === undefined ? undefined : await readProposal(flags.filename, ports);
  const found = await withConnection(ports, flags, ({ kube }) => {
    const propose = async () => {
      const objects = await readCluster(kube, ref);
      const proposed = file === undefined ? presentObject(objectOf(objects)) : proposedObject(file, objects);
      const { labels } = proposed.object.metadata;
      const managed = await asRunning(given, { namespace: ref.namespace, ...present({ labels }) }, kube, ports);
      const { claims } = settingsOf(managed.configuration, apiEndpointJob);
      return { managed, ...(await check({ kube, objects, proposed, claims, ports })) };
    };
    return withProgress("looking at the cluster and its cloud", ports, propose());
  });
  const { checked, door, managed } = found;
  noteConfiguration(managed, flags.output, ports.terminal);
  printAs(
    flags.output,
    { cluster: `${ref.namespace}/${ref.name}`, door, ...checked, configuration: configurationData(managed) },
    () => migrationText(checked, { cluster: ref, door, configuration: configurationWords(managed) }),
    ports.terminal,
  );
  return endings[checked.answer];
}

const endings: Readonly<Record<MigrationCheck["answer"], number>> = {
  can: exitCodes.ok,
  moved: exitCodes.ok,
  cannot: exitCodes.refused,
  unknown: exitCodes.cluster,
};

interface Check {
  readonly kube: KubeReader;
  readonly objects: ClusterObjects;
  readonly proposed: Proposed;
  readonly claims: Claims;
  readonly ports: CliPorts;
}

async function check({ kube, objects, proposed, claims, ports }: Check) {
  const { object, problems, updateProblems, warnings, isChange: isProposed } = proposed;
  const door = frontDoorOf(object, claims);
  const found = await observeEndpointOnce({ door, object, cluster: objects.facts, kube, ports });
  const observed = { ...found, problems };
  const isOwnDoor = object.kind === openStackClusters.kind;
  const { openStackCluster: infrastructure } = objects;
  const checked = migrationCheck({
    observed,
    definition: objects.definition,
    infrastructure:
      infrastructure === undefined
        ? undefined
        : {
            hasManagedSubnets: (infrastructure.spec?.managedSubnets ?? []).length > 0,
            hasBalancers: isEnabled(infrastructure.spec?.apiServerLoadBalancer),
            madeByCapo: ["managedSecurityGroups", "bastion"].filter((name) => name in (infrastructure.spec ?? {})),
          },
    isClaimed: isClaimed(isOwnDoor ? object : infrastructure, claims),
    servesApiEndpoint: objects.servesApiEndpoint,
    isProposed,
    updateProblems,
    warnings,
    nowMs: ports.clock.nowMs(),
  });
  return { checked, door: observed.intent.door };
}
