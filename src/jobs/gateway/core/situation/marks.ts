// How the job recognises what is its own in Neutron: by the description, which every Neutron takes in the call that makes a port or a
// floating IP. It names the cluster and the pool: two clusters may share a project, and two pools a subnet.

import type { FloatingIp, Port } from "../../../../core/openstack/neutron-objects.ts";

const prefix = "mainstay.dev gateway";

export function poolMark(clusterId: string, pool: string): string {
  return `${prefix} cluster=${clusterId} pool=${pool}`;
}

/** On everything that ch-k8s-lbaas made, of whatever cluster. */
export const lbaasTag = "cah-loadbalancer.k8s.cloudandheat.com/managed";

/** Made by ch-k8s-lbaas, and marked by nobody since. */
export function isAdoptable({ description, tags }: Pick<Port | FloatingIp, "description" | "tags">): boolean {
  return tags.includes(lbaasTag) && !description.startsWith(prefix);
}
