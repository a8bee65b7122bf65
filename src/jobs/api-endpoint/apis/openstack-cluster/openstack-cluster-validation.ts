// What is wrong with an OpenStackCluster, all of it at once, and what in it has no effect. Admission answers with it; the controller
// asks the same before it acts, since webhooks can be absent. Fields are named as in the version that somebody speaks.

import { userTagProblems } from "../../../../apis/openstack/tag-text.ts";
import { isRecord, type Problem, quote } from "../../../../apis/text/problem.ts";
import { annotationProblems, annotationWarnings } from "../annotation-checks.ts";
import { consentWarnings } from "../consent-warnings.ts";
import { defaultApiPort, isEnabled, mappingsOf } from "../load-balancer/api-server-load-balancer.ts";
import {
  addressProblems,
  blockProblems,
  endpointProblems,
  identityProblems,
  paramProblems,
  portProblems,
} from "../load-balancer/api-server-load-balancer-validation.ts";
import { blockWarnings } from "../load-balancer/api-server-load-balancer-warnings.ts";
import { misplacedFieldProblems } from "./misplaced-fields.ts";
import type { OpenStackCluster, OpenStackClusterSpec } from "./openstack-cluster.ts";
import { fieldIn, type SpokenVersion } from "./openstack-cluster-conversion.ts";

const block = "spec.apiServerLoadBalancer";

export function openStackClusterProblems(
  object: OpenStackCluster,
  version: SpokenVersion = "v1beta1",
): readonly Problem[] {
  const own = ownProblems(object).map((problem) => ({ ...problem, where: fieldIn(version, problem.where) }));
  return [...own, ...misplacedFieldProblems(object)];
}

function ownProblems({ metadata, spec = {} }: OpenStackCluster): readonly Problem[] {
  const { apiServerLoadBalancer: balancer, subnets = [] } = spec;
  return [
    ...identityProblems(spec.identityRef, "spec.identityRef"),
    ...endpointProblems(spec.controlPlaneEndpoint, balancer, "spec.controlPlaneEndpoint"),
    ...blockProblems(balancer, block),
    ...paramProblems(spec.network, "spec.network", "network"),
    ...subnets.flatMap((subnet, i) => paramProblems(subnet, `spec.subnets[${i}]`, "subnet")),
    ...paramProblems(spec.primarySubnet, "spec.primarySubnet", "subnet"),
    ...paramProblems(spec.externalNetwork, "spec.externalNetwork", "network"),
    ...portProblems(spec.apiServerPort, 0, "spec.apiServerPort"),
    ...addressProblems(spec.apiServerFloatingIP, "spec.apiServerFloatingIP"),
    ...addressProblems(spec.apiServerFixedIP, "spec.apiServerFixedIP"),
    ...externalNetworkProblems(spec),
    ...userTagProblems(spec.tags, "spec.tags"),
    ...annotationProblems(metadata, mappingsOf(balancer).length),
  ];
}

function externalNetworkProblems(spec: OpenStackClusterSpec): readonly Problem[] {
  if (spec.disableExternalNetwork !== true) return [];
  const { bastion } = spec as { readonly bastion?: unknown };
  const hint = "Floating addresses come from the external network: have both, or neither.";
  return [
    ...(spec.disableAPIServerFloatingIP === true
      ? []
      : [
          {
            where: "spec.disableAPIServerFloatingIP",
            message: "the API wants a floating IP without an external network",
            hint,
          },
        ]),
    ...(isRecord(bastion) && bastion["floatingIP"] !== undefined
      ? [
          {
            where: "spec.bastion.floatingIP",
            message: `${quote(bastion["floatingIP"])} needs an external network`,
            hint,
          },
        ]
      : []),
  ];
}

export function openStackClusterWarnings(
  object: OpenStackCluster,
  version: SpokenVersion = "v1beta1",
): readonly string[] {
  return ownWarnings(object).map((text) => fieldIn(version, text));
}

function ownWarnings({ metadata, spec = {}, status }: OpenStackCluster): readonly string[] {
  const { apiServerLoadBalancer: balancer, controlPlaneEndpoint: endpoint, apiServerPort } = spec;
  const port = endpoint?.host && endpoint.port ? endpoint.port : apiServerPort || defaultApiPort;
  return [
    ...blockWarnings({ block: balancer, at: block, apiPort: port }),
    ...addressWarnings(spec),
    ...(apiServerPort && apiServerPort !== port
      ? [`spec.apiServerPort is ignored: spec.controlPlaneEndpoint has port ${port}`]
      : []),
    ...zoneWarnings(spec),
    ...annotationWarnings(
      metadata,
      "OpenStackCluster",
      mappingsOf(balancer).map(({ availabilityZone }) => availabilityZone),
    ),
    ...consentWarnings({ metadata, block: balancer, status }),
  ];
}

function addressWarnings(spec: OpenStackClusterSpec): readonly string[] {
  const { apiServerFloatingIP: floating, apiServerFixedIP: fixed, apiServerLoadBalancer: balancer } = spec;
  const several = isEnabled(balancer) && mappingsOf(balancer).length > 1;
  const first = mappingsOf(balancer)[0]?.availabilityZone ?? "";
  const only = `is for the first zone, ${first}, alone: the others get addresses of their own`;
  return [
    ...(floating && spec.disableAPIServerFloatingIP === true
      ? ["spec.apiServerFloatingIP is ignored, because floating IPs are off"]
      : floating && several
        ? [`spec.apiServerFloatingIP ${only}`]
        : []),
    ...(fixed && several ? [`spec.apiServerFixedIP ${only}`] : []),
  ];
}

/** A control-plane machine in a zone without a balancer is reached by nobody, unless balancers serve all zones. */
function zoneWarnings({ apiServerLoadBalancer: balancer, controlPlaneAvailabilityZones = [] }: OpenStackClusterSpec) {
  const mapped = mappingsOf(balancer).map(({ availabilityZone }) => availabilityZone);
  if (!isEnabled(balancer) || mapped.length === 0 || balancer?.allowCrossAZLoadBalancerMembers === true) return [];
  return controlPlaneAvailabilityZones
    .filter((zone) => !mapped.includes(zone))
    .map(
      (zone) =>
        `spec.controlPlaneAvailabilityZones: ${zone} has no entry in availabilityZoneSubnets, so its machines serve nobody`,
    );
}
