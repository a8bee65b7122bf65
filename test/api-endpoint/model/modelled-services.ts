// The modelled Octavia and Neutron: what there is, what tests add to it by hand, and how time ends what is PENDING.

import { type Known, known } from "../../../src/core/known.ts";
import { isInside } from "../../../src/core/net/ip.ts";
import type { CreateLoadBalancer, LoadBalancer } from "../../../src/core/openstack/octavia-objects.ts";
import { present } from "../../../src/core/present.ts";
import type { Capabilities, Places } from "../../../src/jobs/api-endpoint/core/model/observed.ts";
import { detach } from "./change-neutron.ts";
import type { OctaviaContext } from "./change-octavia.ts";
import {
  type BalancerRow,
  type FloatingIpRow,
  IdSequence,
  listenerRow,
  memberRow,
  monitorRow,
  poolRow,
} from "./cloud-rows.ts";
import { amphora, capoDescription, legacyName, ownerId } from "./endpoint-builders.ts";
import { refuseUnless } from "./model-refusal.ts";
import { rulesOf } from "./octavia-rules.ts";

const settleMs = 5_000;
const start = Date.UTC(2026, 0, 1);

export class ModelledServices implements OctaviaContext {
  rows: BalancerRow[] = [];
  floatingIps: FloatingIpRow[] = [];
  capabilities: Known<Capabilities> = known(amphora);
  places: Known<Places>;
  /** The cloud's own choice. */
  defaultProvider = "amphora";
  nowMs = start;
  readonly ids = new IdSequence();
  #vips = 100;
  #setByMs = 0;

  constructor(places: Places) {
    this.places = known(places);
  }

  readonly isIn = (subnetId: string, address: string): boolean => {
    const subnets = this.places.known ? this.places.value.knownSubnets : [];
    const subnet = subnets.find(({ id }) => id === subnetId);
    return subnet === undefined || isInside(address, subnet.cidr);
  };

  get monotonicMs(): number {
    return this.nowMs - start - this.#setByMs;
  }

  /** The wall clock, which is ours and the cloud's. No time passes. */
  setClock(byMs: number): void {
    this.nowMs += byMs;
    this.#setByMs += byMs;
  }

  /** Ends every PENDING phase. */
  settle(): void {
    this.nowMs += settleMs;
    this.rows = this.rows.filter(({ lb }) => lb.provisioningStatus !== "PENDING_DELETE");
    for (const { lb } of this.rows) {
      if (lb.provisioningStatus.startsWith("PENDING_")) lb.provisioningStatus = "ACTIVE";
    }
    const ports = new Set(this.rows.map(({ lb }) => lb.vipPortId));
    for (const one of this.floatingIps) {
      if (one.portId?.startsWith("vip-") && !ports.has(one.portId)) detach(one);
    }
  }

  /** A balancer that somebody else made, ACTIVE; with what CAPO puts below it when `port` is given. */
  addBalancer(over: Partial<LoadBalancer>, port?: number): BalancerRow {
    const row = this.createBalancer({ name: "x", description: "", tags: [], vipSubnetId: "sub-nodes", ...over });
    Object.assign(row.lb, { provisioningStatus: "ACTIVE", ...over });
    if (port === undefined) return row;
    const name = `${row.lb.name}-${port}`;
    const pool = poolRow(this.ids, { name });
    row.pools.push(pool);
    row.listeners.push(listenerRow(this.ids, row.lb.id, { name, port, tags: [], defaultPoolId: pool.id }));
    row.monitors.push(monitorRow(this.ids, { name, poolId: pool.id }));
    return row;
  }

  /** CAPO's balancer, kept as a fall-back, with the first machine of az1 behind it. */
  addFallback(): BalancerRow {
    const tags = [`mainstay-owner=${ownerId}`, "mainstay-role=fallback"];
    const made = { name: legacyName, description: capoDescription, tags, vipAddress: "10.7.0.9" };
    const row = this.addBalancer(made, 6443);
    this.addMember(row, `${legacyName}-6443-cp-az1-1`, "10.6.1.1");
    return row;
  }

  addMember(row: BalancerRow, name: string, address: string, port = 6443): void {
    row.pools[0]?.members.push(memberRow(this.ids, { name, address, port }));
  }

  addFloatingIp(over: Partial<FloatingIpRow>): FloatingIpRow {
    const one: FloatingIpRow = {
      id: this.ids.next("fip"),
      address: `203.0.113.${10 + this.floatingIps.length}`,
      floatingNetworkId: "public",
      description: "",
      tags: [],
      projectId: "p",
      revisionNumber: 0,
      ...over,
    };
    this.floatingIps.push(one);
    return one;
  }

  createBalancer(wanted: CreateLoadBalancer): BalancerRow {
    const {
      name,
      description,
      tags,
      vipSubnetId = "sub-nodes",
      vipNetworkId = "net",
      flavorId,
      availabilityZone,
    } = wanted;
    const provider = wanted.provider ?? this.defaultProvider;
    const takesZone = availabilityZone === undefined || rulesOf({ provider }).zones === true;
    refuseUnless(takesZone, "Unsupported", `provider ${provider}: availability zones`);
    const id = this.ids.next("lb");
    const row: BalancerRow = {
      lb: {
        id,
        name,
        description,
        tags,
        adminStateUp: true,
        projectId: "p",
        provider,
        provisioningStatus: "PENDING_CREATE",
        operatingStatus: "ONLINE",
        vipAddress: this.#vipFor(wanted),
        vipPortId: `vip-${id}`,
        vipSubnetId,
        vipNetworkId,
        createdAt: new Date(this.nowMs).toISOString().slice(0, 19),
        ...present({ flavorId, availabilityZone }),
      },
      listeners: [],
      pools: [],
      monitors: [],
    };
    this.rows.push(row);
    return row;
  }

  #vipFor({ vipAddress, vipSubnetId }: CreateLoadBalancer): string {
    const subnets = this.places.known
      ? [...this.places.value.zoneSubnets.values()].flatMap((found) => (found.found === "one" ? [found.value] : []))
      : [];
    const cidr = subnets.find(({ id }) => id === vipSubnetId)?.cidr ?? "10.6.0.0/16";
    const address = vipAddress ?? cidr.replace(/0\/\d+$/, String((this.#vips += 1)));
    const isFree = !this.rows.some(({ lb }) => lb.vipAddress === address);
    refuseUnless(isFree, "ServerError", `${address} is taken`);
    return address;
  }
}
