// What a cloud refuses to do is remembered, so that the next plan goes without it: what a provider lacks for everybody, a bad zone for
// the one object that asked for it.

import { formatRef } from "../../../../apis/kube/kube-object.ts";
import type { UpdateListener } from "../../../../core/openstack/octavia-objects.ts";
import { isOpenStackError, type OpenStackErrorCode } from "../../../../core/openstack/openstack-error.ts";
import type { CloudKind, EndpointAction } from "../../core/model/action.ts";
import type { ProviderRefusal } from "../../core/model/observed.ts";
import type { Addressed } from "../addressed.ts";
import type { Asker, CapabilityCache } from "../cloud/capability-cache.ts";
import type { FailoverMemory } from "../cloud/failover-memory.ts";
import type { BalancerLooks } from "../cloud/observed-balancers.ts";
import type { FloatingIpLooks } from "../cloud/observed-floating-ips.ts";
import type { Sessions } from "../cloud/sessions.ts";

export interface CloudExecution {
  readonly sessions: Sessions;
  readonly looks: BalancerLooks;
  readonly capabilities: CapabilityCache;
  readonly failovers: FailoverMemory;
  readonly floatingIps: FloatingIpLooks;
}

export type CloudAction = Addressed<Extract<EndpointAction, { readonly kind: CloudKind }>>;

export function asker({ sessions }: CloudExecution, { object }: CloudAction): Asker {
  return { endpointKey: sessions.of(object).endpointKey, key: formatRef(object) };
}

export function learnFrom(execution: CloudExecution) {
  const { capabilities } = execution;
  return async (
    action: CloudAction,
    asked: readonly ProviderRefusal[],
    codes: readonly OpenStackErrorCode[],
    attempt: () => Promise<unknown>,
  ): Promise<void> => {
    try {
      await attempt();
    } catch (error) {
      const who = asker(execution, action);
      // It is the provider that lacks it, whatever the zone.
      const lacking = asked.map(({ provider, feature }) => ({ provider, feature }));
      if (isOpenStackError(error, ...codes)) capabilities.refused(who, lacking);
      // A zone or a flavor may have been taken out of service since they were listed.
      else if (isOpenStackError(error, "BadRequest"))
        capabilities.doubt(
          who,
          asked.filter(({ zone }) => zone !== undefined),
        );
      throw error;
    }
  };
}

/** An access list comes last: without it everybody may connect. */
export function listenerFeatures(provider: string, wanted: UpdateListener): readonly ProviderRefusal[] {
  return [
    ...(wanted.clientTimeoutMs === undefined && wanted.memberTimeoutMs === undefined
      ? []
      : [{ provider, feature: "timeouts" } as const]),
    ...(wanted.allowedCidrs === undefined ? [] : [{ provider, feature: "allowed-cidrs" } as const]),
  ];
}
