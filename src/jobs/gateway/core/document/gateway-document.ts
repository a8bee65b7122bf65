// From Services, their addresses and endpoints to the one document that all gateways of a pool are told. What did not change is the very
// object of the previous document, so that later steps compare by identity; a document in which nothing changed is the previous one.

import { sameJson } from "../../../../apis/text/json-path.ts";
import { byText } from "../../../../core/by-text.ts";
import { familyOf, type IpFamily } from "../../../../core/net/ip.ts";
import type { GatewayPoolSpec } from "../../apis/gateway-pool.ts";
import type { EndpointSlice, Node } from "../../apis/kube-objects.ts";
import { byAge } from "../allocation/claim.ts";
import { backends } from "../backends/backends.ts";
import type { EndpointCheck } from "../backends/unusable-endpoint.ts";
import { bucketTable, endpointKey, withDraining } from "../buckets/bucket-table.ts";
import { type DocumentVersion, type Forwarding, forwardingKey, type GatewayDocument } from "../model/document.ts";
import { addressRange, common, rangeText } from "../policies/client-ranges.ts";
import { type ClientsOf, clientsOf, type PolicyWorld } from "../policies/pod-policies.ts";
import type { AskedPort, ServiceAsk } from "../services/service-ask.ts";
import { spreadAddresses, vrrpGroups, vrrpSettings } from "./vrrp-groups.ts";

export interface CarriedService {
  readonly ask: ServiceAsk;
  /** On the gateways. */
  readonly addresses: readonly string[];
  /** It goes on there until its new address works, unless somebody else has the port. */
  readonly leaves: readonly string[];
  readonly slices: readonly EndpointSlice[];
}

export interface DocumentInput {
  readonly pool: string;
  readonly spec: GatewayPoolSpec;
  /** The leader's term. */
  readonly epoch: number;
  readonly services: readonly CarriedService[];
  readonly nodes: readonly Node[];
  readonly check: EndpointCheck;
  /** NetworkPolicies and Pods; used where endpoints are Pods. */
  readonly policed?: PolicyWorld;
  readonly previous?: GatewayDocument;
}

export interface DocumentNote {
  readonly service: string;
  readonly message: string;
}

export interface DocumentResult {
  readonly document: GatewayDocument;
  /** What a Service has to be told; each once. */
  readonly notes: readonly DocumentNote[];
}

interface Work {
  readonly input: DocumentInput;
  readonly before: ReadonlyMap<string, Forwarding>;
  readonly forwardings: Map<string, Forwarding>;
  /** Which forwarding an endpoint's port answers with the client's own address: answers have to find one way back. */
  readonly answering: Map<string, string>;
  readonly notes: Map<string, DocumentNote>;
  readonly clients: ClientsOf;
}

export function gatewayDocument(input: DocumentInput): DocumentResult {
  const { previous, spec } = input;
  const work: Work = {
    input,
    before: new Map((previous?.forwardings ?? []).map((one) => [forwardingKey(one), one])),
    forwardings: new Map(),
    answering: new Map(),
    notes: new Map(),
    clients: spec.backendLayer === "Pod" && input.policed !== undefined ? clientsOf(input.policed) : () => "any",
  };
  const oldestFirst = input.services.toSorted((a, b) => byAge(a.ask.claim, b.ask.claim));
  for (const service of oldestFirst) addForwardings(service, service.addresses, work);
  for (const service of oldestFirst) addForwardings(service, service.leaves, work);
  const forwardings = [...work.forwardings.values()].toSorted(byText(forwardingKey));
  const groups = vrrpGroups(spec);
  const addresses = spreadAddresses(
    forwardings.map(({ address }) => address),
    groups,
    previous?.addresses ?? [],
  );
  const next = {
    pool: input.pool,
    vrrp: reused(vrrpSettings(spec), previous?.vrrp),
    groups: reusedList(groups, previous?.groups ?? [], ({ name }) => name),
    addresses: reusedList(addresses, previous?.addresses ?? [], ({ address }) => address),
    forwardings: reusedList(forwardings, previous?.forwardings ?? [], forwardingKey),
  };
  return {
    document: versioned(next, input),
    notes: [...work.notes.values()].toSorted(byText(({ service }) => service)),
  };
}

/** A new leader begins to count again, and says its term even when nothing changed. */
function versioned(next: Omit<GatewayDocument, "version">, { epoch, previous }: DocumentInput): GatewayDocument {
  const { pool, vrrp, groups, addresses, forwardings } = next;
  const ordered = (version: DocumentVersion) => ({ pool, version, vrrp, groups, addresses, forwardings });
  if (previous === undefined || previous.version.epoch !== epoch) return ordered({ epoch, generation: 1 });
  const fields = ["pool", "vrrp", "groups", "addresses", "forwardings"] as const;
  if (fields.every((field) => next[field] === previous[field])) return previous;
  return ordered({ epoch, generation: previous.version.generation + 1 });
}

function addForwardings(service: CarriedService, addresses: readonly string[], work: Work): void {
  for (const address of addresses.toSorted()) {
    for (const port of service.ask.ports) {
      const key = forwardingKey({ address, ...port });
      if (!work.forwardings.has(key)) addForwarding(service, address, port, work);
    }
  }
}

function addForwarding({ ask, slices }: CarriedService, address: string, port: AskedPort, work: Work): void {
  const { spec, nodes, check } = work.input;
  const family = familyOf(address);
  if (family === undefined) return;
  const key = forwardingKey({ address, ...port });
  const world = { layer: spec.backendLayer ?? "NodePort", slices, nodes, check };
  const found = backends(ask, port, family, world);
  for (const message of found.leftOut) note(ask, message, work);
  const was = work.before.get(key);
  const served = bucketTable(found.endpoints, was);
  if (served.endpoints.length < found.endpoints.length) {
    const message = `port ${port.port} has ${found.endpoints.length} endpoints, of which ${served.endpoints.length} are used`;
    note(ask, message, work);
  }
  const { endpoints, buckets } = withDraining(served, found.draining);
  const allowed = allowedSources({ ask, port, endpoints, family }, work);
  const forwarding: Forwarding = {
    address,
    protocol: port.protocol,
    port: port.port,
    service: ask.claim.service,
    endpoints,
    buckets,
    affinity: ask.affinity,
    source: sourceOf({ ask, key, port, endpoints }, work),
    ...(allowed === undefined ? {} : { allowedSources: allowed }),
    whenEmpty: spec.withoutEndpoints === "Drop" ? "drop" : "reject",
  };
  work.forwardings.set(key, reused(forwarding, was));
}

/**
 * Whom the Service names and NetworkPolicies let through. A forwarding has one list for all its endpoints: where their policies differ, a
 * client must be allowed by each of them.
 */
function allowedSources(
  {
    ask,
    port,
    endpoints,
    family,
  }: Pick<Forwarding, "endpoints"> & {
    readonly ask: ServiceAsk;
    readonly port: AskedPort;
    readonly family: IpFamily;
  },
  { clients }: Work,
): readonly string[] | undefined {
  const asked = ask.allowedSources?.[family];
  const named = asked === undefined || asked.some(isEverybody) ? undefined : asked;
  const policed = endpoints.map((endpoint) => clients(endpoint, port.protocol)).reduce(common, "any");
  if (policed === "any") return named;
  const ranges = named === undefined ? "any" : named.flatMap((text) => addressRange(text) ?? []);
  const both = common(ranges, policed);
  if (both === "any") return undefined;
  const texts = both.filter((range) => range.family === family).map(rangeText);
  const distinct = [...new Set(texts)].toSorted();
  return distinct.some(isEverybody) ? undefined : distinct;
}

/** Answers to a client's own address have to be told apart by the endpoint's port: the oldest Service has it, others go without. */
function sourceOf(
  {
    ask,
    key,
    port,
    endpoints,
  }: Pick<Forwarding, "endpoints"> & Pick<CarriedService, "ask"> & { key: string; port: AskedPort },
  { input, answering, ...work }: Work,
): Forwarding["source"] {
  if (input.spec.clientAddress !== "Preserved") return "group";
  const answers = endpoints.map((endpoint) => `${port.protocol} ${endpointKey(endpoint)}`);
  if (answers.some((answer) => answering.has(answer))) {
    const message = `port ${port.port} shares an endpoint's port with another; its endpoints do not see clients' addresses`;
    note(ask, message, { input, answering, ...work });
    return "group";
  }
  for (const answer of answers) answering.set(answer, key);
  return "client";
}

function isEverybody(cidr: string): boolean {
  return cidr === "0.0.0.0/0" || cidr === "::/0";
}

function note({ claim: { service } }: ServiceAsk, message: string, { notes }: Work): void {
  notes.set(`${service} ${message}`, { service, message: `${service}: ${message}` });
}

function reused<T>(next: T, previous: T | undefined): T {
  return previous !== undefined && sameJson(next, previous) ? previous : next;
}

/** The previous list where nothing changed in it. */
function reusedList<T>(next: readonly T[], previous: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const before = new Map(previous.map((item) => [keyOf(item), item]));
  const items = next.map((item) => reused(item, before.get(keyOf(item))));
  return items.length === previous.length && items.every((item, place) => item === previous[place]) ? previous : items;
}
