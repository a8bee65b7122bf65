// The part of an intent that both doors say in the same words: the block, the endpoint, the annotations and the tags. Defaults are CAPO's.

import type { ObjectMeta } from "../../../../apis/kube/kube-object.ts";
import { usableTags, userTagProblems } from "../../../../apis/openstack/tag-text.ts";
import { formatProblem, type Problem } from "../../../../apis/text/problem.ts";
import {
  adoptLegacyAnnotation,
  consentedZones,
  defaultIdleTimeoutMs,
  idleTimeoutAnnotation,
  isConsent,
  locationAnnotation,
  minZonesAnnotation,
  ownerIdAnnotation,
  parseIdleTimeout,
  parseMinZones,
  removeLegacyAnnotation,
  repairAnnotation,
  tagsAnnotation,
} from "../../apis/annotations.ts";
import {
  type ApiServerLoadBalancer,
  type ControlPlaneEndpoint,
  defaultApiPort,
  defaultMonitor,
  isEnabled,
  mappingsOf,
  type NetworkParam,
  type SubnetParam,
} from "../../apis/load-balancer/api-server-load-balancer.ts";
import { parseTagRecord } from "../../apis/tag-record.ts";
import type {
  BalancerMode,
  EndpointAddress,
  EndpointSettings,
  MonitorIntent,
  NetworkSelector,
  SubnetFilter,
  SubnetSelector,
} from "../model/intent.ts";
import { portsBeside, tcpPort } from "../model/port.ts";

/** Of a Cluster of Cluster API: where it is, and the endpoint that its kubeconfigs hold. */
export interface ClusterOfDoor {
  readonly ref: { readonly namespace: string; readonly name: string };
  readonly endpoint: EndpointAddress | undefined;
}

interface BlockInput {
  readonly block: ApiServerLoadBalancer | undefined;
  readonly endpoint: ControlPlaneEndpoint | undefined;
  /** Where the API server listens when the endpoint does not say. */
  readonly apiServerPort: number | undefined;
}

export function blockIntent({ block, endpoint, apiServerPort }: BlockInput) {
  const { host = "", port = 0 } = endpoint ?? {};
  const apiPort = tcpPort(host !== "" && port !== 0 ? port : apiServerPort || defaultApiPort);
  return {
    ...balancerMode(block),
    crossZone: block?.allowCrossAZLoadBalancerMembers ?? false,
    endpoint: host === "" ? undefined : { host, port },
    apiPort,
    additionalPorts: portsBeside(apiPort, (block?.additionalPorts ?? []).map(tcpPort)),
    allowedCidrs: block?.allowedCIDRs ?? [],
    monitor: monitorIntent(block),
    provider: block?.provider || undefined,
    flavor: block?.flavor || undefined,
    network: block?.network === undefined ? undefined : networkSelector(block.network),
  } as const satisfies Partial<EndpointSettings> & BalancerMode;
}

function balancerMode(block: ApiServerLoadBalancer | undefined): BalancerMode {
  if (!isEnabled(block)) return { mode: "none" };
  const mappings = mappingsOf(block);
  if (mappings.length > 0)
    return {
      mode: "zones",
      zones: mappings.map(({ availabilityZone: zone, subnet }) => ({ zone, subnet: subnetSelector(subnet) })),
    };
  const { availabilityZone, subnets = [] } = block ?? {};
  return { mode: "single", availabilityZone: availabilityZone || undefined, subnets: subnets.map(subnetSelector) };
}

/** Zero has always meant the default. */
function monitorIntent(block: ApiServerLoadBalancer | undefined): MonitorIntent {
  const { delay, timeout, maxRetries, maxRetriesDown } = block?.monitor ?? {};
  return {
    delaySeconds: delay || defaultMonitor.delay,
    timeoutSeconds: timeout || defaultMonitor.timeout,
    maxRetries: maxRetries || defaultMonitor.maxRetries,
    maxRetriesDown: maxRetriesDown || defaultMonitor.maxRetriesDown,
  };
}

export function annotatedIntent({ annotations = {} }: ObjectMeta) {
  const idle = annotations[idleTimeoutAnnotation];
  return {
    ownerId: annotations[ownerIdAnnotation] || undefined,
    // An empty one is no consent.
    location: annotations[locationAnnotation],
    tagRecord: parseTagRecord(annotations[tagsAnnotation]),
    idleTimeoutMs: (idle === undefined ? undefined : parseIdleTimeout(idle)) ?? defaultIdleTimeoutMs,
    consents: {
      repair: isConsent(annotations[repairAnnotation]),
      repairZones: consentedZones(annotations[repairAnnotation]),
      removeLegacy: isConsent(annotations[removeLegacyAnnotation]),
      adoptLegacy: isConsent(annotations[adoptLegacyAnnotation]),
      minZones: parseMinZones(annotations[minZonesAnnotation]),
    },
  } as const satisfies Partial<EndpointSettings>;
}

export function networkSelector({ id, filter }: NetworkParam): NetworkSelector {
  return filter === undefined || id !== undefined ? { id: id ?? "" } : { filter };
}

/** Tags that no service would take are left out, and reported: the rest of the object goes on without them. */
export function taggedIntent(tags: readonly string[] | undefined): Pick<EndpointSettings, "tags" | "tagsLeftOut"> {
  return { tags: usableTags(tags), tagsLeftOut: userTagProblems(tags, "spec.tags").map(formatProblem) };
}

/** Problems that keep an object from being acted on: all but those of values that are left out. */
export function holding(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ isLeftOut = false }) => !isLeftOut);
}

/** One that names nothing leads nowhere: an empty filter would match everything. */
export function subnetSelector({ id, filter }: SubnetParam): SubnetSelector {
  return filter === undefined || id !== undefined ? { id: id ?? "" } : { filter: filter as SubnetFilter };
}
