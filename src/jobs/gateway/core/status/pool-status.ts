// The status of a pool: what each gateway says, which addresses are in use, who is served, and whether all of it is as it should be. What
// nobody could tell stays as it was said last, and the condition says Unknown.

import { byText } from "../../../../core/by-text.ts";
import type { ReportedCondition } from "../../../../core/conditions.ts";
import { cutText } from "../../../../core/cut-text.ts";
import { present } from "../../../../core/present.ts";
import {
  type AddressStatus,
  type GatewayPoolStatus,
  type GatewayStatus,
  maxAddressesShown,
  maxTroublesShown,
  type TroubledService,
} from "../../apis/gateway-pool.ts";
import type { GatewayObserved, PoolObserved } from "../model/observed.ts";
import type { Situation } from "../situation/situation.ts";
import type { ServiceTrouble } from "./service-troubles.ts";

export interface PoolStatusInput {
  readonly observed: PoolObserved;
  readonly situation: Situation | undefined;
  readonly troubles: readonly ServiceTrouble[];
}

export function poolStatus({ observed, situation, troubles }: PoolStatusInput): GatewayPoolStatus {
  const { pool, clusterId } = observed;
  const before = pool.status ?? {};
  const gateways = observed.gateways.map((one) => gatewayStatus(one, before.gateways ?? []));
  const isUnknown = observed.gateways.some(({ state }) => state.kind === "awaited");
  const ready = gateways.filter((gateway) => gateway.ready === true).length;
  const base = {
    ...present({ observedGeneration: pool.metadata.generation }),
    ...(clusterId.known && clusterId.value !== "" ? { clusterID: clusterId.value } : {}),
    gateways,
    gatewaysReady: `${isUnknown && ready === 0 ? "?" : ready}/${gateways.length}`,
  };
  if (situation === undefined) return base;
  const used = addressesInUse(situation);
  const quarantined = [...situation.quarantined].filter((address) => mayBeCarried(address, observed)).toSorted();
  const refused = troubledServices(troubles);
  return {
    ...base,
    version: situation.document.version,
    addresses: { inUse: used.length, quarantined: quarantined.length },
    addressesInUse: used.slice(0, maxAddressesShown),
    quarantinedAddresses: quarantined.slice(0, maxAddressesShown),
    services: { served: situation.targets.filter(({ known }) => known.length > 0).length, refused: refused.length },
    troubledServices: refused.slice(0, maxTroublesShown),
  };
}

/** Of a message: twenty of them are in one object, and the Service has all of it. */
const maxTroubleLength = 500;

/** Each once, with the first that is wrong with it. */
function troubledServices(troubles: readonly ServiceTrouble[]): readonly TroubledService[] {
  const first = new Map<string, TroubledService>();
  for (const { service, reason, message, isRefused } of troubles)
    if (isRefused && !first.has(service))
      first.set(service, { service, reason, message: cutText(message, maxTroubleLength) });
  return [...first.values()].toSorted(byText(({ service }) => service));
}

/** By a gateway that does not answer: all others say what they carry. */
function mayBeCarried(address: string, { gateways }: PoolObserved): boolean {
  return gateways.some(({ state }) => state.kind === "silent" && state.mayCarry.has(address));
}

function gatewayStatus({ gateway, state }: GatewayObserved, before: readonly GatewayStatus[]): GatewayStatus {
  const { name } = gateway;
  const last = before.find((one) => one.name === name);
  if (state.kind === "awaited") return last ?? { name };
  if (state.kind === "silent") {
    const { ready: _, message: __, ...rest } = last ?? { name };
    return { ...rest, name, reachable: false, message: state.message };
  }
  const { status, capabilities, api, carried } = state;
  return {
    name,
    reachable: true,
    ready: status.ready,
    ...present({ message: status.ready ? undefined : status.unready, carries: status.carries ?? carried?.version }),
    groups: status.groups.map((group) => ({ ...group })),
    capability: { api, ...present({ ...capabilities }) },
  };
}

function addressesInUse({ targets, document }: Situation): readonly AddressStatus[] {
  const groups = new Map(document.addresses.map(({ address, group }) => [address, group]));
  const used = new Map<string, AddressStatus>();
  for (const { known } of targets) {
    for (const { id, address, publicAddress } of known) {
      const services = (used.get(address)?.services ?? 0) + 1;
      const portID = id === address ? undefined : id;
      const group = groups.get(address);
      used.set(address, { address, ...present({ publicAddress, portID, group }), services });
    }
  }
  return [...used.values()].toSorted(byText(({ address }) => address));
}

export function gatewaysCondition({ gateways }: PoolObserved): ReportedCondition {
  const type = "GatewaysReady";
  const silent = gateways.flatMap(({ state }) => (state.kind === "silent" ? [state] : []));
  const [first] = silent;
  if (first !== undefined) {
    const more = silent.length > 1 ? ` (and ${silent.length - 1} more)` : "";
    return { type, status: "False", reason: first.reason, message: `${first.message}${more}` };
  }
  if (gateways.some(({ state }) => state.kind === "awaited"))
    return { type, status: "Unknown", reason: "AnswerAwaited", message: "gateways were asked and have not answered" };
  const unready = gateways.find(({ state }) => state.kind === "answers" && !state.status.ready);
  if (unready?.state.kind === "answers") {
    const why = unready.state.status.unready ?? "its rules are not current";
    return { type, status: "False", reason: "GatewayNotReady", message: `gateway ${unready.gateway.name}: ${why}` };
  }
  return { type, status: "True", reason: "AsExpected", message: `${gateways.length} gateways are ready` };
}
