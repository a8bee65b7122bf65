// What wakes an object of a front door: itself, its rivals, its Cluster, its machines and its DNSEndpoint; and what of each kind concerns
// it, so that a command about one object reads no more than that.

import {
  clusterApiVersions,
  clusterNameLabel,
  clusters,
  machines,
  openStackMachines,
} from "../../../apis/cluster-api/cluster-api-kinds.ts";
import { dnsEndpoints } from "../../../apis/external-dns/dns-endpoint.ts";
import { type Kind, type KubeObject, type ObjectRef, refOf } from "../../../apis/kube/kube-object.ts";
import { type Watch, watch } from "../../../engine/feature.ts";
import type { Selection } from "../../../ports/kube.ts";
import { isOriginal } from "../core/situation/rivals.ts";
import type { ClusterKeys } from "./cluster-keys.ts";
import type { FrontDoor } from "./front-door.ts";
import { clusterRefOf } from "./observe-cluster.ts";
import { clusterIndex, clusterIndexOf } from "./observe-machines.ts";
import { rootIndexes } from "./rivals.ts";

export function watchesFor(door: FrontDoor, keys: ClusterKeys): readonly Watch[] {
  const clusterOf = (object: KubeObject) => clusterRefOf(object, door);
  return [
    watch({
      kind: door.root,
      keys: (object) => keys.learn(object, door.clusterOf(object)),
      optional: true,
      indexes: rootIndexes(door),
      concerning: possibleRivals,
    }),
    ...[door.yieldsTo, door.precedes].flatMap((other) => (other === undefined ? [] : [rivals(other, keys)])),
    watch({
      kind: clusters,
      versions: clusterApiVersions,
      keys: (cluster) => keys.ofCluster(cluster),
      optional: true,
      concerning: (object) => named(clusterOf(object)),
    }),
    ...partWatches(clusterOf, keys),
  ];
}

/** Those of what the endpoint of a Cluster is made of. */
export function partWatches(
  clusterOf: (object: KubeObject) => ObjectRef,
  keys: Pick<ClusterKeys, "ofMember">,
): readonly Watch[] {
  const ofCluster = (kind: Kind) =>
    watch({
      kind,
      versions: clusterApiVersions,
      keys: (machine) => keys.ofMember(machine),
      optional: true,
      indexes: { [clusterIndex]: clusterIndexOf },
      concerning: (object) => labelledFor(clusterOf(object)),
    });
  return [
    watch({
      kind: dnsEndpoints,
      keys: (published) => [refOf(published)],
      optional: true,
      concerning: (object) => named(refOf(object)),
    }),
    ofCluster(machines),
    ofCluster(openStackMachines),
  ];
}

/** Objects of the other door: those of the same Cluster are observed again when one of them comes or goes. */
function rivals(other: FrontDoor, keys: ClusterKeys): Watch {
  return watch({
    kind: other.root,
    keys: (object) => keys.ofRef(other.clusterOf(object)),
    optional: true,
    indexes: rootIndexes(other),
    concerning: possibleRivals,
  });
}

/** Those for its Cluster are in its namespace; those with its owner id may be anywhere, which matters to a copy alone. */
function possibleRivals(object: KubeObject): Selection | undefined {
  return isOriginal(object) ? { namespace: object.metadata.namespace ?? "" } : undefined;
}

function named({ name, namespace = "" }: ObjectRef): Selection {
  return { namespace, fieldSelector: `metadata.name=${name}` };
}

function labelledFor({ name, namespace = "" }: ObjectRef): Selection {
  return { namespace, labelSelector: `${clusterNameLabel}=${name}` };
}
