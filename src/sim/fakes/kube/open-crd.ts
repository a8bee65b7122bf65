// A definition that takes any object, for kinds of other projects: what they allow is not what is tried here.

import type { CrdVersion } from "../../../apis/kube/crd.ts";
import type { Kind, KubeObject } from "../../../apis/kube/kube-object.ts";

export function openCrd(
  { group, version, kind, plural, namespaced }: Kind,
  more: Pick<CrdVersion, "subresources"> = {},
): KubeObject {
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    // Groups of Kubernetes' own projects must say who approved them.
    metadata: { name: `${plural}.${group}`, annotations: { "api-approved.kubernetes.io": "unapproved, for tests" } },
    spec: {
      group,
      scope: namespaced ? "Namespaced" : "Cluster",
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: [{ name: version, served: true, storage: true, schema, ...more }],
    },
  } as KubeObject;
}
