// Carries out what the planner decided about the cloud, one call for each action. What a provider cannot do (501), or policy forbids
// where there is another way, is remembered, so that the next plan goes without it.

import { formatRef } from "../../apis/kube-object.ts";
import type { EndpointAction } from "../../core/api-endpoint/action.ts";
import { lateCreateMs } from "../../core/api-endpoint/late-creates.ts";
import type { ProviderRefusal } from "../../core/api-endpoint/observed.ts";
import { MainstayError } from "../../core/errors.ts";
import type { CreateMember, UpdateListener } from "../../core/openstack/octavia-objects.ts";
import { isOpenStackError, OpenStackError, type OpenStackErrorCode } from "../../core/openstack/openstack-error.ts";
import type { Executors, Writer } from "../../engine/feature.ts";
import type { Octavia } from "../../ports/octavia.ts";
import type { CloudWriteOptions, OpenStackProject } from "../../ports/openstack.ts";
import type { Addressed, CloudKind } from "./addressed.ts";
import type { BalancerLooks } from "./balancer-looks.ts";
import type { CapabilityCache } from "./capability-cache.ts";
import type { FailoverMemory } from "./failover-memory.ts";
import type { FloatingIpLooks } from "./floating-ip-looks.ts";
import type { Sessions } from "./sessions.ts";

export interface CloudExecution {
  readonly sessions: Sessions;
  readonly looks: BalancerLooks;
  readonly capabilities: CapabilityCache;
  readonly failovers: FailoverMemory;
  readonly floatingIps: FloatingIpLooks;
}

export type CloudAction = Addressed<Extract<EndpointAction, { readonly kind: CloudKind }>>;

export function executeCloud(execution: CloudExecution): Executors<CloudAction> {
  return Object.fromEntries(
    Object.entries(cloudExecutors(execution)).map(([kind, execute]) => [kind, lookingAgain(execute, execution)]),
  ) as Executors<CloudAction>;
}

/** What is refused has moved without a trace: that a pool is in ERROR stands nowhere but in its own row. */
function lookingAgain(
  execute: (action: never, writer: Writer) => Promise<void>,
  { looks }: CloudExecution,
): (action: CloudAction, writer: Writer) => Promise<void> {
  return async (action, writer) => {
    try {
      await execute(action as never, writer);
    } catch (error) {
      if (isOpenStackError(error, "Conflict", "NotFound")) looks.forget(formatRef(action.object));
      throw error;
    }
  };
}

function cloudExecutors(execution: CloudExecution): Executors<CloudAction> {
  const octavia = ({ object }: CloudAction) => {
    execution.looks.doubt(formatRef(object));
    return execution.sessions.of(object).project.octavia;
  };
  const neutron = ({ object }: CloudAction): OpenStackProject["neutron"] => {
    execution.floatingIps.forget(formatRef(object));
    return execution.sessions.of(object).project.neutron;
  };
  const learning = learnFrom(execution);
  return {
    "create-load-balancer": async (action, writer) => {
      const { provider = "", availabilityZone } = action.wanted;
      await learning(
        action,
        availabilityZone === undefined ? [] : [{ provider, feature: "availability-zone", zone: availabilityZone }],
        ["Unsupported"],
        () => octavia(action).createLoadBalancer(action.wanted, call(writer)),
      ).catch((error: unknown) => {
        if (availabilityZone === undefined && isOpenStackError(error, "BadRequest"))
          execution.capabilities.acquit(execution.sessions.of(action.object).endpointKey, provider);
        throw isOpenStackError(error, "Timeout") ? mayStillArrive(error) : error;
      });
    },
    "update-load-balancer": async (action, writer) => {
      await octavia(action).updateLoadBalancer(action.id, action.change, call(writer));
    },
    "delete-load-balancer": async (action, writer) => {
      await octavia(action).deleteLoadBalancer(action.id, call(writer));
    },
    "failover-load-balancer": async (action, writer) => {
      const { provider } = action;
      execution.failovers.tried(action.id);
      await learning(action, [{ provider, feature: "failover" }], noFailover, () =>
        octavia(action).failoverLoadBalancer(action.id, call(writer)),
      ).catch((error: unknown) => {
        throw isOpenStackError(error, ...noFailover) ? failoverUnavailable(action.name, error) : error;
      });
    },
    "create-listener": async (action, writer) => {
      await learning(action, listenerFeatures(action.provider, action.wanted), ["Unsupported"], () =>
        octavia(action).createListener(action.wanted, call(writer)),
      );
    },
    "update-listener": async (action, writer) => {
      await learning(action, listenerFeatures(action.provider, action.change), ["Unsupported"], () =>
        octavia(action).updateListener(action.id, action.change, call(writer)),
      );
    },
    "delete-listener": async (action, writer) => {
      await octavia(action).deleteListener(action.id, call(writer));
    },
    "create-pool": async (action, writer) => {
      await octavia(action).createPool(action.wanted, call(writer));
    },
    "update-pool": async (action, writer) => {
      await octavia(action).updatePool(action.id, action.change, call(writer));
    },
    "delete-pool": async (action, writer) => {
      await octavia(action).deletePool(action.id, call(writer));
    },
    "create-monitor": async (action, writer) => {
      const { provider } = action;
      await learning(action, [{ provider, feature: "health-monitor" }], ["Unsupported"], () =>
        octavia(action).createHealthMonitor(action.wanted, call(writer)),
      );
    },
    "delete-monitor": async (action, writer) => {
      await octavia(action).deleteHealthMonitor(action.id, call(writer));
    },
    "update-monitor": async (action, writer) => {
      await octavia(action).updateHealthMonitor(action.id, action.change, call(writer));
    },
    "merge-members": async (action, writer) => {
      const { provider, poolId, members } = action;
      const one = () => mergeOne(octavia(action), poolId, members, call(writer));
      if (!action.batch) return await one();
      await learning(action, [{ provider, feature: "batch-members" }], ["Unsupported"], () =>
        octavia(action).mergeMembers(poolId, members, call(writer)),
      );
    },
    "remove-member": async (action, writer) => {
      await octavia(action).deleteMember(action.poolId, action.id, call(writer));
    },
    "create-floating-ip": async (action, writer) => {
      await neutron(action).createFloatingIp(action.wanted, call(writer));
    },
    "attach-floating-ip": async (action, writer) => {
      await neutron(action).updateFloatingIp(action.id, { portId: action.portId }, call(writer));
    },
    "detach-floating-ip": async (action, writer) => {
      await neutron(action).updateFloatingIp(action.id, { portId: null }, call(writer));
    },
    "tag-floating-ip": async (action, writer) => {
      const refusal = { provider: "neutron", feature: "floating-ip-tags" } as const;
      await learning(action, [refusal], ["Unsupported", "NotFound", "Forbidden"], () =>
        neutron(action).replaceTags("floatingips", action.id, action.tags, call(writer)),
      );
    },
    "delete-floating-ip": async (action, writer) => {
      await neutron(action).deleteFloatingIp(action.id, call(writer));
    },
  };
}

/** Most clouds let administrators alone do it. */
const noFailover: readonly OpenStackErrorCode[] = ["Unsupported", "Forbidden", "NotFound"];

/** Expected of a tenant, and no reason to tell people what role is missing: the next plan goes the longer way. */
function failoverUnavailable(name: string, cause: OpenStackError): MainstayError {
  const message = `load balancer ${name}: the cloud does not let us fail it over; it is made again instead, where another way in is healthy`;
  return new MainstayError({ reason: "FailoverUnavailable", message, cause });
}

/** Asking again at once would only make a second balancer, which would have to go again. */
function mayStillArrive(error: OpenStackError): OpenStackError {
  const { code, service, operation, message, hint } = error;
  return new OpenStackError({
    code,
    service,
    operation,
    message,
    retryAfterMs: Math.max(error.retryAfterMs ?? 0, lateCreateMs),
    ...(hint === undefined ? {} : { hint }),
    cause: error,
  });
}

function call({ signal, fence }: Writer): Pick<Writer, "signal" | "fence"> {
  return { signal, fence };
}

/** An access list comes last: without it everybody may connect. */
function listenerFeatures(provider: string, wanted: UpdateListener): readonly ProviderRefusal[] {
  return [
    ...(wanted.clientTimeoutMs === undefined && wanted.memberTimeoutMs === undefined
      ? []
      : [{ provider, feature: "timeouts" } as const]),
    ...(wanted.allowedCidrs === undefined ? [] : [{ provider, feature: "allowed-cidrs" } as const]),
  ];
}

/** For providers without the batch: the first that is missing or misnamed. It makes the balancer PENDING; the next round does the next. */
async function mergeOne(
  octavia: Octavia,
  poolId: string,
  members: readonly CreateMember[],
  options: CloudWriteOptions,
): Promise<void> {
  const present = await octavia.listMembers(poolId, options);
  for (const wanted of members) {
    const there = present.find(({ address, port }) => address === wanted.address && port === wanted.port);
    if (there === undefined) return void (await octavia.createMember(poolId, wanted, options));
    if (there.name !== wanted.name) {
      const { name, tags } = wanted;
      return void (await octavia.updateMember(poolId, there.id, { name, tags }, options));
    }
  }
}

function learnFrom({ sessions, capabilities }: CloudExecution) {
  return async (
    { object }: CloudAction,
    asked: readonly ProviderRefusal[],
    codes: readonly OpenStackErrorCode[],
    attempt: () => Promise<unknown>,
  ): Promise<void> => {
    try {
      await attempt();
    } catch (error) {
      const { endpointKey } = sessions.of(object);
      // It is the provider that lacks it, whatever the zone.
      const lacking = asked.map(({ provider, feature }) => ({ provider, feature }));
      if (isOpenStackError(error, ...codes)) capabilities.refused(endpointKey, lacking);
      // A zone or a flavor may have been taken out of service since they were listed.
      else if (isOpenStackError(error, "BadRequest"))
        capabilities.doubt(
          endpointKey,
          asked.filter(({ zone }) => zone !== undefined),
        );
      throw error;
    }
  };
}
