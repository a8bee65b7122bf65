// The Services of a pool, as far as somebody can see them: whether each has its address and endpoints, and what is wrong with it. Those that
// the pool's status names as troubled are there also for who may not list Services.

import { endpointSlices, nodes, services } from "../../../../apis/kube/builtin-kinds.ts";
import { isSameKind, type Kind } from "../../../../apis/kube/kube-object.ts";
import { conditionsOf, findCondition } from "../../../../core/conditions.ts";
import { familyOf } from "../../../../core/net/ip.ts";
import { healthOfReason } from "../../../../core/views/health.ts";
import type { Health } from "../../../../core/views/object-view.ts";
import type { RelatedThing } from "../../../../core/views/picture.ts";
import { addressRecord } from "../../apis/annotations.ts";
import { type GatewayPool, gatewayPools } from "../../apis/gateway-pool.ts";
import type { EndpointSlice, Node, Service } from "../../apis/kube-objects.ts";
import { backends } from "../backends/backends.ts";
import { compareEndpoints, endpointKey } from "../buckets/bucket-table.ts";
import type { Endpoint } from "../model/document.ts";
import { type ServiceAsk, serviceAsk } from "../services/service-ask.ts";
import { serviceStanding } from "../services/service-standing.ts";
import type { AddressView } from "./address-views.ts";

/** On a Service that suffers; it becomes True when that is over. */
export const serviceCondition = "GatewayServed";

export interface ServiceView {
  /** `namespace/name`. */
  readonly key: string;
  readonly service?: Service;
  readonly addresses: readonly AddressView[];
  /** Such as `80/TCP`. */
  readonly ports: readonly string[];
  /** Undefined: nobody looked. */
  readonly endpoints: { readonly used: readonly Endpoint[]; readonly draining: readonly Endpoint[] } | undefined;
  readonly health: Health;
  readonly word: string;
  /** The reason, where there is one. */
  readonly note?: string;
  readonly message?: string;
}

/** What people may see of the cluster, by kind. */
export interface Surroundings {
  readonly pools: readonly GatewayPool[];
  readonly services: readonly Service[];
  readonly slices: ReadonlyMap<string, readonly EndpointSlice[]>;
  readonly nodes: readonly Node[];
}

const serviceNameLabel = "kubernetes.io/service-name";

export function surroundings(pool: GatewayPool, related: readonly RelatedThing[]): Surroundings {
  const of = <T>(kind: Kind): readonly T[] =>
    related.filter((one) => isSameKind(one.kind, kind)).map(({ object }) => object as unknown as T);
  const slices = new Map<string, EndpointSlice[]>();
  for (const slice of of<EndpointSlice>(endpointSlices)) {
    const key = `${slice.metadata.namespace ?? ""}/${slice.metadata.labels?.[serviceNameLabel] ?? ""}`;
    const list = slices.get(key) ?? [];
    list.push(slice);
    slices.set(key, list);
  }
  const others = of<GatewayPool>(gatewayPools).filter(({ metadata }) => metadata.name !== pool.metadata.name);
  return { pools: [pool, ...others], services: of(services), slices, nodes: of(nodes) };
}

export function serviceViews(
  pool: GatewayPool,
  addresses: readonly AddressView[],
  around: Surroundings,
): readonly ServiceView[] {
  const { name } = pool.metadata;
  const byName = new Map(addresses.flatMap((one) => namesOf(one).map((known) => [known, one] as const)));
  const own = around.services.filter((service) => {
    const standing = serviceStanding(service, around.pools);
    return standing.kind === "serve" ? standing.pool === name : isIn(service, name) && standing.kind === "release";
  });
  const seen = new Set(own.map(keyOf));
  const troubles = new Map((pool.status?.troubledServices ?? []).map((one) => [one.service, one]));
  const unseen = [...troubles.values()].filter(({ service }) => !seen.has(service));
  return [
    ...own.map((service) => viewOf(service, pool, byName, around, troubles.get(keyOf(service)))),
    ...unseen.map(({ service: key, reason, message }): ServiceView => {
      const health = healthOfReason(reason);
      return { key, addresses: [], ports: [], endpoints: undefined, health, word: "not served", note: reason, message };
    }),
  ];
}

function isIn({ metadata }: Service, pool: string): boolean {
  return addressRecord(metadata.annotations).pool === pool;
}

function namesOf({ status: { address, publicAddress, portID } }: AddressView): readonly string[] {
  return [address, publicAddress, portID].flatMap((one) => one ?? []);
}

export function keyOf({ metadata: { namespace = "", name } }: Service): string {
  return `${namespace}/${name}`;
}

function viewOf(
  service: Service,
  pool: GatewayPool,
  byName: ReadonlyMap<string, AddressView>,
  around: Surroundings,
  trouble: { readonly reason: string; readonly message: string } | undefined,
): ServiceView {
  const ask = serviceAsk(service);
  const record = addressRecord(service.metadata.annotations);
  const published = (service.status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => ip ?? []);
  const named = [...record.ports, ...record.ingress, ...published].flatMap((name) => byName.get(name) ?? []);
  const addresses = [...new Set(named)];
  const endpoints = endpointsOf(service, ask, pool, around);
  const view = {
    key: keyOf(service),
    service,
    addresses,
    ports: ask.ports.map(({ port, protocol }) => `${port}/${protocol}`),
    endpoints,
  };
  const condition = findCondition(conditionsOf(service), serviceCondition);
  const told = trouble ?? (condition?.status === "False" ? condition : undefined);
  if (told !== undefined) {
    const word = published.length > 0 ? "not all that it asks for" : "not served";
    return { ...view, health: healthOfReason(told.reason), word, note: told.reason, message: told.message };
  }
  const [health, word] = howItIs(service, published, addresses, endpoints);
  return { ...view, health, word };
}

function howItIs(
  service: Service,
  published: readonly string[],
  addresses: readonly AddressView[],
  endpoints: ServiceView["endpoints"],
): readonly [Health, string] {
  if (service.metadata.deletionTimestamp !== undefined) return ["progressing", "is being deleted"];
  if (published.length === 0) return ["progressing", "waits for its address"];
  if (endpoints !== undefined && endpoints.used.length === 0) return ["degraded", "no endpoint"];
  const isLost = addresses.length > 0 && addresses.every(({ reached }) => reached === "no");
  if (isLost) return ["degraded", "not reached"];
  if (addresses.some(({ health }) => health === "degraded")) return ["degraded", "reached in part"];
  if (addresses.some(({ reached }) => reached === "unknown")) return ["unknown", "not known whether reached"];
  return ["healthy", "served"];
}

/** Of all its ports and families. No slice at all means that nobody looked: a Service has at least an empty one. */
function endpointsOf(
  service: Service,
  ask: ServiceAsk,
  { spec = {} }: GatewayPool,
  { slices, nodes: known }: Surroundings,
): ServiceView["endpoints"] {
  const layer = spec.backendLayer ?? "NodePort";
  const own = slices.get(keyOf(service)) ?? [];
  if ((layer === "Pod" || (layer === "NodePort" && ask.isLocal)) && own.length === 0) return undefined;
  if (layer === "NodePort" && known.length === 0) return undefined;
  const families = new Set(ask.claim.families);
  const published = (service.status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => familyOf(ip ?? "") ?? []);
  const shown = published.length > 0 ? new Set(published) : families;
  const found = ask.ports.flatMap((port) =>
    [...shown].map((family) =>
      backends(ask, port, family, { layer, slices: own, nodes: known, check: () => undefined }),
    ),
  );
  return { used: each(found.flatMap((one) => one.endpoints)), draining: each(found.flatMap((one) => one.draining)) };
}

function each(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  return [...new Map(endpoints.map((one) => [endpointKey(one), one])).values()].toSorted(compareEndpoints);
}
