// A definition that takes any object of a kind: for kinds of other projects, whose own definitions are not what is tried.

import type { Kind, KubeObject } from "../../src/apis/kube-object.ts";

export function openCrd({ group, version, kind, plural, namespaced }: Kind): KubeObject {
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: namespaced ? "Namespaced" : "Cluster",
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  };
  return definition;
}
