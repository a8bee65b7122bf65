// A small, pure model of Octavia and Neutron and of the object's bookkeeping: strict about what the real services refuse, so that a
// planner that asks for something illegal fails its test. Time moves only when told to.

import { type Known, known } from "../../src/core/known.ts";
import type { FloatingIp } from "../../src/core/openstack/neutron-objects.ts";
import type {
  CreateLoadBalancer,
  HealthMonitor,
  Listener,
  LoadBalancer,
  MemberNode,
  OperatingStatus,
  ProvisioningStatus,
  StatusTree,
} from "../../src/core/openstack/octavia-objects.ts";
import type { Plan } from "../../src/core/plan.ts";
import type { LoadBalancerStatus } from "../../src/jobs/api-endpoint/apis/load-balancer/api-server-load-balancer.ts";
import { type EndpointAction, isCloudAction } from "../../src/jobs/api-endpoint/core/model/action.ts";
import { type EndpointIntent, zonesOf } from "../../src/jobs/api-endpoint/core/model/intent.ts";
import {
  balancerDescription,
  floatingIpDescription,
  singleName,
  zoneName,
} from "../../src/jobs/api-endpoint/core/model/names.ts";
import type {
  BalancerObserved,
  Capabilities,
  EndpointObserved,
  MachineObserved,
  ObjectFacts,
  Places,
  RecordedBalancer,
  RecordedEndpoint,
} from "../../src/jobs/api-endpoint/core/model/observed.ts";
import { hasAnyOwnerTag, hasOwnerTag, isFloatingIpMade } from "../../src/jobs/api-endpoint/core/model/ownership.ts";
import { planEndpoint } from "../../src/jobs/api-endpoint/core/plan.ts";
import { elsewhere } from "../../src/jobs/api-endpoint/core/situation/location.ts";
import { standingOf, unknownFor } from "../../src/jobs/api-endpoint/core/situation/standing.ts";
import { type EndpointReport, endpointStatus } from "../../src/jobs/api-endpoint/core/status.ts";
import { amphora, capoDescription, legacyName, location, ownerId, placesOf } from "./endpoint-builders.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
/** Weight 0: it gets no new connections, and the tree says DRAINING. */
type MemberRow = Mutable<MemberNode> & { weight: number };
type PoolRow = {
  id: string;
  name: string;
  status: ProvisioningStatus;
  algorithm: string;
  protocol: string;
  adminStateUp: boolean;
  tags: readonly string[];
  members: MemberRow[];
  subnets: Map<string, string | undefined>;
};

const plainPool = {
  status: "ACTIVE" as const,
  algorithm: "ROUND_ROBIN",
  protocol: "TCP",
  adminStateUp: true,
  tags: [] as readonly string[],
};

export interface BalancerRow {
  lb: Mutable<LoadBalancer>;
  listeners: Mutable<Listener>[];
  pools: PoolRow[];
  monitors: Mutable<HealthMonitor>[];
  /** Not ours: whoever touches it has broken a law. */
  foreign?: boolean;
  hidden?: boolean;
}

const octaviaChanges = new Set<EndpointAction["kind"]>([
  "update-load-balancer",
  "delete-load-balancer",
  "failover-load-balancer",
  "create-listener",
  "update-listener",
  "delete-listener",
  "create-pool",
  "update-pool",
  "delete-pool",
  "create-monitor",
  "delete-monitor",
  "update-monitor",
  "merge-members",
  "remove-member",
]);

export class CloudModel {
  intent: EndpointIntent;
  machines: MachineObserved[] = [];
  /** Addresses at which an API server answers. */
  up = new Set<string>();
  capabilities: Known<Capabilities> = known(amphora);
  places: Known<Places>;
  recorded: RecordedEndpoint = { zones: [], single: undefined, networkId: undefined };
  object: Mutable<ObjectFacts> = {
    uid: ownerId,
    resourceVersion: "1",
    hasFinalizer: true,
    paused: false,
    provisioned: false,
    handOff: "none",
  };
  /** Where the credentials lead to. What is in this model is in one location. */
  location = location;
  rows: BalancerRow[] = [];
  floatingIps: Mutable<FloatingIp>[] = [];
  /** Neutron does not answer: what it was asked to do it may have done, and nobody sees it. */
  neutronAway = false;
  problems: EndpointObserved["problems"] = [];
  /** What the engine remembers of refused steps. */
  failed = new Map<string, number>();
  /** The cloud's own choice. */
  defaultProvider = "amphora";
  nowMs = Date.UTC(2026, 0, 1);
  status: EndpointReport | undefined;
  #deletingSinceMs: number | undefined;
  #count = 0;
  #vips = 100;

  constructor(intent: EndpointIntent) {
    this.intent = intent;
    this.places = known(placesOf(zonesOf(intent).map(({ zone }) => zone)));
  }

  observe(): EndpointObserved {
    const names = [
      singleName(this.intent.cluster),
      ...zonesOf(this.intent).map(({ zone }) => zoneName(this.intent.cluster, zone)),
    ];
    const seen = this.rows.filter(
      ({ lb }) => hasOwnerTag(lb.tags, ownerId) || names.includes(lb.name) || lb.id === this.recorded.single?.id,
    );
    const ports = seen.map(({ lb }) => lb.vipPortId);
    const own = standingOf(this.intent, this.object);
    const strayed = own.is === "ours" ? elsewhere(this.intent, this.location) : undefined;
    const unknown = strayed === undefined ? undefined : unknownFor(strayed);
    const cloud = {
      capabilities: this.capabilities,
      places: this.places,
      balancers: known(seen.map((row) => this.#observed(row))),
      floatingIps: this.neutronAway ? unseen("floating IPs: 503") : known(this.#floatingIpsSeen(ports)),
      location: this.location,
    };
    return {
      intent: this.intent,
      recorded: this.recorded,
      standing: strayed ?? own,
      ...(unknown === undefined
        ? cloud
        : { capabilities: unknown, places: unknown, balancers: unknown, floatingIps: unknown }),
      machines: this.machines,
      object: { ...this.object, ...this.#deletion() },
      problems: this.problems ?? [],
      failed: this.failed,
    };
  }

  /** It began with the first look that showed it. */
  #deletion(): Pick<ObjectFacts, "deletingSinceMs"> {
    this.#deletingSinceMs = this.intent.deleting ? (this.#deletingSinceMs ?? this.nowMs) : undefined;
    return this.#deletingSinceMs === undefined ? {} : { deletingSinceMs: this.#deletingSinceMs };
  }

  #floatingIpsSeen(ports: readonly string[]): readonly FloatingIp[] {
    const descriptions = [
      undefined,
      ...zonesOf(this.intent).map(({ zone }) => zone),
      ...this.recorded.zones.map(({ zone }) => zone),
    ].map((zone) => floatingIpDescription(ownerId, zone));
    return this.floatingIps
      .filter(
        ({ portId, description, tags, address }) =>
          (portId !== undefined && ports.includes(portId)) ||
          descriptions.includes(description) ||
          hasOwnerTag(tags, ownerId) ||
          address === this.intent.floatingIp.address ||
          [this.recorded.single, ...this.recorded.zones].some((entry) => entry?.address === address) ||
          address === this.intent.endpoint?.host,
      )
      .map((one) => {
        const vip = this.rows.find(({ lb }) => lb.vipPortId === one.portId)?.lb.vipAddress;
        return { ...one, ...(vip === undefined ? {} : { fixedAddress: vip }) };
      });
  }

  #observed({ lb, listeners, pools, monitors, hidden }: BalancerRow): BalancerObserved {
    const health = ({ address, weight }: MemberRow): OperatingStatus => {
      if (!this.up.has(address)) return "ERROR";
      return weight === 0 ? "DRAINING" : "ONLINE";
    };
    const tree: StatusTree = {
      id: lb.id,
      name: lb.name,
      provisioningStatus: lb.provisioningStatus,
      operatingStatus: lb.operatingStatus,
      listeners: listeners.map(({ id, name, provisioningStatus, operatingStatus, defaultPoolId }) => ({
        id,
        name,
        provisioningStatus,
        operatingStatus,
        poolIds: defaultPoolId === undefined ? [] : [defaultPoolId],
      })),
      pools: pools.map(({ id, name, members, status }) => {
        const healthMonitor = monitors.find(({ poolId }) => poolId === id);
        return {
          id,
          name,
          provisioningStatus: status,
          operatingStatus: "ONLINE",
          ...(healthMonitor === undefined ? {} : { healthMonitor }),
          members: members.map(({ weight, ...member }) => ({
            ...member,
            operatingStatus: healthMonitor === undefined ? "NO_MONITOR" : health({ ...member, weight }),
          })),
        };
      }),
    };
    return {
      balancer: { ...lb },
      listeners: listeners.map((listener) => ({ ...listener })),
      monitors: monitors.filter(({ tags }) => hasOwnerTag(tags, ownerId)).map((monitor) => ({ ...monitor })),
      pools: pools
        .filter(({ tags }) => hasOwnerTag(tags, ownerId))
        .map(({ status, members: _, subnets: _subnets, ...pool }) => ({
          ...pool,
          provisioningStatus: status,
          operatingStatus: "ONLINE",
          loadBalancerId: lb.id,
          listenerIds: listeners.flatMap(({ id, defaultPoolId }) => (defaultPoolId === pool.id ? [id] : [])),
        })),
      tree: hidden ? unseen("status tree: 503") : known(tree),
    };
  }

  plan(): Plan<EndpointAction> {
    return planEndpoint(this.observe(), this.nowMs);
  }

  /** Ends every PENDING phase. */
  settle(): void {
    this.nowMs += 5_000;
    this.rows = this.rows.filter(({ lb }) => lb.provisioningStatus !== "PENDING_DELETE");
    for (const { lb } of this.rows) {
      if (lb.provisioningStatus.startsWith("PENDING_")) lb.provisioningStatus = "ACTIVE";
    }
    const ports = new Set(this.rows.map(({ lb }) => lb.vipPortId));
    for (const one of this.floatingIps) {
      if (one.portId?.startsWith("vip-") && !ports.has(one.portId)) delete (one as { portId?: string }).portId;
    }
  }

  report(plan: Plan<EndpointAction> = this.plan()): void {
    const status = endpointStatus(this.observe(), { plan, failures: [] }, this.nowMs);
    this.status = status;
    this.object.provisioned = status.provisioned;
    const dns = new Map(status.dns.map(({ zone, memory }) => [zone, memory]));
    this.recorded = {
      zones: status.zones.map((entry) => ({
        zone: entry.availabilityZone,
        ...recordedBalancer(entry),
        dns: dns.get(entry.availabilityZone),
      })),
      single: status.single === undefined ? undefined : recordedBalancer(status.single),
      networkId: status.network?.id,
      location: status.location,
      unansweredUntilMs: status.unansweredUntilMs,
      leaving: status.leaving ?? [],
    };
  }

  /** One round as the engine makes it; afterwards Octavia has come to rest. */
  round(): Plan<EndpointAction> {
    const plan = this.plan();
    for (const action of plan.actions) this.apply(action);
    this.report(plan);
    this.settle();
    return plan;
  }

  /** Rounds until a plan does and waits for nothing. */
  converge(most = 120): readonly EndpointAction[] {
    const done: EndpointAction[] = [];
    for (let round = 0; round < most; round += 1) {
      const plan = this.round();
      done.push(...plan.actions);
      if (plan.actions.length === 0 && plan.waits.length === 0) return done;
    }
    throw new Error(`not quiet after ${most} rounds: ${JSON.stringify(this.plan(), undefined, 1)}`);
  }

  row(name: string): BalancerRow {
    const named = this.rows.filter(({ lb, foreign }) => lb.name === name && !foreign);
    const found = named.find(({ lb }) => !lb.tags.includes("mainstay-role=fallback")) ?? named[0];
    if (found === undefined)
      throw new Error(`no balancer ${name} among ${this.rows.map(({ lb }) => lb.name).join(", ")}`);
    return found;
  }

  /** Addresses behind a port of a balancer, sorted. */
  members(name: string, port = 6443): readonly string[] {
    const { listeners, pools } = this.row(name);
    const poolId = listeners.find((listener) => listener.port === port)?.defaultPoolId;
    return (pools.find(({ id }) => id === poolId)?.members ?? []).map(({ address }) => address).toSorted();
  }

  ours(): readonly BalancerRow[] {
    return this.rows.filter(({ foreign }) => !foreign);
  }

  /** Balancers with a healthy member of a machine that exists. */
  waysIn(): number {
    const real = new Set(this.machines.flatMap(({ addresses }) => addresses));
    return this.ours().filter((row) => this.#serves(row, real)).length;
  }

  /** Published addresses at which somebody answers. */
  waysPublished(): number {
    const published = this.object.dnsEndpoint?.addresses ?? [];
    return this.ours().filter(
      (row) =>
        row.lb.adminStateUp &&
        this.#serves(row, this.up) &&
        this.floatingIps.some(({ portId, address }) => portId === row.lb.vipPortId && published.includes(address)),
    ).length;
  }

  #serves({ lb, listeners, pools }: BalancerRow, real: ReadonlySet<string>): boolean {
    if (lb.provisioningStatus !== "ACTIVE" && lb.provisioningStatus !== "PENDING_UPDATE") return false;
    const poolId = listeners.find(({ port }) => port === this.intent.apiPort)?.defaultPoolId;
    return pools.some(
      ({ id, members }) => id === poolId && members.some(({ address }) => this.up.has(address) && real.has(address)),
    );
  }

  /** Adds a machine that answers. */
  join(...machines: readonly MachineObserved[]): void {
    this.machines.push(...machines);
    for (const { addresses } of machines) for (const address of addresses) this.up.add(address);
  }

  setDeleting(name: string): void {
    this.machines = this.machines.map((machine) => (machine.name === name ? { ...machine, deleting: true } : machine));
  }

  leave(name: string): void {
    this.machines = this.machines.filter((machine) => machine.name !== name);
  }

  /** CAPO's balancer, kept as a fall-back, with the first machine of az1 behind it. */
  addFallback(): BalancerRow {
    const tags = [`mainstay-owner=${ownerId}`, "mainstay-role=fallback"];
    const row = this.addBalancer(
      { name: legacyName, description: capoDescription, tags, vipAddress: "10.7.0.9" },
      6443,
    );
    this.addMember(row, `${legacyName}-6443-cp-az1-1`, "10.6.1.1");
    return row;
  }

  /** A balancer that somebody else made, ACTIVE; with what CAPO puts below it when `port` is given. */
  addBalancer(over: Partial<LoadBalancer>, port?: number): BalancerRow {
    const row = this.#newRow({ name: "x", description: "", tags: [], vipSubnetId: "sub-nodes", ...over });
    Object.assign(row.lb, { provisioningStatus: "ACTIVE", ...over });
    if (port === undefined) return row;
    const pool: PoolRow = {
      id: this.#id("pool"),
      name: `${row.lb.name}-${port}`,
      ...plainPool,
      members: [],
      subnets: new Map(),
    };
    row.pools.push(pool);
    row.listeners.push(
      this.#listener(row, { name: pool.name, port, tags: [], defaultPoolId: pool.id, allowedCidrs: [] }),
    );
    const timings = { delaySeconds: 10, timeoutSeconds: 5, maxRetries: 5, maxRetriesDown: 3 };
    row.monitors.push({
      id: this.#id("hm"),
      name: pool.name,
      poolId: pool.id,
      type: "TCP",
      adminStateUp: true,
      tags: [],
      provisioningStatus: "ACTIVE",
      operatingStatus: "ONLINE",
      ...timings,
    });
    return row;
  }

  addMember(row: BalancerRow, name: string, address: string, port = 6443): void {
    row.pools[0]?.members.push({
      id: this.#id("m"),
      name,
      address,
      port,
      weight: 1,
      provisioningStatus: "ACTIVE",
      operatingStatus: "ONLINE",
    });
  }

  addFloatingIp(over: Partial<FloatingIp>): Mutable<FloatingIp> {
    const one: Mutable<FloatingIp> = {
      id: this.#id("fip"),
      address: `203.0.113.${10 + this.floatingIps.length}`,
      floatingNetworkId: "public",
      description: "",
      tags: [],
      projectId: "p",
      ...over,
    };
    this.floatingIps.push(one);
    return one;
  }

  // oxlint-disable-next-line complexity -- one case for each kind of action
  apply(action: EndpointAction): void {
    must(
      !isCloudAction(action) || this.intent.location === this.location,
      `${action.kind} where nothing was written down`,
    );
    if (octaviaChanges.has(action.kind)) this.#change(action);
    switch (action.kind) {
      case "add-finalizer":
        this.object.hasFinalizer = true;
        return;
      case "claim-owner-id":
        this.intent = { ...this.intent, ownerId: action.ownerId };
        return;
      case "record-location":
        this.intent = { ...this.intent, location: action.location };
        return;
      case "remove-finalizer":
        this.object.hasFinalizer = false;
        return;
      case "set-endpoint":
        must(
          (this.intent.endpoint?.host ?? "") === "" || this.intent.endpoint?.host === action.host,
          "the endpoint's host is somebody's",
        );
        this.intent = { ...this.intent, endpoint: { host: action.host, port: action.port } };
        return;
      case "hand-off-endpoint":
        this.object.handOff = "done";
        return;
      case "apply-dns-endpoint":
        this.object = { ...this.object, dnsEndpoint: { host: action.host, addresses: action.addresses } };
        return;
      case "delete-dns-endpoint":
        this.object = { ...this.object, dnsEndpoint: undefined };
        return;
      case "create-load-balancer":
        this.#newRow(action.wanted);
        return;
      case "create-floating-ip": {
        const { portId, description, address } = action.wanted;
        must(
          portId === undefined || !this.floatingIps.some((one) => one.portId === portId),
          "409: the port has a floating IP",
        );
        this.addFloatingIp({
          description,
          ...(portId === undefined ? {} : { portId }),
          ...(address === undefined ? {} : { address }),
        });
        return;
      }
      case "attach-floating-ip": {
        const one = this.#floatingIp(action.id);
        must(one.portId === undefined, "a floating IP was stolen");
        one.portId = action.portId;
        return;
      }
      case "detach-floating-ip": {
        const one = this.#floatingIp(action.id);
        must(isFloatingIpMade(one, ownerId), "somebody else's floating IP was detached");
        delete (one as { portId?: string }).portId;
        return;
      }
      case "tag-floating-ip": {
        const one = this.#floatingIp(action.id);
        must(
          isFloatingIpMade(one, ownerId) || !hasAnyOwnerTag(one.tags),
          "a floating IP that somebody else marked was marked as ours",
        );
        one.tags = action.tags;
        return;
      }
      case "delete-floating-ip": {
        const one = this.#floatingIp(action.id);
        must(
          isFloatingIpMade(one, ownerId) || one.description === balancerDescription(this.intent.cluster),
          "somebody else's floating IP was deleted",
        );
        must(
          one.portId === undefined && one.address !== this.intent.floatingIp.address,
          "a floating IP in use was deleted",
        );
        this.floatingIps = this.floatingIps.filter(({ id }) => id !== action.id);
        return;
      }
      default:
    }
  }

  #change(action: EndpointAction): void {
    const row = this.#rowOf(action);
    must(!row.foreign, `${action.kind} on a foreign balancer`);
    const { lb } = row;
    const deletes = action.kind === "delete-load-balancer" || action.kind === "failover-load-balancer";
    const allowed = deletes ? ["ACTIVE", "ERROR"] : ["ACTIVE"];
    must(
      allowed.includes(lb.provisioningStatus),
      `409: ${lb.name} is immutable (${lb.provisioningStatus}): ${action.kind}`,
    );
    lb.provisioningStatus = action.kind === "delete-load-balancer" ? "PENDING_DELETE" : "PENDING_UPDATE";
    this.#changeRow(row, action);
  }

  // oxlint-disable-next-line complexity -- one case for each kind of action
  #changeRow(row: BalancerRow, action: EndpointAction): void {
    switch (action.kind) {
      case "update-load-balancer":
        Object.assign(row.lb, action.change);
        return;
      case "create-listener":
        must(!row.listeners.some(({ port }) => port === action.wanted.port), "409: duplicate listener");
        must(row.lb.provider !== "ovn" || row.monitors.length === 0, "PENDING for ever: OVN has a monitor there");
        row.listeners.push(this.#listener(row, { allowedCidrs: [], ...action.wanted }));
        return;
      case "update-listener":
        Object.assign(row.listeners.find(({ id }) => id === action.id) ?? missing(action), action.change);
        return;
      case "delete-listener":
        mustBeOurs(row.listeners.find(({ id }) => id === action.id) ?? missing(action));
        row.listeners = row.listeners.filter(({ id }) => id !== action.id);
        return;
      case "create-pool": {
        const listener = row.listeners.find(({ id }) => id === action.wanted.listenerId) ?? missing(action);
        must(listener.defaultPoolId === undefined, "409: the listener has a pool");
        const pool: PoolRow = {
          id: this.#id("pool"),
          ...plainPool,
          name: action.wanted.name,
          algorithm: action.wanted.algorithm,
          tags: action.wanted.tags,
          members: [],
          subnets: new Map(),
        };
        row.pools.push(pool);
        listener.defaultPoolId = pool.id;
        return;
      }
      case "update-pool":
        Object.assign(row.pools.find(({ id }) => id === action.id) ?? missing(action), {
          ...action.change,
          status: "ACTIVE",
        });
        return;
      case "delete-pool":
        mustBeOurs(row.pools.find(({ id }) => id === action.id) ?? missing(action));
        row.pools = row.pools.filter(({ id }) => id !== action.id);
        row.monitors = row.monitors.filter(({ poolId }) => poolId !== action.id);
        for (const listener of row.listeners)
          if (listener.defaultPoolId === action.id) delete (listener as { defaultPoolId?: string }).defaultPoolId;
        return;
      case "create-monitor":
        must(!row.monitors.some(({ poolId }) => poolId === action.wanted.poolId), "409: second monitor");
        mutable(row, action.wanted.poolId);
        row.monitors.push({
          id: this.#id("hm"),
          type: "TCP",
          adminStateUp: true,
          provisioningStatus: "ACTIVE",
          operatingStatus: "ONLINE",
          ...action.wanted,
        });
        return;
      case "delete-monitor": {
        const monitor = row.monitors.find(({ id }) => id === action.id) ?? missing(action);
        row.monitors = row.monitors.filter((other) => other !== monitor);
        const [first] = row.pools.map(({ id }) => id).toSorted();
        const pool = row.pools.find(({ id }) => id === monitor.poolId);
        must(pool?.status !== "ERROR", `409: the pool of monitor ${monitor.name} is immutable`);
        if (pool !== undefined && row.lb.provider === "ovn" && first !== pool.id) pool.status = "PENDING_UPDATE";
        return;
      }
      case "update-monitor":
        Object.assign(row.monitors.find(({ id }) => id === action.id) ?? missing(action), action.change);
        return;
      case "merge-members": {
        const pool = mutable(row, action.poolId);
        for (const { name, address, port, subnetId } of action.members) {
          pool.subnets.set(address, subnetId);
          const there = pool.members.find((member) => member.address === address && member.port === port);
          if (there !== undefined) Object.assign(there, { name, weight: 1 });
          else
            pool.members.push({
              id: this.#id("m"),
              name,
              address,
              port,
              weight: 1,
              provisioningStatus: "ACTIVE",
              operatingStatus: "ONLINE",
            });
        }
        return;
      }
      case "remove-member": {
        const pool = mutable(row, action.poolId);
        must(
          pool.members.find(({ id }) => id === action.id)?.name.startsWith("k8s-clusterapi-cluster-default-demo-"),
          "a foreign member was removed",
        );
        pool.members = pool.members.filter(({ id }) => id !== action.id);
        return;
      }
      default:
    }
  }

  #rowOf(action: EndpointAction): BalancerRow {
    const id = balancerTarget(action);
    return (
      this.rows.find(({ lb, listeners, pools, monitors }) =>
        [lb, ...listeners, ...pools, ...monitors].some((part) => part.id === id),
      ) ?? missing(action)
    );
  }

  #newRow({
    name,
    description,
    tags,
    vipSubnetId,
    vipNetworkId,
    vipAddress,
    provider,
    flavorId,
    availabilityZone,
  }: CreateLoadBalancer): BalancerRow {
    const id = this.#id("lb");
    const subnets = this.places.known
      ? [...this.places.value.zoneSubnets.values()].flatMap((found) => (found.found === "one" ? [found.value] : []))
      : [];
    const subnet = subnets.find((candidate) => candidate.id === vipSubnetId);
    const address = vipAddress ?? (subnet?.cidr ?? "10.6.0.0/16").replace(/0\/\d+$/, String((this.#vips += 1)));
    must(!this.rows.some(({ lb }) => lb.vipAddress === address), `500: ${address} is taken`);
    const row: BalancerRow = {
      lb: {
        id,
        name,
        description,
        tags,
        adminStateUp: true,
        projectId: "p",
        provider: provider ?? this.defaultProvider,
        provisioningStatus: "PENDING_CREATE",
        operatingStatus: "ONLINE",
        vipAddress: address,
        vipPortId: `vip-${id}`,
        vipSubnetId: vipSubnetId ?? "sub-nodes",
        vipNetworkId: vipNetworkId ?? "net",
        createdAt: new Date(this.nowMs).toISOString().slice(0, 19),
        ...(flavorId === undefined ? {} : { flavorId }),
        ...(availabilityZone === undefined ? {} : { availabilityZone }),
      },
      listeners: [],
      pools: [],
      monitors: [],
    };
    this.rows.push(row);
    return row;
  }

  #listener(
    row: BalancerRow,
    over: Partial<Listener> & Pick<Listener, "name" | "port" | "tags" | "allowedCidrs">,
  ): Listener {
    return {
      id: this.#id("li"),
      protocol: "TCP",
      adminStateUp: true,
      provisioningStatus: "ACTIVE",
      operatingStatus: "ONLINE",
      clientTimeoutMs: 50_000,
      memberTimeoutMs: 50_000,
      connectionLimit: -1,
      ...over,
      loadBalancerId: row.lb.id,
    };
  }

  #floatingIp(id: string): Mutable<FloatingIp> {
    return this.floatingIps.find((one) => one.id === id) ?? missing({ id });
  }

  #id(prefix: string): string {
    this.#count += 1;
    return `${prefix}-${String(this.#count).padStart(4, "0")}`;
  }
}

/** What identifies the balancer that an action changes. */
export function balancerTarget(action: EndpointAction): string | undefined {
  if (!octaviaChanges.has(action.kind)) return undefined;
  if (action.kind === "create-listener") return action.wanted.loadBalancerId;
  if (action.kind === "create-pool") return action.wanted.listenerId;
  if (action.kind === "create-monitor") return action.wanted.poolId;
  if (action.kind === "merge-members" || action.kind === "remove-member") return action.poolId;
  return "id" in action ? action.id : undefined;
}

function recordedBalancer({ id, name, ip, internalIP, loadBalancerNetwork }: LoadBalancerStatus): RecordedBalancer {
  const subnetId = loadBalancerNetwork?.subnets?.[0]?.id;
  return { id, name, address: ip, internalAddress: internalIP, networkId: loadBalancerNetwork?.id, subnetId };
}

function mutable({ pools }: BalancerRow, poolId: string): PoolRow {
  const pool = pools.find(({ id }) => id === poolId) ?? missing({ poolId });
  must(pool.status === "ACTIVE", `409: pool ${pool.name} is immutable`);
  return pool;
}

function unseen(message: string): Known<never> {
  return { known: false, reason: "OpenStackServerError", message };
}

function must(holds: unknown, message: string): asserts holds {
  if (!holds) throw new Error(message);
}

function mustBeOurs({ name, tags }: { readonly name: string; readonly tags: readonly string[] }): void {
  const isNamed = /^k8s-clusterapi-cluster-default-demo-.*kubeapi-\d+$/.test(name);
  must(isNamed || hasOwnerTag(tags, ownerId), `${name}, which is somebody else's, was deleted`);
}

function missing(what: unknown): never {
  throw new Error(`404: ${JSON.stringify(what)}`);
}
