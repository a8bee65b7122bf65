// The two front doors as controllers. Names and sentences are for people; how the objects are read and written is in
// core/api-endpoint/doors.

import { apiEndpointDoor } from "../../core/api-endpoint/doors/api-endpoint-door.ts";
import { type Claims, openStackClusterDoor } from "../../core/api-endpoint/doors/open-stack-cluster-door.ts";
import type { Feature } from "../../engine/feature.ts";
import type { EndpointDoor } from "./endpoint-door.ts";
import { type EndpointSettings, endpointFeature } from "./feature.ts";

export interface OpenStackClusterSettings extends EndpointSettings {
  readonly claims: Claims;
}

export function openStackClusterFeature({ claims, ...settings }: OpenStackClusterSettings): Feature {
  const door: EndpointDoor = {
    name: "openstack-cluster",
    what: "A cluster's API load balancers on OpenStack, one for each availability zone.",
    ...openStackClusterDoor(claims),
  };
  return endpointFeature(door, settings);
}

export function apiEndpointFeature(settings: EndpointSettings): Feature {
  const door: EndpointDoor = {
    name: "api-endpoint",
    what: "API load balancers for a cluster whose OpenStackCluster belongs to CAPO.",
    ...apiEndpointDoor,
  };
  return endpointFeature(door, settings);
}
