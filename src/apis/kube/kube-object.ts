// The shape every Kubernetes object shares, and how a kind is named on the wire.
// Objects are raw JSON: fields we do not know stay on them, so nothing we write back can drop them.

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly generateName?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly unknown[];
}

export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** A kind as the API serves it. `T` is carried for inference only; nothing holds a value of it. */
export interface Kind<T extends KubeObject = KubeObject> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** What people type instead, as kubectl takes it. */
  readonly shortNames?: readonly string[];
  readonly example?: T;
}

/** Names one object of a kind. Cluster-scoped objects have no namespace. */
export interface ObjectRef {
  readonly name: string;
  readonly namespace?: string;
}

export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime: string;
}

export function apiVersionOf(kind: Kind): string {
  return kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
}

/** `services`, `leases.coordination.k8s.io`: one word for a kind in logs, metrics and messages. */
export function resourceName(kind: Kind): string {
  return kind.group === "" ? kind.plural : `${kind.plural}.${kind.group}`;
}

/** Whatever their versions. */
export function isSameKind(a: Kind, b: Kind): boolean {
  return a.group === b.group && a.plural === b.plural;
}

export function refOf(object: KubeObject): ObjectRef {
  const { name, namespace } = object.metadata;
  return namespace === undefined ? { name } : { name, namespace };
}

/** `kube-system/coredns`, or just the name of a cluster-scoped object. */
export function formatRef(ref: ObjectRef): string {
  return ref.namespace === undefined ? ref.name : `${ref.namespace}/${ref.name}`;
}

export function parseRef(text: string): ObjectRef {
  const slash = text.indexOf("/");
  return slash < 0 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}
