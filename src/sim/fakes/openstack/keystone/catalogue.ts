// Which services the fake cloud has, and where. Octavia's address has no version in it, as in most clouds.

import type { OpenStackService } from "../../../../core/openstack/openstack-error.ts";
import type { Cloud } from "../cloud.ts";

export const serviceTypes: Readonly<Record<OpenStackService, string>> = {
  keystone: "identity",
  neutron: "network",
  octavia: "load-balancer",
  nova: "compute",
};

const usual: readonly OpenStackService[] = ["keystone", "neutron", "octavia"];
const paths: Readonly<Record<OpenStackService, string>> = {
  keystone: "/identity/v3",
  neutron: "/network",
  octavia: "/load-balancer",
  nova: "/compute/v2.1",
};

const defaultAuthUrl = "http://cloud.test/identity/v3";

export function authUrlOf({ options }: Cloud): string {
  return options.authUrl ?? defaultAuthUrl;
}

export function regionOf({ options }: Cloud): string {
  return options.region ?? "RegionOne";
}

export function servicesOf({ options }: Cloud): readonly OpenStackService[] {
  return options.services ?? usual;
}

/** All services live below one root, the one above Keystone. */
export function endpointOf(cloud: Cloud, service: OpenStackService): string {
  return authUrlOf(cloud).replace(/\/identity\/v3\/?$/, "") + paths[service];
}
