// Carries out what the planner decided about Kubernetes objects. Each write holds only for the object as it was observed.

import { type KubeObject, refOf } from "../../../../apis/kube/kube-object.ts";
import { isKubeError } from "../../../../core/kube-error.ts";
import type { Executors } from "../../../../engine/feature.ts";
import { addFinalizer, guardedBy, removeFinalizer } from "../../../../engine/round/guarded-writes.ts";
import { gatewayPools } from "../../apis/gateway-pool.ts";
import type { GatewayAction } from "../../core/model/actions.ts";
import { poolFinalizer } from "../../core/plan.ts";
import { serviceFinalizer } from "../../core/services/service-standing.ts";
import { serviceKind } from "../observe.ts";

type KubeAction = Extract<
  GatewayAction,
  {
    readonly kind:
      | "hold-pool"
      | "release-pool"
      | "claim-service"
      | "publish-ingress"
      | "withdraw-ingress"
      | "release-service";
  }
>;

export const executeKube: Executors<KubeAction> = {
  "hold-pool": async ({ object }, { kube }) => {
    await addFinalizer(kube, gatewayPools, object, poolFinalizer);
  },
  "release-pool": async ({ object }, { kube }) => {
    await removeFinalizer(kube, gatewayPools, object, poolFinalizer);
  },
  "claim-service": async ({ service, annotations }, { kube }) => {
    const finalizers = [...new Set([...(service.metadata.finalizers ?? []), serviceFinalizer])];
    await kube.patch(serviceKind, refOf(service), guardedBy(service, { metadata: { annotations, finalizers } }));
  },
  "publish-ingress": async ({ service, ingress }, { kube }) => {
    const body = { status: { loadBalancer: { ingress } } };
    await kube.patch(serviceKind, refOf(service), guardedBy(service, body), { subresource: "status" });
  },
  "withdraw-ingress": async ({ service, ingress }, { kube }) => {
    const body = { status: { loadBalancer: { ingress: ingress.length === 0 ? null : ingress } } };
    await kube.patch(serviceKind, refOf(service), guardedBy(service, body), { subresource: "status" });
  },
  "release-service": async ({ service, annotations }, { kube }) => {
    const finalizers = (service.metadata.finalizers ?? []).filter((name) => name !== serviceFinalizer);
    await unlessGone(
      kube.patch(serviceKind, refOf(service), guardedBy(service, { metadata: { annotations, finalizers } })),
    );
  },
};

async function unlessGone(write: Promise<KubeObject>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isKubeError(error, "NotFound")) throw error;
  }
}
