// What is wrong with an APIEndpoint or a change of one, all of it at once, and what in it has no effect: the same checks as for an
// OpenStackCluster, on the fields that both have.

import { userTagProblems } from "../../../../apis/openstack/tag-text.ts";
import { isDnsName } from "../../../../apis/text/dns-name.ts";
import { type Problem, quote } from "../../../../apis/text/problem.ts";
import { annotationProblems, annotationWarnings } from "../annotation-checks.ts";
import { consentWarnings } from "../consent-warnings.ts";
import { defaultApiPort, mappingsOf } from "../load-balancer/api-server-load-balancer.ts";
import {
  addressChangeProblems,
  type BlockChange,
  blockUpdateProblems,
  endpointUpdateProblems,
} from "../load-balancer/api-server-load-balancer-update.ts";
import { blockUpdateWarnings } from "../load-balancer/api-server-load-balancer-update-warnings.ts";
import {
  addressProblems,
  blockProblems,
  endpointProblems,
  identityProblems,
  paramProblems,
} from "../load-balancer/api-server-load-balancer-validation.ts";
import { blockWarnings } from "../load-balancer/api-server-load-balancer-warnings.ts";
import { ownerProblems, regionProblems } from "../openstack-cluster/openstack-cluster-update.ts";
import type { ApiEndpoint } from "./api-endpoint.ts";

const block = "spec.apiServerLoadBalancer";
const endpointAt = "spec.controlPlaneEndpoint";

export function apiEndpointProblems({ metadata, spec = {} }: ApiEndpoint): readonly Problem[] {
  const { apiServerLoadBalancer: balancer, subnets = [], controlPlaneEndpoint: endpoint } = spec;
  return [
    ...missing(spec.clusterRef?.name, "spec.clusterRef.name", "Name the Cluster in this namespace."),
    ...missing(balancer, block, "Say which balancers are wanted."),
    ...identityProblems(spec.identityRef, "spec.identityRef"),
    ...hostProblems(endpoint?.host, mappingsOf(balancer).length),
    ...endpointProblems(endpoint, balancer, endpointAt),
    ...blockProblems(balancer, block),
    ...paramProblems(spec.network, "spec.network", "network"),
    ...subnets.flatMap((subnet, i) => paramProblems(subnet, `spec.subnets[${i}]`, "subnet")),
    ...paramProblems(spec.externalNetwork, "spec.externalNetwork", "network"),
    ...addressProblems(spec.floatingIP?.address, "spec.floatingIP.address"),
    ...addressProblems(spec.fixedIP, "spec.fixedIP"),
    ...userTagProblems(spec.tags, "spec.tags"),
    ...annotationProblems(metadata, mappingsOf(balancer).length),
  ];
}

/** Beside CAPO the endpoint is always the user's, also without a mapping. */
function hostProblems(host: string | undefined, zones: number): readonly Problem[] {
  if (zones > 0 || (host !== undefined && isDnsName(host))) return [];
  const message = host === undefined ? "it is not set" : `${quote(host)} is not a DNS name`;
  return [{ where: `${endpointAt}.host`, message, hint: "Set the DNS name that clients use." }];
}

export function apiEndpointUpdateWarnings(before: ApiEndpoint, after: ApiEndpoint): readonly string[] {
  return blockUpdateWarnings(blockChange(before, after));
}

function blockChange({ spec: was, status }: ApiEndpoint, { spec: is }: ApiEndpoint): BlockChange {
  const recorded = {
    isReported: (status?.conditions ?? []).length > 0,
    zones: status?.apiServerLoadBalancers ?? [],
    single: status?.apiServerLoadBalancer,
  };
  return { before: was?.apiServerLoadBalancer, after: is?.apiServerLoadBalancer, recorded, at: block };
}

export function apiEndpointUpdateProblems(before: ApiEndpoint, after: ApiEndpoint): readonly Problem[] {
  const [was, is] = [before.spec ?? {}, after.spec ?? {}];
  const change = blockChange(before, after);
  const clusterChanged = was.clusterRef !== undefined && was.clusterRef.name !== is.clusterRef?.name;
  return [
    ...(clusterChanged
      ? [
          {
            where: "spec.clusterRef.name",
            message: "it cannot change",
            hint: "Make another APIEndpoint for another cluster.",
          },
        ]
      : []),
    ...endpointUpdateProblems(was.controlPlaneEndpoint, is.controlPlaneEndpoint, endpointAt),
    ...blockUpdateProblems(change),
    ...addressChangeProblems({
      where: "spec.floatingIP.address",
      was: was.floatingIP?.address,
      is: is.floatingIP?.address,
      current: change.recorded.single?.ip,
    }),
    ...addressChangeProblems({
      where: "spec.fixedIP",
      was: was.fixedIP,
      is: is.fixedIP,
      current: change.recorded.single?.internalIP,
    }),
    ...regionProblems(was.identityRef, is.identityRef),
    ...ownerProblems(before.metadata, after.metadata),
  ];
}

export function apiEndpointWarnings({ metadata, spec = {}, status }: ApiEndpoint): readonly string[] {
  const { apiServerLoadBalancer: balancer, floatingIP, fixedIP } = spec;
  const zones = mappingsOf(balancer);
  const only = `is for the first zone, ${zones[0]?.availabilityZone ?? ""}, alone: the others get addresses of their own`;
  return [
    ...blockWarnings({ block: balancer, at: block, apiPort: spec.controlPlaneEndpoint?.port || defaultApiPort }),
    ...(floatingIP?.address && floatingIP.enabled === false
      ? ["spec.floatingIP.address is ignored, because spec.floatingIP.enabled is false"]
      : floatingIP?.address && zones.length > 1
        ? [`spec.floatingIP.address ${only}`]
        : []),
    ...(fixedIP && zones.length > 1 ? [`spec.fixedIP ${only}`] : []),
    ...annotationWarnings(
      metadata,
      "APIEndpoint",
      zones.map(({ availabilityZone }) => availabilityZone),
    ),
    ...consentWarnings({ metadata, block: balancer, status }),
  ];
}

function missing(value: unknown, where: string, hint: string): readonly Problem[] {
  return value === undefined || value === "" ? [{ where, message: "it is not set", hint }] : [];
}
