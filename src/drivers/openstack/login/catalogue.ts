// The addresses of services in a token's catalogue: by type, interface and region.

import type { CloudConfig } from "../../../core/openstack/cloud-config.ts";
import type { OpenStackService } from "../../../core/openstack/openstack-error.ts";

export interface CatalogueEndpoint {
  /** Service type, such as `load-balancer`. */
  readonly type: string;
  readonly interface: string;
  readonly region: string;
  readonly url: string;
}

export type Catalogue = readonly CatalogueEndpoint[];
export type Place = Pick<CloudConfig, "region" | "interface">;

const typeOf: Readonly<Record<OpenStackService, string>> = {
  keystone: "identity",
  neutron: "network",
  octavia: "load-balancer",
  nova: "compute",
};

/** The service's root, without a version and without a slash at the end. */
export function serviceRoot(catalogue: Catalogue, service: OpenStackService, place: Place): string | undefined {
  const found = endpointsAt(catalogue, place).find(({ type }) => type === typeOf[service]);
  return found === undefined ? undefined : withoutVersion(found.url, service);
}

/** Service types there, each once. */
export function servicesAt(catalogue: Catalogue, place: Place): readonly string[] {
  return [...new Set(endpointsAt(catalogue, place).map(({ type }) => type))].sort();
}

/** Undefined where none is named and the catalogue is empty. */
export function regionAt(catalogue: Catalogue, place: Place): string | undefined {
  return place.region ?? firstRegion(offeredAt(catalogue, place));
}

export function isKnownType(type: string): boolean {
  return Object.values(typeOf).includes(type);
}

export function typeOfService(service: OpenStackService): string {
  return typeOf[service];
}

function endpointsAt(catalogue: Catalogue, place: Place): Catalogue {
  const region = regionAt(catalogue, place);
  return offeredAt(catalogue, place).filter((endpoint) => endpoint.region === region);
}

function offeredAt(catalogue: Catalogue, place: Place): Catalogue {
  return catalogue.filter((endpoint) => endpoint.interface === place.interface);
}

/** One region for all services: the first that has load balancers, else the first that has networks. */
function firstRegion(offered: Catalogue): string | undefined {
  const wanted = ["load-balancer", "network"].map((type) => offered.find((endpoint) => endpoint.type === type));
  return [...wanted, offered[0]].find((endpoint) => endpoint !== undefined)?.region;
}

function withoutVersion(url: string, service: OpenStackService): string {
  const bare = url.replace(/\/+$/, "");
  // Nova's may end in a version and a project, which its paths need: kept as they are.
  if (service === "nova") return /\/v\d+(\.\d+)?(\/|$)/.test(bare) ? bare : `${bare}/v2.1`;
  return bare.replace(/\/(v\d+(\.\d+)?)(\/lbaas)?$/, "");
}
