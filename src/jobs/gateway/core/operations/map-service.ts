// MapService: where a Service's address is recorded is written on it, in one patch with the finalizer, before gateways carry it; what clients
// use is published when the master and every gateway that answers carry it. Entries of others in the list are left as they are.

import { hasFinalizer } from "../../../../core/ownership.ts";
import { backoffKey } from "../../../../core/plan.ts";
import {
  type AddressRecord,
  inboundPortAnnotation,
  ingressAnnotation,
  managedAnnotation,
  poolAnnotation,
  referenceManagedAnnotation,
  referencePortAnnotation,
  secondaryPortAnnotation,
} from "../../apis/annotations.ts";
import type { Service } from "../../apis/kube-objects.ts";
import { answering, forwardingsOf, isAllowed } from "../gateways/carried.ts";
import {
  type AnnotationChange,
  addressLane,
  type GatewayAction,
  type IngressEntry,
  serviceLane,
} from "../model/actions.ts";
import { forwardingKey } from "../model/document.ts";
import { serviceFinalizer } from "../services/service-standing.ts";
import { publicAddressOf } from "../situation/addresses.ts";
import type { ServiceNote } from "../situation/pool-services.ts";
import type { ServiceTarget, Situation } from "../situation/situation.ts";

export interface MapResult {
  readonly actions: readonly GatewayAction[];
  /** Services that are recorded and not carried by everybody yet. */
  readonly awaited: readonly string[];
  readonly notes: readonly ServiceNote[];
}

export function mapServices(situation: Situation): MapResult {
  const result = { actions: [] as GatewayAction[], awaited: [] as string[], notes: [] as ServiceNote[] };
  for (const target of situation.targets) mapService(target, situation, result);
  return result;
}

interface Results {
  readonly actions: GatewayAction[];
  readonly awaited: string[];
  readonly notes: ServiceNote[];
}

function mapService(target: ServiceTarget, situation: Situation, { actions, awaited, notes }: Results): void {
  const { service, key } = target.served;
  const addresses = settledAddresses(target, situation);
  if (addresses === undefined) return;
  const pool = situation.observed.pool.metadata.name;
  const lane = serviceLane(key);
  const annotations = recordChange(target, addresses, situation);
  if (Object.keys(annotations).length > 0 || !hasFinalizer(service, serviceFinalizer)) {
    const words = `record ${addresses.join(", ")} on Service ${key}`;
    actions.push({ kind: "claim-service", pool, service, annotations, lane, words, because: "ServiceUnrecorded" });
    return;
  }
  const problem = carryProblem(target, situation);
  if (problem !== undefined) notes.push({ service: key, reason: "ForwardingNotCarried", message: problem });
  const ingress = ingressAfter(service, addresses, ourEntries(target.served.record, target, situation));
  if (ingress === undefined) return;
  if (problem !== undefined || !isCarried(target, situation)) return void awaited.push(key);
  const words = `publish ${addresses.join(", ")} for Service ${key}`;
  actions.push({ kind: "publish-ingress", pool, service, ingress, addresses, lane, words, because: "GatewaysCarryIt" });
}

/** What clients use; without what cannot be had now, where there is something else. Undefined: not yet. */
function settledAddresses(
  { places, known, published }: ServiceTarget,
  { spec, observed }: Situation,
): readonly string[] | undefined {
  if (published !== undefined) return published.length === 0 ? undefined : published;
  const isFailing = (name: string) => observed.failed.has(backoffKey({ lane: addressLane(name) }));
  const missing = places.filter(
    ({ place }) => place.kind === "new" || publicAddressOf(place.address, spec) === undefined,
  );
  const areAllFailing = missing.every(({ place }) => isFailing(place.kind === "new" ? place.slot : place.address.id));
  const there = known.flatMap((address) => publicAddressOf(address, spec) ?? []);
  return areAllFailing && there.length > 0 ? there : undefined;
}

/** What has to be written so that the Service says where it is. Annotations of ch-k8s-lbaas are kept in step where they are. */
function recordChange(target: ServiceTarget, addresses: readonly string[], situation: Situation): AnnotationChange {
  const { served, known } = target;
  const { annotations = {} } = served.service.metadata;
  const { spec, observed } = situation;
  const ours = ourEntries(served.record, target, situation);
  const shown = shownAddresses(served.service).filter((ip) => ours.has(ip) && !addresses.includes(ip));
  const [first, second] = known.filter((address) => publicAddressOf(address, spec) !== undefined);
  const wanted: AnnotationChange = {
    [managedAnnotation]: "true",
    [poolAnnotation]: observed.pool.metadata.name,
    [inboundPortAnnotation]: first?.id ?? null,
    [secondaryPortAnnotation]: second?.id ?? null,
    [ingressAnnotation]: [...addresses, ...shown].join(","),
    ...(annotations[referenceManagedAnnotation] === undefined ? {} : { [referenceManagedAnnotation]: "true" }),
    ...(annotations[referencePortAnnotation] === undefined ? {} : { [referencePortAnnotation]: first?.id ?? null }),
  };
  return Object.fromEntries(Object.entries(wanted).filter(([name, value]) => (annotations[name] ?? null) !== value));
}

export function shownAddresses({ status }: Service): readonly string[] {
  return (status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => ip ?? []);
}

/** Addresses in a Service's list that are ours: what we recorded, and what it leaves. */
function ourEntries(record: AddressRecord, { places }: ServiceTarget, { spec }: Situation): ReadonlySet<string> {
  const left = places.flatMap(({ from }) => (from === undefined ? [] : (publicAddressOf(from, spec) ?? from.address)));
  return new Set([...record.ingress, ...left]);
}

/** Undefined: it is as it should be. */
function ingressAfter(
  service: Service,
  addresses: readonly string[],
  ours: ReadonlySet<string>,
): readonly IngressEntry[] | undefined {
  const entries = service.status?.loadBalancer?.ingress ?? [];
  const kept = entries.filter(({ ip }) => ip === undefined || !ours.has(ip) || addresses.includes(ip));
  const missing = addresses.filter((ip) => !entries.some((entry) => entry.ip === ip));
  if (missing.length === 0 && kept.length === entries.length) return undefined;
  return [...kept, ...missing.map((ip) => ({ ip }))];
}

function isCarried(target: ServiceTarget, { observed, document }: Situation): boolean {
  const gateways = answering(observed);
  if (gateways.length === 0 || observed.gateways.some(({ state }) => state.kind === "awaited")) return false;
  const keys = keysOf(target);
  const isEverywhere = gateways.every(
    (gateway) =>
      keys.every((key) => carries(gateway.state.carried, key, target.served.key)) &&
      target.known.every(({ address }) => isAllowed(gateway, address) === true),
  );
  if (!isEverywhere || gateways.length === observed.gateways.length) return isEverywhere;
  // Of those that cannot be asked, one may lead.
  return target.known.every(({ address }) => {
    const group = document.addresses.find((one) => one.address === address)?.group;
    const leads = gateways.flatMap(({ state }) => state.status.groups.filter(({ name }) => name === group));
    return gateways.every(({ state }) => state.api === "v1") || leads.some(({ role }) => role === "master");
  });
}

function carries(document: Parameters<typeof forwardingsOf>[0] | undefined, key: string, service: string): boolean {
  return document !== undefined && forwardingsOf(document).get(key)?.service === service;
}

function keysOf({ known, served }: ServiceTarget): readonly string[] {
  return known.flatMap(({ address }) => served.ask.ports.map((port) => forwardingKey({ address, ...port })));
}

function carryProblem(target: ServiceTarget, { observed }: Situation): string | undefined {
  const subjects = new Set([...keysOf(target), ...target.known.map(({ address }) => address)]);
  for (const { gateway, state } of answering(observed)) {
    const found = state.status.problems.find(({ subject }) => subjects.has(subject));
    if (found !== undefined) return `${target.served.key}: gateway ${gateway.name}: ${found.subject}: ${found.message}`;
  }
  return undefined;
}
