// Who answers at an address of the fake cloud, as a client finds out: past everything that Octavia says of itself.

import type { Probe, ProbeTarget } from "../../../ports/probe.ts";
import type { Cloud } from "./cloud.ts";
import type { BalancerRecord } from "./cloud-records.ts";
import { isDark, isDown } from "./octavia/health.ts";

/** Who does not answer is given up on when the time is over. */
export function cloudProbe(cloud: Cloud): Probe {
  return {
    isAnswered: (target) =>
      new Promise((resolve) => {
        const isAnswered = answersAt(cloud, target);
        cloud.clock.after(isAnswered ? answerMs : target.timeoutMs, () => resolve(isAnswered));
      }),
  };
}

const answerMs = 5;

/** A balancer takes connections also while nobody stands behind it. */
function answersAt(cloud: Cloud, { address, port, how }: ProbeTarget): boolean {
  const balancer = balancerAt(cloud, address);
  if (balancer === undefined || !balancer.adminStateUp || balancer.provisioningStatus === "PENDING_CREATE")
    return false;
  if (cloud.trouble.deadBalancers.has(balancer.id) || isDark(cloud, balancer)) return false;
  const listener = cloud.tables.listeners
    .find(`balancer:${balancer.id}`)
    .find((one) => one.port === port && one.adminStateUp && one.protocol !== "UDP");
  if (listener === undefined) return false;
  const members = cloud.tables.members.find(`pool:${listener.defaultPoolId ?? ""}`);
  return how === "tcp" || members.some((member) => member.adminStateUp && !isDown(cloud, member));
}

function balancerAt(cloud: Cloud, address: string): BalancerRecord | undefined {
  const floating = cloud.tables.floatingips.all().find((one) => one.address === address);
  return cloud.tables.loadbalancers
    .all()
    .find(({ vipPortId, vipAddress }) =>
      floating === undefined ? vipAddress === address : vipPortId === floating.portId,
    );
}
