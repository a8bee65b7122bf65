// The state of a fake OpenStack cloud: tables, time, who acts now, and what is wrong with it. The services work on it synchronously,
// so that a call has its effect at one moment, whole or not at all.

import type { ProvisioningStatus } from "../../../core/openstack/octavia-objects.ts";
import { present } from "../../../core/present.ts";
import type { Clock, Timer } from "../../../ports/clock.ts";
import type { Random } from "../../../ports/random.ts";
import type { CloudTables, FlavorRecord, RecordKind } from "./cloud-records.ts";
import { type CloudSettings, defaultSettings, type FakeOpenStackOptions, type QuotaKind } from "./cloud-settings.ts";
import { type Directory, emptyDirectory } from "./keystone/directory.ts";
import { AddressPools } from "./neutron/address-pools.ts";
import { RecordTable, type Row } from "./record-table.ts";
import { indexKeys } from "./table-indexes.ts";

/** One change of one row. `by` is a user's name, `octavia` for what ends a PENDING phase, or `hand` for faults and set-up. */
export interface CloudChange {
  readonly atMs: number;
  readonly by: string;
  readonly kind: RecordKind;
  readonly id: string;
  readonly before?: Row;
  readonly after?: Row;
}

export type Darkness = "error" | "stuck";
export type PendingStatus = Extract<ProvisioningStatus, `PENDING_${string}`>;

export interface Trouble {
  /** `address` or `address:port`. */
  readonly downMembers: Set<string>;
  /** Balancers of these zones never leave PENDING, or end in ERROR. */
  readonly darkZones: Map<string, Darkness>;
  /** The same for single balancers. */
  readonly darkBalancers: Map<string, Darkness>;
  /** Every balancer in one of these ends in ERROR. */
  readonly failing: Set<PendingStatus>;
  /** Nobody answers at their addresses, and Octavia does not notice. */
  readonly deadBalancers: Set<string>;
  /** Neutron compares no revisions. */
  isForgetful: boolean;
}

export interface Cloud {
  readonly clock: Clock;
  readonly random: Random;
  readonly options: FakeOpenStackOptions;
  readonly settings: CloudSettings;
  readonly tables: { readonly [K in RecordKind]: RecordTable<CloudTables[K]> };
  readonly directory: Directory;
  readonly addresses: AddressPools;
  readonly flavors: FlavorRecord[];
  readonly balancerZones: Map<string, boolean>;
  readonly computeZones: Map<string, boolean>;
  /** Where a subnet lies: a balancer without a zone of its own is where its VIP is. */
  readonly subnetZones: Map<string, string>;
  readonly quotas: Map<string, Map<QuotaKind, number>>;
  readonly trouble: Trouble;
  /** Pools whose provider forgot to say that it is done with them. */
  readonly forgottenPools: Set<string>;
  /** Running PENDING phases and health checks to come, by balancer. */
  readonly phases: Map<string, Timer>;
  readonly healthChecks: Map<string, Timer>;
  readonly changeListeners: Set<(change: CloudChange) => void>;
  actor: string;
}

export function createCloud(options: FakeOpenStackOptions): Cloud {
  const changeListeners = new Set<(change: CloudChange) => void>();
  const cloud: Cloud = {
    clock: options.clock,
    random: options.random,
    options,
    settings: { ...defaultSettings, ...options.settings },
    tables: createTables((kind, before, after) => {
      if (changeListeners.size > 0) announce(cloud, kind, before, after);
    }),
    directory: emptyDirectory(),
    addresses: new AddressPools(),
    flavors: [],
    balancerZones: new Map(Object.entries(options.balancerZones ?? {})),
    computeZones: new Map(Object.entries(options.computeZones ?? {})),
    subnetZones: new Map(),
    quotas: new Map(),
    trouble: {
      downMembers: new Set(),
      darkZones: new Map(),
      darkBalancers: new Map(),
      failing: new Set(),
      deadBalancers: new Set(),
      isForgetful: false,
    },
    forgottenPools: new Set(),
    phases: new Map(),
    healthChecks: new Map(),
    changeListeners,
    actor: "hand",
  };
  return cloud;
}

/** Changes made meanwhile are this one's. */
export function actingAs<T>(cloud: Cloud, actor: string, work: () => T): T {
  const before = cloud.actor;
  cloud.actor = actor;
  try {
    return work();
  } finally {
    cloud.actor = before;
  }
}

/** As Octavia writes it: UTC to the second, without a zone. */
export function timestamp(cloud: Cloud): string {
  return new Date(cloud.clock.nowMs()).toISOString().slice(0, 19);
}

type Publish = (kind: RecordKind, before: Row | undefined, after: Row | undefined) => void;

function announce(cloud: Cloud, kind: RecordKind, before: Row | undefined, after: Row | undefined): void {
  const change: CloudChange = {
    atMs: cloud.clock.nowMs(),
    by: cloud.actor,
    kind,
    id: (after ?? before)?.id ?? "",
    ...present({ before, after }),
  };
  for (const listener of cloud.changeListeners) listener(change);
}

function createTables(publish: Publish): Cloud["tables"] {
  const table = <K extends RecordKind>(kind: K) =>
    new RecordTable<CloudTables[K]>(indexKeys[kind], (before, after) => publish(kind, before, after));
  return {
    loadbalancers: table("loadbalancers"),
    listeners: table("listeners"),
    pools: table("pools"),
    healthmonitors: table("healthmonitors"),
    members: table("members"),
    networks: table("networks"),
    subnets: table("subnets"),
    ports: table("ports"),
    routers: table("routers"),
    floatingips: table("floatingips"),
    servers: table("servers"),
  };
}
