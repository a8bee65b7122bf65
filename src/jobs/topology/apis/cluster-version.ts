// OpenShift's ClusterVersion singleton, as far as it tells whether an upgrade is under way.

import type { Kind, KubeObject } from "../../../apis/kube/kube-object.ts";

export interface Release {
  readonly version?: string;
  readonly image?: string;
}

export interface ClusterVersion extends KubeObject {
  readonly spec?: { readonly desiredUpdate?: Release | null };
  readonly status?: {
    readonly desired?: Release;
    readonly observedGeneration?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  };
}

export const clusterVersions: Kind<ClusterVersion> = {
  group: "config.openshift.io",
  version: "v1",
  kind: "ClusterVersion",
  plural: "clusterversions",
  namespaced: false,
};

/** The only object of its kind. */
export const clusterVersionName = "version";
