// UnmapService: clients are told first, gateways stop carrying it, and when none that answers carries it any more the record and the
// finalizer go, in one patch. What it had is then nobody's, and clean-unused-ports.ts sees to that.

import { hasFinalizer, isBeingDeleted } from "../../../../core/ownership.ts";
import {
  type Annotations,
  inboundPortAnnotation,
  ingressAnnotation,
  managedAnnotation,
  poolAnnotation,
  referenceManagedAnnotation,
  referencePortAnnotation,
  secondaryPortAnnotation,
} from "../../apis/annotations.ts";
import { addressesFor, answering, carriedDocuments } from "../gateways/carried.ts";
import { type AnnotationChange, type GatewayAction, serviceLane } from "../model/actions.ts";
import type { GatewayDocument } from "../model/document.ts";
import { serviceFinalizer } from "../services/service-standing.ts";
import type { ReleasedService } from "../situation/pool-services.ts";
import type { Situation } from "../situation/situation.ts";
import { shownAddresses } from "./map-service.ts";

export interface UnmapResult {
  readonly actions: readonly GatewayAction[];
  readonly awaited: readonly string[];
}

export function unmapServices(situation: Situation): UnmapResult {
  const actions: GatewayAction[] = [];
  const awaited: string[] = [];
  for (const released of situation.services.released) {
    const withdrawal = withdraw(released, situation);
    if (withdrawal !== undefined) actions.push(withdrawal);
    else if (isCarriedYet(released.key, situation)) awaited.push(released.key);
    else actions.push(release(released, situation));
  }
  return { actions, awaited };
}

/** One that is being deleted has no clients to tell. */
function withdraw({ service, key, record }: ReleasedService, { observed, addresses = [] }: Situation) {
  if (isBeingDeleted(service)) return undefined;
  const isRecorded = record.isManaged || record.hasOptedOut;
  // What gateways carry for it speaks for it, when somebody took away everything that was written on it.
  const carried = new Set(carriedDocuments(observed).flatMap((document) => [...addressesFor(document, key)]));
  const known = addresses.filter(({ address }) => isRecorded || carried.has(address));
  const ours = new Set([
    ...record.ingress,
    ...carried,
    ...known.flatMap(({ address, publicAddress }) => [address, publicAddress ?? address]),
  ]);
  const entries = service.status?.loadBalancer?.ingress ?? [];
  const gone = shownAddresses(service).filter((ip) => ours.has(ip));
  if (gone.length === 0) return undefined;
  return {
    kind: "withdraw-ingress" as const,
    pool: observed.pool.metadata.name,
    service,
    ingress: entries.filter(({ ip }) => ip === undefined || !ours.has(ip)),
    addresses: [],
    lane: serviceLane(key),
    words: `withdraw ${gone.join(", ")} from Service ${key}`,
    removes: `address ${gone.join(", ")}`,
    because: "ServiceLeft" as const,
  };
}

function isCarriedYet(key: string, { observed }: Situation): boolean {
  if (observed.gateways.some(({ state }) => state.kind === "awaited")) return true;
  return answering(observed).some(({ state }) => state.carried !== undefined && servicesIn(state.carried).has(key));
}

const known = new WeakMap<GatewayDocument, ReadonlySet<string>>();

export function servicesIn(document: GatewayDocument): ReadonlySet<string> {
  const found = known.get(document) ?? new Set(document.forwardings.map(({ service }) => service));
  known.set(document, found);
  return found;
}

function release({ service, key, forgetsPool, message }: ReleasedService, { observed }: Situation): GatewayAction {
  const { annotations = {} } = service.metadata;
  return {
    kind: "release-service",
    pool: observed.pool.metadata.name,
    service,
    annotations: withoutOurs(annotations, forgetsPool),
    lane: serviceLane(key),
    words: `release Service ${key}: ${message}`,
    ...(hasFinalizer(service, serviceFinalizer) ? { removes: `record of Service ${key}` } : {}),
    because: "ServiceLeft",
  };
}

/** What people say stays: that they opt out, and which pool they chose. */
function withoutOurs(annotations: Annotations, forgetsPool: boolean): AnnotationChange {
  const names = [inboundPortAnnotation, secondaryPortAnnotation, ingressAnnotation, referencePortAnnotation];
  const flags = [managedAnnotation, referenceManagedAnnotation].filter((name) => annotations[name] === "true");
  const gone = [...names, ...flags, ...(forgetsPool ? [poolAnnotation] : [])];
  return Object.fromEntries(gone.filter((name) => annotations[name] !== undefined).map((name) => [name, null]));
}
