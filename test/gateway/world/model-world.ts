// A small world for the laws of the planner: Services, a pool, two gateways and a Neutron that do what they are told, at once. Strict where
// the real ones are: a port that is attached twice, a Service that is gone, a finalizer that holds.

import { known } from "../../../src/core/known.ts";
import type { FloatingIp, Port } from "../../../src/core/openstack/neutron-objects.ts";
import type { GatewayPool } from "../../../src/jobs/gateway/apis/gateway-pool.ts";
import type { Service } from "../../../src/jobs/gateway/apis/kube-objects.ts";
import { addressesIn } from "../../../src/jobs/gateway/core/gateways/carried.ts";
import type { GatewayAction } from "../../../src/jobs/gateway/core/model/actions.ts";
import type { GatewayDocument } from "../../../src/jobs/gateway/core/model/document.ts";
import type { GatewayObserved, PoolObserved } from "../../../src/jobs/gateway/core/model/observed.ts";
import { unusedAddresses, unusedFloatingIps } from "../../../src/jobs/gateway/core/operations/clean-unused-ports.ts";
import { type PoolPlan, planPool, poolFinalizer } from "../../../src/jobs/gateway/core/plan.ts";
import { poolMark } from "../../../src/jobs/gateway/core/situation/marks.ts";

export interface Seen {
  readonly observed: PoolObserved;
  readonly nowMs: number;
  offered?: GatewayDocument;
}

interface ModelGateway {
  carried: GatewayDocument | undefined;
  isSilent: boolean;
  mayCarry: ReadonlySet<string>;
  pairs: Set<string>;
}

export interface ModelWorld {
  readonly isCloud: boolean;
  pool: GatewayPool;
  services: Map<string, Service>;
  ports: Map<string, Port>;
  floatingIps: Map<string, FloatingIp>;
  gateways: Map<string, ModelGateway>;
  nowMs: number;
  /** Of the leader: forgotten in a restart. */
  term: number;
  sent: GatewayDocument | undefined;
  usedBefore: Set<string>;
  unusedSinceMs: Map<string, number>;
  seen: Seen | undefined;
  made: number;
}

const mark = poolMark("c1", "public");
const subnet = {
  id: "subnet-1",
  name: "s",
  networkId: "net-1",
  cidr: "10.0.1.0/24",
  ipVersion: 4 as const,
  tags: [],
  projectId: "p",
};

export function modelWorld({ isCloud }: { readonly isCloud: boolean }): ModelWorld {
  const gateways = ["gw1", "gw2"].map((name) => ({
    name,
    url: `http://${name}`,
    ...(isCloud ? { externalPortID: `port-of-${name}` } : {}),
  }));
  const neutron = {
    identityRef: { namespace: "default", name: "cloud", cloudName: "lab" },
    subnets: { ipv4: { id: "3f3ee4f4-6a0a-4b8e-9d3c-0a3f0c1f7a11" } },
    floatingIPs: { networkID: "3f3ee4f4-6a0a-4b8e-9d3c-0a3f0c1f7a12" },
  };
  const ids = ["cad5a91a-36de-4388-823b-b0cc82cadfdc", "e2407c18-c4e7-4d3d-befa-8eec5d8756f2"];
  return {
    isCloud,
    pool: {
      apiVersion: "mainstay.dev/v1alpha1",
      kind: "GatewayPool",
      metadata: { name: "public", uid: "uid-of-pool" },
      spec: {
        gateways: gateways.map((one, place) => (isCloud ? { ...one, externalPortID: ids[place] ?? "" } : one)),
        addresses: isCloud ? { neutron } : { static: { ipv4: ["192.0.2.10-192.0.2.19"] } },
        vrrp: { virtualRouterIDBase: 50, groups: [{ name: "a", sourceAddresses: ["10.9.0.1"] }] },
        clusterID: "c1",
      },
    },
    services: new Map(),
    ports: new Map([["foreign", portOf("foreign", "10.0.1.200", "somebody's")]]),
    floatingIps: new Map([["foreign", { ...floatingIpOf("foreign", "203.0.113.200"), description: "somebody's" }]]),
    gateways: new Map(
      ["gw1", "gw2"].map((name) => [
        name,
        { carried: undefined, isSilent: false, mayCarry: new Set<string>(), pairs: new Set(["10.0.1.250"]) },
      ]),
    ),
    nowMs: 1_000_000,
    term: 1,
    sent: undefined,
    usedBefore: new Set(),
    unusedSinceMs: new Map(),
    seen: undefined,
    made: 0,
  };
}

function portOf(
  id: string,
  address: string,
  description: string,
  subnetId = "3f3ee4f4-6a0a-4b8e-9d3c-0a3f0c1f7a11",
): Port {
  return {
    id,
    name: "",
    networkId: subnet.networkId,
    deviceId: "",
    deviceOwner: "",
    macAddress: "",
    fixedIps: [{ subnetId, address }],
    allowedAddressPairs: [],
    status: "DOWN",
    description,
    tags: [],
    projectId: "p",
  };
}

function floatingIpOf(id: string, address: string, portId?: string): FloatingIp {
  const attached = portId === undefined ? {} : { portId };
  return { id, address, floatingNetworkId: "ext", description: mark, tags: [], projectId: "p", ...attached };
}

export function observeModel(world: ModelWorld): Seen {
  const { pool, nowMs, isCloud } = world;
  const carried = [...world.gateways.values()].flatMap((one) => (one.isSilent ? [] : (one.carried ?? [])));
  const highest = carried.toSorted(
    (a, b) => b.version.epoch - a.version.epoch || b.version.generation - a.version.generation,
  )[0];
  const previous = world.sent ?? highest;
  const observed: PoolObserved = {
    pool,
    pools: [pool],
    services: [...world.services.values()],
    slices: new Map(),
    nodes: [],
    clusterId: known("c1"),
    epoch: world.term,
    ...(previous === undefined ? {} : { previous }),
    gateways: (pool.spec?.gateways ?? []).map((gateway) => gatewayOf(world, gateway)),
    leaving: [],
    ...(isCloud
      ? {
          neutron: known({
            ports: [...world.ports.values()].filter(({ description }) => description === mark),
            floatingIps: [...world.floatingIps.values()].filter(({ description }) => description === mark),
            named: [],
            namedFloatingIps: [],
            subnets: [{ ...subnet, id: "3f3ee4f4-6a0a-4b8e-9d3c-0a3f0c1f7a11" }],
          }),
        }
      : {}),
    usedBefore: new Set(world.usedBefore),
    graceMs: 600_000,
    told: new Map(),
    unusedForMs: new Map([...world.unusedSinceMs].map(([name, sinceMs]) => [name, nowMs - sinceMs])),
    failed: new Map(),
  };
  world.seen = { observed, nowMs };
  return world.seen;
}

function gatewayOf(world: ModelWorld, gateway: GatewayObserved["gateway"]): GatewayObserved {
  const model = world.gateways.get(gateway.name);
  if (model === undefined) throw new Error(`no gateway ${gateway.name}`);
  const pairs = [...model.pairs].map((address) => ({ address }));
  const port = { ...portOf(gateway.externalPortID ?? "", "10.0.1.2", ""), allowedAddressPairs: pairs };
  const external = world.isCloud ? { external: known(port) } : {};
  if (model.isSilent) {
    const mayCarry = new Set([...model.mayCarry, ...addressesIn(model.carried)]);
    return { gateway, state: { kind: "silent", reason: "GatewayUnreachable", message: "", mayCarry }, ...external };
  }
  const groups = [{ name: "a", role: "master" as const }];
  const status = { name: gateway.name, problems: [], ready: true, keepalived: "running" as const, groups };
  const carried = model.carried === undefined ? {} : { carried: model.carried };
  return { gateway, state: { kind: "answers", api: "v2", status, ...carried }, ...external };
}

export function planModel(seen: Seen): PoolPlan {
  const plan = planPool(seen.observed);
  if (plan.situation !== undefined) seen.offered = plan.situation.document;
  return plan;
}

/** As the controller does after a round. */
export function reportModel(world: ModelWorld, { situation }: PoolPlan): void {
  if (situation === undefined) return;
  for (const { known: addresses } of situation.targets)
    for (const { id, publicAddress = id } of addresses) world.usedBefore.add(id).add(publicAddress);
  const names = [
    ...unusedAddresses(situation).map(({ id }) => id),
    ...unusedFloatingIps(situation).map(({ address }) => address),
  ];
  world.unusedSinceMs = new Map(names.map((name) => [name, world.unusedSinceMs.get(name) ?? world.nowMs]));
}

export function applyModel(world: ModelWorld, action: GatewayAction): void {
  switch (action.kind) {
    case "hold-pool":
    case "release-pool":
      return changePool(world, action.kind === "hold-pool");
    case "claim-service":
    case "release-service":
      return annotate(world, action);
    case "publish-ingress":
    case "withdraw-ingress":
      return change(world, action.service, (service) => ({
        ...service,
        status: { ...service.status, loadBalancer: { ingress: action.ingress } },
      }));
    case "push-document":
      return push(world, action.gateway);
    default:
      return applyCloud(world, action);
  }
}

function changePool(world: ModelWorld, isHeld: boolean): void {
  const { pool } = world;
  // One that is gone looks to the planner as one that nobody holds.
  world.pool = { ...pool, metadata: { ...pool.metadata, finalizers: isHeld ? [poolFinalizer] : [] } };
}

function annotate(
  world: ModelWorld,
  { kind, service, annotations }: Extract<GatewayAction, { readonly kind: "claim-service" | "release-service" }>,
): void {
  change(world, service, (now) => {
    const merged = Object.entries({ ...now.metadata.annotations, ...annotations });
    const kept = merged.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
    const finalizers = kind === "claim-service" ? [poolFinalizer] : [];
    return { ...now, metadata: { ...now.metadata, annotations: Object.fromEntries(kept), finalizers } };
  });
}

/** One that is being deleted and that nobody holds is gone. */
export function change(world: ModelWorld, { metadata }: Service, how: (service: Service) => Service): void {
  const now = world.services.get(metadata.name);
  if (now === undefined || now.metadata.uid !== metadata.uid) return;
  const next = how(now);
  const isGone = next.metadata.deletionTimestamp !== undefined && (next.metadata.finalizers ?? []).length === 0;
  if (isGone) world.services.delete(metadata.name);
  else world.services.set(metadata.name, next);
}

function push(world: ModelWorld, name: string): void {
  const document = world.seen?.offered;
  const gateway = world.gateways.get(name);
  if (document === undefined || gateway === undefined || gateway.isSilent) return;
  world.sent = document;
  gateway.carried = document;
}

function applyCloud(world: ModelWorld, action: GatewayAction): void {
  world.made += 1;
  switch (action.kind) {
    case "create-port": {
      const id = `port-${world.made}`;
      world.ports.set(id, portOf(id, action.requested ?? `10.0.1.${10 + (world.made % 200)}`, action.mark));
      return;
    }
    case "create-floating-ip": {
      const id = `fip-${world.made}`;
      if (!world.ports.has(action.portId)) throw new Error(`a floating IP for port ${action.portId}, which is gone`);
      world.floatingIps.set(id, floatingIpOf(id, `203.0.113.${world.made % 200}`, action.portId));
      return;
    }
    case "attach-floating-ip": {
      const found = world.floatingIps.get(action.floatingIpId);
      if (found !== undefined) world.floatingIps.set(found.id, { ...found, portId: action.portId });
      return;
    }
    case "set-address-pairs": {
      const pairs = world.gateways.get(action.gateway)?.pairs;
      for (const address of action.add) pairs?.add(address);
      for (const address of action.remove) pairs?.delete(address);
      return;
    }
    case "delete-floating-ip":
      return void world.floatingIps.delete(action.floatingIpId);
    case "delete-port":
      return deletePort(world, action.portId);
    default:
      throw new Error(`${action.kind} is not for this cloud`);
  }
}

function deletePort(world: ModelWorld, portId: string): void {
  const address = world.ports.get(portId)?.fixedIps[0]?.address ?? "";
  for (const { carried, isSilent, pairs } of world.gateways.values())
    if (addressesIn(carried).has(address) && (!isSilent || pairs.has(address)))
      throw new Error(`port ${address} is deleted while a gateway carries it`);
  world.ports.delete(portId);
  for (const [id, one] of world.floatingIps)
    if (one.portId === portId) world.floatingIps.set(id, floatingIpOf(id, one.address));
}
