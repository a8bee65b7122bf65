// A user's endpoint is never overwritten, on our objects and on CAPO's: we fill what is empty, and only that.

import type { KubeObject } from "../../../../apis/kube/kube-object.ts";
import type { Checker } from "../../../../sim/checkers/checker.ts";
import { keyOfPath } from "../../../../sim/network/kube-path.ts";
import { describeCall } from "../../../../sim/network/port-call.ts";
import { apiEndpoints } from "../../apis/api-endpoint/api-endpoint.ts";
import { openStackClusters } from "../../apis/openstack-cluster/openstack-cluster.ts";

const plurals = new Set([openStackClusters.plural, apiEndpoints.plural]);

export function hostStays(): Checker {
  return {
    name: "host-stays",
    promise: "the host of a control-plane endpoint that is set is never changed by us",
    watch: (view, broken) =>
      view.on("arrived", ({ call, status, before }) => {
        const path = call.inCluster;
        if (path === undefined || !plurals.has(path.plural) || call.verb !== "PATCH" || status >= 300) return;
        const was = hostOf(before);
        const after = view.objectAt(path.resource, keyOfPath(path));
        if (was === "" || after === undefined || hostOf(after) === was) return;
        broken(`${call.process.name}: ${describeCall(call)} changed the endpoint from ${was} to ${hostOf(after)}`);
      }),
  };
}

function hostOf(object: KubeObject | undefined): string {
  const { spec } = (object ?? {}) as { readonly spec?: { readonly controlPlaneEndpoint?: { readonly host?: string } } };
  return spec?.controlPlaneEndpoint?.host ?? "";
}
