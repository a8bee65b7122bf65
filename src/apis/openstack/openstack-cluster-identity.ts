// OpenStackClusterIdentity: credentials in a Secret of another namespace, and the namespaces that may use them.

import type { Kind, KubeObject } from "../kube/kube-object.ts";

export interface OpenStackClusterIdentity extends KubeObject {
  readonly spec: {
    readonly secretRef: { readonly name: string; readonly namespace: string };
    /** Absent or empty: every namespace. */
    readonly namespaceSelector?: {
      readonly matchLabels?: Readonly<Record<string, string>>;
      readonly matchExpressions?: readonly {
        readonly key: string;
        readonly operator: string;
        readonly values?: readonly string[];
      }[];
    };
  };
}

export const openStackClusterIdentities: Kind<OpenStackClusterIdentity> = {
  group: "infrastructure.cluster.x-k8s.io",
  version: "v1alpha1",
  kind: "OpenStackClusterIdentity",
  plural: "openstackclusteridentities",
  namespaced: false,
};
