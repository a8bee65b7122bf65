// The two front doors as controllers. Names and sentences are for people; how the objects are read and written is in
// core/front-doors.

import type { Feature } from "../../../engine/feature.ts";
import { apiEndpointDoor } from "../core/front-doors/api-endpoint-door.ts";
import { type Claims, openStackClusterDoor } from "../core/front-doors/open-stack-cluster-door.ts";
import { type ControllerSettings, endpointFeature } from "./feature.ts";
import type { FrontDoor } from "./front-door.ts";

export interface OpenStackClusterSettings extends ControllerSettings {
  readonly claims: Claims;
}

export interface ApiEndpointSettings extends ControllerSettings {
  /** Which OpenStackClusters are ours, and come before an APIEndpoint. `none` where their controller is off. */
  readonly claims?: Claims | "none";
}

export function openStackClusterFeature({ claims, ...settings }: OpenStackClusterSettings): Feature {
  return endpointFeature({ ...openStackClusters(claims), precedes: apiEndpoints }, settings);
}

export function apiEndpointFeature({ claims = "annotated", ...settings }: ApiEndpointSettings): Feature {
  const first =
    claims === "none" ? { ...openStackClusters("annotated"), clusterOf: () => undefined } : openStackClusters(claims);
  return endpointFeature({ ...apiEndpoints, yieldsTo: first }, settings);
}

const apiEndpoints: FrontDoor = {
  name: "api-endpoint",
  ...apiEndpointDoor,
};

function openStackClusters(claims: Claims): FrontDoor {
  return {
    name: "openstack-cluster",
    ...openStackClusterDoor(claims),
  };
}
