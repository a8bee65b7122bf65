// What Octavia does with a change of a balancer, or of anything below it: one change at a time, and what it refuses is refused here.
// Judged by the strict fake cloud, which the real services judge: cloud-model.test.ts.

import type { CloudKind, EndpointAction } from "../../../src/jobs/api-endpoint/core/model/action.ts";
import { hasMember, memberChanges } from "./change-members.ts";
import { type BalancerRow, type IdSequence, listenerRow, monitorRow, poolRow } from "./cloud-rows.ts";
import { must, refuse, refuseUnless } from "./model-refusal.ts";
import {
  checkAccessList,
  checkAlgorithm,
  checkPoolMutable,
  checkRanges,
  maskedFor,
  mustBeOurs,
  partOf,
  rulesOf,
} from "./octavia-rules.ts";

type OctaviaKind = Exclude<CloudKind, "create-load-balancer" | `${string}-floating-ip`>;
export type OctaviaAction = Extract<EndpointAction, { readonly kind: OctaviaKind }>;
type ActionOf<K extends OctaviaKind> = Extract<EndpointAction, { readonly kind: K }>;

/** What a change of a row needs to know beside it. */
export interface OctaviaContext {
  readonly ids: IdSequence;
  /** Whether an address is in a subnet; of an unknown subnet nobody can tell. */
  readonly isIn: (subnetId: string, address: string) => boolean;
}

/** Each checks first and changes then: a refused change leaves everything as it was. */
export type Changes<K extends OctaviaKind = OctaviaKind> = {
  readonly [Kind in K]: (row: BalancerRow, action: ActionOf<Kind>, context: OctaviaContext) => void;
};

export function isOctaviaAction(action: EndpointAction): action is OctaviaAction {
  return Object.hasOwn(changes, action.kind);
}

export function changeOctavia(rows: readonly BalancerRow[], action: OctaviaAction, context: OctaviaContext): void {
  if (action.kind === "create-listener" || action.kind === "create-monitor") checkRanges(action.wanted);
  const row = rowOf(rows, action);
  if (row === undefined) {
    // Deleting what is gone is done.
    if (removals.has(action.kind)) return;
    refuse(action.kind === "create-pool" ? "ServerError" : "NotFound", JSON.stringify(action));
  }
  must(!row.foreign, `${action.kind} on a foreign balancer`);
  if (action.kind === "update-listener" || action.kind === "update-monitor") checkRanges(action.change);
  if (action.kind === "update-listener") maskedFor(row.lb, action.change.allowedCidrs ?? []);
  if (action.kind === "remove-member" && !hasMember(row, action)) return;
  const allowed = onErrorToo.has(action.kind) ? ["ACTIVE", "ERROR"] : ["ACTIVE"];
  const { name, provisioningStatus } = row.lb;
  const complaint = `${name} is immutable (${provisioningStatus}): ${action.kind}`;
  refuseUnless(allowed.includes(provisioningStatus), "Conflict", complaint);
  (changes[action.kind] as (row: BalancerRow, action: OctaviaAction, context: OctaviaContext) => void)(
    row,
    action,
    context,
  );
  row.lb.provisioningStatus = action.kind === "delete-load-balancer" ? "PENDING_DELETE" : "PENDING_UPDATE";
}

const onErrorToo: ReadonlySet<OctaviaKind> = new Set(["delete-load-balancer", "failover-load-balancer"]);
const removals: ReadonlySet<OctaviaKind> = new Set([
  "delete-load-balancer",
  "delete-listener",
  "delete-pool",
  "delete-monitor",
  "remove-member",
]);

function rowOf(rows: readonly BalancerRow[], action: OctaviaAction): BalancerRow | undefined {
  const id = targetOf(action);
  return rows.find(({ lb, listeners, pools, monitors }) =>
    [lb, ...listeners, ...pools, ...monitors].some((part) => part.id === id),
  );
}

/** What it changes, or below what it makes something. */
export function targetOf(action: OctaviaAction): string {
  switch (action.kind) {
    case "create-listener":
      return action.wanted.loadBalancerId;
    case "create-pool":
      return action.wanted.listenerId;
    case "create-monitor":
      return action.wanted.poolId;
    case "merge-members":
    case "remove-member":
      return action.poolId;
    default:
      return action.id;
  }
}

const balancerChanges: Changes<"update-load-balancer" | "delete-load-balancer" | "failover-load-balancer"> = {
  "update-load-balancer": ({ lb }, { change }) => void Object.assign(lb, change),
  "delete-load-balancer": () => undefined,
  "failover-load-balancer": ({ lb }) =>
    refuseUnless(rulesOf(lb).failover, "Unsupported", `failover of provider ${lb.provider}`),
};

/** Each has numbers of its own; all other protocols run over TCP. */
function transportOf({ protocol }: { readonly protocol: string }): string {
  return ["UDP", "SCTP"].includes(protocol) ? protocol : "TCP";
}

const listenerChanges: Changes<"create-listener" | "update-listener" | "delete-listener"> = {
  "create-listener": (row, { wanted }, { ids }) => {
    const { lb, listeners, monitors } = row;
    const isTaken = listeners.some((one) => one.port === wanted.port && transportOf(one) === transportOf(wanted));
    refuseUnless(!isTaken, "Conflict", "another listener has the port");
    const allowedCidrs = maskedFor(lb, wanted.allowedCidrs ?? []);
    checkAccessList(lb, allowedCidrs);
    must(!rulesOf(lb).hangsOnLateListeners || monitors.length === 0, "PENDING for ever: OVN has a monitor there");
    listeners.push(listenerRow(ids, lb.id, { ...wanted, allowedCidrs }));
  },
  "update-listener": ({ lb, listeners }, { id, change }) => {
    const allowedCidrs = maskedFor(lb, change.allowedCidrs ?? []);
    checkAccessList(lb, allowedCidrs);
    Object.assign(partOf(listeners, id), change, change.allowedCidrs === undefined ? {} : { allowedCidrs });
  },
  /** Its pool stays, and serves nobody. */
  "delete-listener": (row, { id }) => {
    mustBeOurs(partOf(row.listeners, id));
    row.listeners = row.listeners.filter((listener) => listener.id !== id);
  },
};

const poolChanges: Changes<"create-pool" | "update-pool" | "delete-pool"> = {
  "create-pool": ({ lb, listeners, pools }, { wanted }, { ids }) => {
    const { listenerId, name, protocol, algorithm, tags } = wanted;
    const listener = partOf(listeners, listenerId);
    refuseUnless(listener.defaultPoolId === undefined, "Conflict", "the listener has a pool");
    checkAlgorithm(lb, algorithm);
    const pool = poolRow(ids, { name, protocol, algorithm, tags });
    pools.push(pool);
    listener.defaultPoolId = pool.id;
  },
  /** Also one that OVN has forgotten, or that is in ERROR, comes to rest again. */
  "update-pool": ({ lb, pools }, { id, change }) => {
    if (change.algorithm !== undefined) checkAlgorithm(lb, change.algorithm);
    Object.assign(partOf(pools, id), change, { status: "ACTIVE" });
  },
  "delete-pool": (row, { id }) => {
    mustBeOurs(partOf(row.pools, id));
    row.pools = row.pools.filter((pool) => pool.id !== id);
    row.monitors = row.monitors.filter(({ poolId }) => poolId !== id);
    for (const listener of row.listeners)
      if (listener.defaultPoolId === id) delete (listener as { defaultPoolId?: string }).defaultPoolId;
  },
};

const monitorChanges: Changes<"create-monitor" | "update-monitor" | "delete-monitor"> = {
  "create-monitor": ({ pools, monitors }, { wanted }, { ids }) => {
    checkPoolMutable(partOf(pools, wanted.poolId));
    const has = monitors.some(({ poolId }) => poolId === wanted.poolId);
    refuseUnless(!has, "Conflict", "the pool has a monitor");
    monitors.push(monitorRow(ids, wanted));
  },
  "update-monitor": ({ pools, monitors }, { id, change }) => {
    const monitor = partOf(monitors, id);
    checkPoolMutable(partOf(pools, monitor.poolId));
    Object.assign(monitor, change);
  },
  "delete-monitor": (row, { id }) => {
    const monitor = partOf(row.monitors, id);
    const pool = partOf(row.pools, monitor.poolId);
    checkPoolMutable(pool);
    row.monitors = row.monitors.filter((other) => other !== monitor);
    // OVN speaks of the balancer's first pool afterwards, and forgets the one that it was about.
    const [first] = row.pools.map((one) => one.id).toSorted();
    if (rulesOf(row.lb).mistakesMonitorsPool && first !== pool.id) pool.status = "PENDING_UPDATE";
  },
};

const changes: Changes = {
  ...balancerChanges,
  ...listenerChanges,
  ...poolChanges,
  ...monitorChanges,
  ...memberChanges,
};
