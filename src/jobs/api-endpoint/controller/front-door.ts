// What the shell must know about a front door: which objects come through it, which Cluster API cluster they stand for, and how to
// read and write them. Everything behind the doors is shared.

import type { Kind, KubeObject, ObjectRef, OwnerReference } from "../../../apis/kube/kube-object.ts";
import type { Problem } from "../../../apis/text/problem.ts";
import type { IdentityRef } from "../apis/load-balancer/api-server-load-balancer.ts";
import type { EndpointStatus } from "../core/front-doors/endpoint-status.ts";
import type { Lack } from "../core/front-doors/open-stack-cluster-door.ts";
import type { EndpointIntent } from "../core/model/intent.ts";
import type { RecordedEndpoint } from "../core/model/observed.ts";
import type { apiEndpointJob } from "../job.ts";

export interface ClusterFacts {
  readonly ref: { readonly namespace: string; readonly name: string };
  readonly paused: boolean;
  /** What an owner reference to it says; absent where it is not there. */
  readonly reference?: OwnerReference;
  readonly deleting?: boolean;
  /** Of the Cluster API cluster: whether a cluster can move depends on it. */
  readonly endpoint: { readonly host: string; readonly port: number } | undefined;
}

export interface FrontDoor<T extends KubeObject = KubeObject> {
  /** The controller's name. */
  readonly name: keyof (typeof apiEndpointJob)["controllers"];
  readonly root: Kind<T>;
  /** Undefined: nothing is done for the object yet, for it belongs to somebody else or its cluster is not there. */
  clusterOf(object: T): ObjectRef | undefined;
  /** Why `clusterOf` has no answer, and what would give it one. Absent where the object itself names its Cluster. */
  lacks?(object: T): readonly Lack[];
  /** Whether the object itself names its Cluster, and not Cluster API. */
  readonly namesCluster: boolean;
  /** Of two objects that get in each other's way, one of this door counts. */
  readonly yieldsTo?: FrontDoor;
  /** The door that gives way to this one: its objects may be the originals of copies that came through here. */
  readonly precedes?: FrontDoor;
  identityOf(object: T): IdentityRef | undefined;
  intentOf(object: T, cluster: ClusterFacts): EndpointIntent;
  problemsOf(object: T): readonly Problem[];
  recordedOf(object: T): RecordedEndpoint;
  isProvisioned(object: T): boolean;
  /** Whether CAPO's OpenStackCluster of the same cluster waits for us. */
  handsOffEndpoint(object: T): boolean;
  statusOf(status: EndpointStatus, object: T): Readonly<Record<string, unknown>>;
}
