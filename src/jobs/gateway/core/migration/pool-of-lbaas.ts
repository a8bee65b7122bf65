// The GatewayPool that takes the place of a configuration of ch-k8s-lbaas: the same addresses, the same backends, the same gateways. It holds
// no secret: it names Secrets that the guide says how to make.

import { isIpLiteral } from "../../../../core/net/ip.ts";
import type { GatewayPool, GatewaySpec } from "../../apis/gateway-pool.ts";
import { lbaasCloudName } from "./cloud-of-lbaas.ts";
import type { LbaasControllerConfig } from "./lbaas-controller-config.ts";

export interface PoolChoices {
  readonly name: string;
  /** Where the Secrets are. */
  readonly namespace: string;
  /** `virtual-router-id-base` of the agents. */
  readonly virtualRouterId: number;
  /** What endpoints see, and that moves with the gateways. */
  readonly sourceAddresses: readonly string[];
}

/** Names of the Secrets that the pool names. */
export const secretNames = { agents: "lbaas-agents", cloud: "lbaas-cloud" } as const;

export function poolOfLbaas(config: LbaasControllerConfig, choices: PoolChoices): GatewayPool {
  const { name, namespace, virtualRouterId, sourceAddresses } = choices;
  return {
    apiVersion: "mainstay.dev/v1alpha1",
    kind: "GatewayPool",
    metadata: { name },
    spec: {
      gateways: config.agents.agent.map((agent, place) => gatewayOf(agent, place, namespace)),
      addresses: addressesOf(config, namespace),
      backendLayer: config["backend-layer"],
      sharing: "ByPort",
      clientAddress: "Replaced",
      isDefault: true,
      vrrp: {
        mode: "Compat",
        virtualRouterIDBase: virtualRouterId,
        groups: [{ name: "a", sourceAddresses }],
      },
    },
  };
}

function gatewayOf(
  agent: LbaasControllerConfig["agents"]["agent"][number],
  place: number,
  namespace: string,
): GatewaySpec {
  const [, hostname = ""] = /^https?:\/\/(?:[^@/]*@)?(\[[^\]]*\]|[^:/?#]*)/i.exec(agent.url) ?? [];
  const [label = ""] = hostname.toLowerCase().split(".");
  const isName = !isIpLiteral(hostname) && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label);
  return {
    name: isName ? label : `gateway-${place + 1}`,
    url: agent.url.replace(/\/+$/, ""),
    ...(agent["port-id"] === "" ? {} : { externalPortID: agent["port-id"] }),
    credentialsRef: { namespace, name: secretNames.agents },
  };
}

function addressesOf({ "port-manager": manager, openstack, static: fixed }: LbaasControllerConfig, namespace: string) {
  if (manager === "static") return { static: { ipv4: fixed["ipv4-addresses"] } };
  const { network } = openstack;
  return {
    neutron: {
      identityRef: { type: "Secret" as const, namespace, name: secretNames.cloud, cloudName: lbaasCloudName },
      subnets: { ipv4: { id: network["subnet-id"] } },
      ...(network["use-floating-ips"] ? { floatingIPs: { networkID: network["floating-ip-network-id"] } } : {}),
    },
  };
}

/** What the file says that needs a word. */
export function configNotes(config: LbaasControllerConfig): readonly string[] {
  const pairs = config.agents["additional-address-pairs"];
  const { auth } = config.openstack;
  return [
    ...(pairs.length === 0
      ? []
      : [
          `agents.additional-address-pairs (${pairs.join(", ")}): Mainstay removes no address pair that is not its own, so they stay`,
        ]),
    ...(typeof auth["trust-id"] === "string" && auth["trust-id"] !== ""
      ? ["openstack.auth.trust-id: ch-k8s-lbaas never used it, and neither does Mainstay"]
      : []),
    ...(auth["tls-insecure"] === true
      ? ["openstack.auth.tls-insecure: write `verify: false` into the clouds.yaml, or better its authority"]
      : []),
  ];
}
