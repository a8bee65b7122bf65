// Which changes of an OpenStackCluster are refused, all of them at once. CAPO forbids nearly everything; here only that is refused
// which a running cluster could not survive or Octavia could not carry out.

import type { ObjectMeta } from "../../../../apis/kube/kube-object.ts";
import { type Problem, quote } from "../../../../apis/text/problem.ts";
import { deleteForMoveAnnotation, ownerIdAnnotation } from "../annotations.ts";
import { type IdentityRef, isEnabled, mappingsOf } from "../load-balancer/api-server-load-balancer.ts";
import {
  addressChangeProblems,
  type BlockChange,
  blockUpdateProblems,
  endpointUpdateProblems,
  type RecordedBalancers,
} from "../load-balancer/api-server-load-balancer-update.ts";
import { blockUpdateWarnings } from "../load-balancer/api-server-load-balancer-update-warnings.ts";
import type { OpenStackCluster, OpenStackClusterSpec, OpenStackClusterStatus } from "./openstack-cluster.ts";
import { fieldIn, type SpokenVersion } from "./openstack-cluster-conversion.ts";

export function openStackClusterUpdateProblems(
  before: OpenStackCluster,
  after: OpenStackCluster,
  version: SpokenVersion = "v1beta1",
): readonly Problem[] {
  return updateProblems(before, after).map((problem) => ({ ...problem, where: fieldIn(version, problem.where) }));
}

export function openStackClusterUpdateWarnings(
  before: OpenStackCluster,
  after: OpenStackCluster,
  version: SpokenVersion = "v1beta1",
): readonly string[] {
  return blockUpdateWarnings(blockChange(before, after)).map((text) => fieldIn(version, text));
}

function blockChange(before: OpenStackCluster, after: OpenStackCluster): BlockChange {
  return {
    before: before.spec?.apiServerLoadBalancer,
    after: after.spec?.apiServerLoadBalancer,
    recorded: recordedBalancers(before.status),
    at: "spec.apiServerLoadBalancer",
  };
}

function updateProblems(before: OpenStackCluster, after: OpenStackCluster): readonly Problem[] {
  const [was, is] = [before.spec ?? {}, after.spec ?? {}];
  const recorded = recordedBalancers(before.status);
  return [
    ...endpointUpdateProblems(was.controlPlaneEndpoint, is.controlPlaneEndpoint, "spec.controlPlaneEndpoint"),
    ...blockUpdateProblems(blockChange(before, after)),
    ...addressUpdateProblems(was, is, recorded),
    ...regionProblems(was.identityRef, is.identityRef),
    ...ownerProblems(before.metadata, after.metadata),
  ];
}

export function recordedBalancers(status: OpenStackClusterStatus | undefined): RecordedBalancers {
  return {
    isReported: (status?.conditions ?? []).length > 0,
    zones: status?.apiServerLoadBalancers ?? [],
    single: status?.apiServerLoadBalancer,
  };
}

/** The address of a single balancer is the endpoint, so what decides it stays once there is one. */
function addressUpdateProblems(
  was: OpenStackClusterSpec,
  is: OpenStackClusterSpec,
  { isReported, single }: RecordedBalancers,
): readonly Problem[] {
  if (!isEnabled(was.apiServerLoadBalancer) || !isEnabled(is.apiServerLoadBalancer) || (isReported && !single?.id))
    return [];
  const isSingle = [was, is].every(({ apiServerLoadBalancer }) => mappingsOf(apiServerLoadBalancer).length === 0);
  const isSwitched = (was.disableAPIServerFloatingIP ?? false) !== (is.disableAPIServerFloatingIP ?? false);
  const message = "it cannot change: the endpoint is the address that it decides";
  const where = "spec.disableAPIServerFloatingIP";
  const [floating, fixed] = ["apiServerFloatingIP", "apiServerFixedIP"] as const;
  return [
    ...(isSingle && isSwitched ? [{ where, message, hint: "The balancer keeps its addresses." }] : []),
    ...addressChangeProblems({ where: `spec.${floating}`, was: was[floating], is: is[floating], current: single?.ip }),
    ...addressChangeProblems({ where: `spec.${fixed}`, was: was[fixed], is: is[fixed], current: single?.internalIP }),
  ];
}

export function regionProblems(
  was: IdentityRef | undefined,
  is: IdentityRef | undefined,
  at = "spec.identityRef",
): readonly Problem[] {
  if (was === undefined || is === undefined || was.region === is.region) return [];
  const message = `it cannot change from ${quote(was.region)} to ${quote(is.region)}`;
  return [{ where: `${at}.region`, message, hint: "What was made in one region is not found from another." }];
}

/**
 * Everything in the cloud is found by this id: without it nothing would ever be changed or cleaned up again. A move takes it away with all
 * other annotations, from an object whose copy has it.
 */
export function ownerProblems(before: ObjectMeta, after: ObjectMeta): readonly Problem[] {
  const [was, is] = [before.annotations?.[ownerIdAnnotation], after.annotations?.[ownerIdAnnotation]];
  if (!was || was === is || after.annotations?.[deleteForMoveAnnotation] !== undefined) return [];
  const hint = "Put it back: what Mainstay made in the cloud is found by it.";
  return [{ where: `metadata.annotations[${ownerIdAnnotation}]`, message: "it cannot be changed or removed", hint }];
}
