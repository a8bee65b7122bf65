// What things are called in the cloud. The names are CAPO's, so that people and tools find what they know; nothing is ours by its name
// alone, only by tag, or by its id in status. Octavia takes 255 characters: a longer name is cut and told apart by a digest.

import { digest } from "../../../../core/digest.ts";
import { type Port, portSuffix, splitPortName } from "./port.ts";

interface ClusterName {
  readonly namespace: string;
  readonly name: string;
}

const maxLength = 255;
const digestLength = 10;
/** As much of a long name as is always left of it. */
const keptLength = maxLength - digestLength - 1;

/** Of the balancer of a cluster without zones. */
export function singleName(cluster: ClusterName): string {
  return fit(`k8s-clusterapi-cluster-${resourceName(cluster)}-kubeapi`);
}

export function zoneName(cluster: ClusterName, zone: string): string {
  return fit(`k8s-clusterapi-cluster-${resourceName(cluster)}-${zone}-kubeapi`);
}

/** Listener, pool and monitor of a port share it. */
export function portName(balancerName: string, port: Port): string {
  return fit(`${balancerName}-${portSuffix(port)}`);
}

/** `port`: where the machine answers. */
export function memberName(balancerName: string, port: number, machine: string): string {
  return fit(`${balancerName}-${port}-${machine}`);
}

/** Whether a member was named by us, for whatever machine. */
export function isMemberNameOf(balancerName: string, port: number, name: string): boolean {
  return name.startsWith(`${balancerName}-${port}-`.slice(0, keptLength));
}

/** The machine of a member that was named after any balancer of the cluster, also after one whose zone nobody remembers. */
export function machineInMemberName(cluster: ClusterName, port: number, name: string): string | undefined {
  const balancer = `k8s-clusterapi-cluster-${resourceName(cluster)}-`;
  const after = `-kubeapi-${port}-`;
  // Its end is the beginning of what follows: `…-c-kubeapi` has no zone, `…-c-az1-kubeapi` has one.
  const place = name.startsWith(balancer) ? name.lastIndexOf(after) : -1;
  return place < balancer.length - 1 ? undefined : name.slice(place + after.length);
}

const madeByCapo = "Created by cluster-api-provider-openstack cluster ";
const madeByUs = "Created by mainstay for owner ";

/** Something was made for a cluster, whichever it is. */
export function isClusterDescription(description: string): boolean {
  return [madeByCapo, madeByUs].some((words) => description.startsWith(words));
}

/** CAPO's sentence, and the same on every balancer of the cluster: a zone in it could belong to another cluster's name. */
export function balancerDescription(cluster: ClusterName): string {
  return fit(`${madeByCapo}${resourceName(cluster)}`);
}

/** A floating IP can't be made with tags, so this is its first mark. `zone` is absent for the single balancer's. */
export function floatingIpDescription(ownerId: string, zone: string | undefined): string {
  return fit(`${madeByUs}${ownerId}${zone === undefined ? "" : `, zone ${zone}`}`);
}

/** Of any zone, also one that nobody remembers. */
export function isFloatingIpDescriptionOf(ownerId: string, description: string): boolean {
  const common = floatingIpDescription(ownerId, undefined);
  return description === common || description.startsWith(`${common}, zone `);
}

function resourceName({ namespace, name }: ClusterName): string {
  return `${namespace}-${name}`;
}

function fit(text: string): string {
  return text.length <= maxLength ? text : `${text.slice(0, keptLength)}-${digest(text)}`;
}

/** Whether a listener, pool or monitor is called after any balancer of the cluster, also after one whose zone nobody remembers. */
export function isPortNameIn(cluster: ClusterName, name: string): boolean {
  const common = `k8s-clusterapi-cluster-${resourceName(cluster)}`;
  if (isCutFrom(`${common}-`, name)) return true;
  const balancer = splitPortName(name)?.before ?? "";
  return balancer.startsWith(common) && /^(?:-.+)?-kubeapi$/.test(balancer.slice(common.length));
}

/** Whether it is called after a balancer of this name, however long. */
export function isPortNameOf(base: string, name: string): boolean {
  const port = splitPortName(name)?.port;
  if (port !== undefined) return portName(base, port) === name;
  const isLong = `${base}-65535`.length > maxLength;
  return isLong && name !== base && isCutFrom(`${base}-`, name);
}

/** Which port it was is lost with the end of a name. What is left of a long one is as good as all of it: `fit` keeps as much of every one. */
function isCutFrom(beginning: string, name: string): boolean {
  const isCut = name.length === maxLength && /-[0-9a-z]{10}$/.test(name);
  return isCut && name.startsWith(beginning.slice(0, keptLength));
}
