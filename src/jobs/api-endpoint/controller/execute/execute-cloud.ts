// Carries out what the planner decided about the cloud, one call for each action. What a provider cannot do (501), or policy forbids
// where there is another way, is remembered, so that the next plan goes without it.

import { formatRef } from "../../../../apis/kube/kube-object.ts";
import { isOpenStackError } from "../../../../core/openstack/openstack-error.ts";
import type { Executors, Writer } from "../../../../engine/feature.ts";
import type { OpenStackProject } from "../../../../ports/openstack.ts";
import { failoverUnavailable, mayStillArrive, noFailover, tagsUnavailable } from "./cloud-refusals.ts";
import { asker, type CloudAction, type CloudExecution, learnFrom, listenerFeatures } from "./learn-from-cloud.ts";
import { mergeOne } from "./merge-one-member.ts";

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
          execution.capabilities.acquit(asker(execution, action), provider);
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
      await learning(action, [], ["Unsupported"], () =>
        octavia(action).mergeMembers(poolId, members, call(writer)),
      ).catch(async (error: unknown) => {
        if (!isOpenStackError(error, "Unsupported")) throw error;
        // What is refused of one alone too is about the member: nothing is learnt of batches.
        await one();
        execution.capabilities.refused(asker(execution, action), [{ provider, feature: "batch-members" }]);
      });
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
      const { id, address, tags } = action;
      await learning(action, [refusal], ["Unsupported", "Forbidden"], () =>
        neutron(action)
          .replaceTags("floatingips", id, tags, call(writer))
          .catch(async (error: unknown) => {
            if (!isOpenStackError(error, "NotFound")) throw error;
            const there = await neutron(action).listFloatingIps({ addresses: [address] }, call(writer));
            throw there.some((one) => one.id === id) ? tagsUnavailable(error) : error;
          }),
      );
    },
    "delete-floating-ip": async (action, writer) => {
      await neutron(action).deleteFloatingIp(action.id, call(writer));
    },
  };
}

function call({ signal, fence }: Writer): Pick<Writer, "signal" | "fence"> {
  return { signal, fence };
}
