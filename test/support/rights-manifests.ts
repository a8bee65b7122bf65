// The objects of deploy/rbac, as `kubectl apply -f deploy/rbac/` makes them.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { namespaces } from "../../src/apis/kube/builtin-kinds.ts";
import type { Kind, KubeObject } from "../../src/apis/kube/kube-object.ts";
import type { Kube } from "../../src/ports/kube.ts";

const folder = join(import.meta.dirname, "..", "..", "deploy", "rbac");
const rbac = { group: "rbac.authorization.k8s.io", version: "v1" };
export const bindingKind: Kind = {
  ...rbac,
  kind: "ClusterRoleBinding",
  plural: "clusterrolebindings",
  namespaced: false,
};
const kinds: readonly Kind[] = [
  namespaces,
  { group: "", version: "v1", kind: "ServiceAccount", plural: "serviceaccounts", namespaced: true },
  { ...rbac, kind: "Role", plural: "roles", namespaced: true },
  { ...rbac, kind: "RoleBinding", plural: "rolebindings", namespaced: true },
  { ...rbac, kind: "ClusterRole", plural: "clusterroles", namespaced: false },
  bindingKind,
];

export interface RightsManifest {
  /** Such as `manager.yaml`. */
  readonly file: string;
  readonly kind: Kind;
  readonly object: KubeObject;
}

export function rightsManifests(): readonly RightsManifest[] {
  const files = readdirSync(folder).toSorted();
  return files.flatMap((file) =>
    parseAllDocuments(readFileSync(join(folder, file), "utf8")).map((document) => {
      const object = document.toJS() as KubeObject;
      const kind = kinds.find((one) => one.kind === object.kind);
      if (kind === undefined) throw new Error(`${file}: a ${object.kind} is not expected here`);
      return { file, kind, object };
    }),
  );
}

/** The namespace first: others are in it. */
export async function applyRights(kube: Kube): Promise<void> {
  const isNamespace = ({ kind }: RightsManifest) => kind === namespaces;
  const all = rightsManifests();
  for (const { kind, object } of [...all.filter(isNamespace), ...all.filter((one) => !isNamespace(one))])
    await kube.apply(kind, object, { fieldManager: "test" });
}
