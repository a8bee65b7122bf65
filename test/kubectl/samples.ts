// Manifests that the script feeds to kubectl.

export function configMap(
  name: string,
  data: Readonly<Record<string, string>>,
  labels?: Readonly<Record<string, string>>,
): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, labels }, data };
}

export function gadget(group: string, name: string, spec: object = { replicas: 1 }, metadata: object = {}): object {
  return { apiVersion: `${group}/v1`, kind: "Gadget", metadata: { name, ...metadata }, spec };
}

/** Depends on a ConfigMap: goes when that goes. */
export function dependent(name: string, owner: { readonly name: string; readonly uid: string }): object {
  const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", ...owner, blockOwnerDeletion: true }];
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ownerReferences }, data: {} };
}
