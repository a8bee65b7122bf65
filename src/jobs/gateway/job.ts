// The gateway job: Services of type LoadBalancer through gateways that Mainstay's agents configure.

import { namespaces, secrets, services } from "../../apis/kube/builtin-kinds.ts";
import { openStackClusterIdentities } from "../../apis/openstack/openstack-cluster-identity.ts";
import { admission } from "../../core/job/admission.ts";
import { declareJob } from "../../core/job/declaration.ts";
import { gatewayPools } from "./apis/gateway-pool.ts";
import { gatewayPoolCrd } from "./apis/gateway-pool-crd.ts";
import { gatewayPoolProblems, gatewayPoolUpdateProblems } from "./apis/gateway-pool-validation.ts";
import { gatewayChanges } from "./core/model/actions.ts";
import { gatewayMetrics } from "./core/model/metrics.ts";
import { poolParts } from "./core/picture/pool-parts.ts";
import { poolPicture } from "./core/picture/pool-picture.ts";
import { gatewayCauses, gatewayReasons } from "./core/reasons.ts";
import { poolCauseOrder } from "./core/status/pool-conditions.ts";
import { gatewaySettings } from "./settings.ts";

export const gatewayJob = declareJob({
  name: "gateway",
  summary: "Services of type LoadBalancer through gateways, with addresses from Neutron or from a list.",
  controllers: {
    gateway: {
      summary: "Gives Services addresses and tells the gateways of each pool where to send connections.",
      shows: [
        {
          kind: gatewayPools,
          what: "Gateways that carry addresses of Services, and where the addresses come from.",
          parts: poolParts,
          picture: poolPicture,
          headline: { condition: "Ready", order: poolCauseOrder },
        },
      ],
      follows: "Services, their EndpointSlices and Nodes: who needs an address, and where connections go.",
      permissions: [
        {
          rights: [
            { kind: gatewayPools, verb: "get" },
            { kind: gatewayPools, verb: "patch" },
            { kind: gatewayPools, subresource: "status", verb: "patch" },
          ],
        },
        {
          purpose: "Services: where the address is recorded, the finalizer, and the address in the status.",
          rights: [
            { kind: services, verb: "get" },
            { kind: services, verb: "patch" },
            { kind: services, subresource: "status", verb: "patch" },
          ],
        },
        {
          purpose:
            "Credentials for agents and for the cloud: the Secrets that pools name. Where all of them are known, replace this rule by Roles in their namespaces with resourceNames.",
          rights: [
            { kind: secrets, verb: "get" },
            { kind: openStackClusterIdentities, verb: "get", optional: true },
          ],
        },
        {
          purpose: "The uid of kube-system marks what is ours in Neutron, where a pool names no clusterID.",
          rights: [{ kind: namespaces, verb: "get", name: "kube-system" }],
        },
      ],
    },
  },
  definitions: [{ crd: gatewayPoolCrd }],
  admission: [
    admission({
      kind: gatewayPools,
      problems: gatewayPoolProblems,
      updateProblems: gatewayPoolUpdateProblems,
      warnings: () => [],
    }),
  ],
  conversion: [],
  reasons: gatewayReasons,
  causes: gatewayCauses,
  changes: gatewayChanges,
  metrics: gatewayMetrics,
  settings: { key: "gateway", schema: gatewaySettings },
  featureGates: {},
});
