// The Kubernetes objects of a world with gateways: the pool, its Secrets, Nodes, and what other people have beside ours.

import { stringify } from "yaml";
import { namespaces, nodes, secrets } from "../../../apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../../apis/kube/kube-object.ts";
import { type GatewayPool, type GatewayPoolSpec, type GatewaySpec, gatewayPools } from "../apis/gateway-pool.ts";
import { clusterId, type GatewaySim, poolName } from "./gateway-sim.ts";

const namespace = "default";
const credentialsRef = { namespace, name: "agents" };
export const namespacesOfServices = ["default", "apps"] as const;
export const nodeNames = ["node-1", "node-2"] as const;
/** Beyond what it may need, so that quarantine does not use it up. */
const staticRange = "192.0.2.10-192.0.2.60";
/** Of others, on the gateways' ports. */
export const foreignPair = "10.0.1.250";
/** Of others, in the status of Services. */
export const foreignIngress = { ip: "198.51.100.77" };
export const otherClass = "example.com/other";

export function sourceAddressesOf({ setting }: Pick<GatewaySim, "setting">): readonly string[] {
  return setting.groups.map((_, place) => `10.9.0.${100 + place}`);
}

export function poolSpec(sim: GatewaySim): GatewayPoolSpec {
  const { setting, lab } = sim;
  const gateways = setting.gateways.map((name): GatewaySpec => {
    const externalPortID = sim.gatewayPorts.get(name);
    const port = setting.source === "static" || externalPortID === undefined ? {} : { externalPortID };
    return { name, url: urlOf(name), credentialsRef, ...port };
  });
  const neutron = {
    identityRef: { namespace, name: "cloud", cloudName: "lab" },
    subnets: { ipv4: { id: lab.subnetIds[0] } },
    ...(setting.source === "floating" ? { floatingIPs: { networkID: lab.externalNetworkId } } : {}),
  };
  const sources = sourceAddressesOf(sim);
  return {
    gateways,
    addresses: setting.source === "static" ? { static: { ipv4: [staticRange] } } : { neutron },
    backendLayer: setting.layer,
    sharing: setting.sharing,
    vrrp: {
      virtualRouterIDBase: 50,
      groups: setting.groups.map((name, place) => ({ name, sourceAddresses: [sources[place] ?? ""] })),
    },
    clusterID: clusterId,
  };
}

export function urlOf(gateway: string): string {
  return `http://${gateway}`;
}

export function poolObject(sim: GatewaySim): GatewayPool {
  const { group, version, kind } = gatewayPools;
  return { apiVersion: `${group}/${version}`, kind, metadata: { name: poolName }, spec: poolSpec(sim) };
}

export const secretNames = ["agents", "cloud"] as const;
export type SecretName = (typeof secretNames)[number];

export function secretObject({ lab, password, agentSecret }: GatewaySim, name: SecretName): KubeObject {
  const domain = { user_domain_name: "Default", project_domain_name: "Default" };
  const auth = { auth_url: lab.clouds.password.authUrl, username: "demo", password, project_name: "demo", ...domain };
  const data =
    name === "agents"
      ? { "shared-secret": btoa(btoa(agentSecret)) }
      : { "clouds.yaml": btoa(stringify({ clouds: { lab: { auth } } })) };
  return { apiVersion: "v1", kind: "Secret", metadata: { name, namespace }, data } as KubeObject;
}

export function nodeObject(name: string, isReady: boolean): KubeObject {
  const address = `10.1.0.${name.slice(-1)}`;
  const status = {
    addresses: [{ type: "InternalIP", address }],
    conditions: [{ type: "Ready", status: isReady ? "True" : "False" }],
  };
  return { apiVersion: "v1", kind: nodes.kind, metadata: { name }, status } as KubeObject;
}

/** A machine of the project for each gateway, with a pair that somebody else put there. */
export async function furnishCloud({ lab, project, setting, gatewayPorts }: GatewaySim): Promise<void> {
  const place = { networkId: lab.networkId, subnetId: lab.subnetIds[0] };
  for (const name of setting.gateways) {
    const { id } = await project.neutron.createPort({ ...place, name, description: "", deviceId: name, tags: [] });
    await project.neutron.updatePort(id, { allowedAddressPairs: [{ address: foreignPair }] });
    gatewayPorts.set(name, id);
  }
  const other = "mainstay.dev gateway cluster=other pool=public";
  for (const [name, description] of Object.entries({ theirs: "", elsewhere: other })) {
    const port = await project.neutron.createPort({ ...place, name, description, deviceId: name, tags: [] });
    const floatingNetworkId = lab.externalNetworkId;
    await project.neutron.createFloatingIp({ floatingNetworkId, portId: port.id, description });
    await project.neutron.createFloatingIp({ floatingNetworkId, description });
  }
}

export async function furnishCluster(sim: GatewaySim): Promise<void> {
  const { kube } = sim.world;
  for (const name of namespacesOfServices.filter((one) => one !== namespace))
    await kube.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  for (const name of secretNames) await kube.create(secrets, secretObject(sim, name));
  for (const name of nodeNames) {
    const { status, ...node } = nodeObject(name, true) as KubeObject & { readonly status: object };
    await kube.create(nodes, node);
    await kube.patch(nodes, { name }, { type: "merge", body: { status } }, { subresource: "status" });
  }
}
