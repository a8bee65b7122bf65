// What there is of ch-k8s-lbaas in a cluster, in its cloud and on its gateways. It reads only.

import { services as serviceKind } from "../../../apis/kube/builtin-kinds.ts";
import type { CliPorts } from "../../../cli/cli-ports.ts";
import { orInvalid } from "../../../cli/invalid-input.ts";
import { isKubeError } from "../../../core/kube-error.ts";
import type { Port } from "../../../core/openstack/neutron-objects.ts";
import { isOpenStackError } from "../../../core/openstack/openstack-error.ts";
import { parseCloud } from "../../../core/openstack/parse-cloud.ts";
import { listEverything } from "../../../engine/round/list-everything.ts";
import type { KubeReader } from "../../../ports/kube.ts";
import { referenceManagedAnnotation, referencePortAnnotation } from "../apis/annotations.ts";
import type { GatewayPool } from "../apis/gateway-pool.ts";
import type { Service } from "../apis/kube-objects.ts";
import { GatewayClient } from "../controller/feed/gateway-client.ts";
import type { SwitchWorld } from "../core/migration/check-lbaas.ts";
import { cloudOfLbaas, lbaasCloudName } from "../core/migration/cloud-of-lbaas.ts";
import type { LbaasControllerConfig } from "../core/migration/lbaas-controller-config.ts";
import { readPools } from "./read-services.ts";

export async function readLbaasServices(kube: KubeReader) {
  const [services, pools] = await Promise.all([
    listEverything(kube, serviceKind) as Promise<readonly Service[]>,
    readPools(kube).catch((error: unknown) => {
      if (isKubeError(error, "KindNotServed", "NotFound")) return "not-served" as const;
      throw error;
    }),
  ]);
  return { services, pools };
}

/** Those that managed Services and gateways name, each asked for by its id. */
export async function readLbaasPorts(
  config: LbaasControllerConfig,
  { spec }: GatewayPool,
  services: readonly Service[],
  { openStack, files }: Pick<CliPorts, "openStack" | "files">,
): Promise<NonNullable<SwitchWorld["ports"]>> {
  const { "ca-file": path } = config.openstack.auth;
  const authority = typeof path === "string" && path !== "" ? { caCertificate: await files.readText(path) } : {};
  const source = { cloudName: lbaasCloudName, ...authority };
  const { value: cloud } = orInvalid("openstack.auth", parseCloud(cloudOfLbaas(config), source));
  const { neutron } = openStack.project(cloud);
  const managed = services.filter(({ metadata }) => metadata.annotations?.[referenceManagedAnnotation] === "true");
  const ids = new Set([
    ...managed.flatMap(({ metadata }) => metadata.annotations?.[referencePortAnnotation] ?? []),
    ...(spec?.gateways ?? []).flatMap(({ externalPortID }) => externalPortID ?? []),
  ]);
  const found = new Map<string, Port | undefined>();
  for (const id of ids)
    found.set(
      id,
      await neutron.getPort(id).catch((error: unknown) => {
        if (isOpenStackError(error, "NotFound")) return undefined;
        throw error;
      }),
    );
  return found;
}

export async function askLbaasAgents(
  { agents }: LbaasControllerConfig,
  { spec }: GatewayPool,
  { gatewayAccess, clock, random }: Pick<CliPorts, "gatewayAccess" | "clock" | "random">,
): Promise<NonNullable<SwitchWorld["agents"]>> {
  const { feed, tokens } = await gatewayAccess();
  const tokenKey = Uint8Array.from(atob(agents["shared-secret"]), (letter) => letter.charCodeAt(0));
  type Said = readonly [gateway: string, { readonly runs: string } | { readonly problem: string }];
  const asked = (spec?.gateways ?? []).map(async ({ name, url }): Promise<Said> => {
    const client = new GatewayClient(
      { feed, tokens, clock, random },
      { gateway: name, url, access: { tokenKey, tls: {} } },
    );
    const answer = await client.capabilities({});
    if (answer.kind !== "answered") return [name, { problem: answer.message }];
    return [name, { runs: answer.value === "v1" ? "v1" : answer.value.agent }];
  });
  try {
    return new Map(await Promise.all(asked));
  } finally {
    await feed.close();
  }
}
