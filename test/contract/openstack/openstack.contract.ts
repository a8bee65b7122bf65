// The contract of OpenStack's services as Mainstay relies on it: one suite, the same assertions, on the fake in-process, on the fake over
// HTTP through the driver, and on the real services. Where they differ, the fake is wrong.

import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe } from "vitest";
import { keystoneBehaviours } from "./keystone.ts";
import { neutronBehaviours } from "./neutron.ts";
import { floatingIpBehaviours } from "./neutron-floating-ips.ts";
import { portChangeBehaviours } from "./neutron-port-changes.ts";
import { portBehaviours } from "./neutron-ports.ts";
import { novaBehaviours } from "./nova.ts";
import { balancerBehaviours } from "./octavia-balancers.ts";
import { capabilityBehaviours } from "./octavia-capabilities.ts";
import { deletionBehaviours } from "./octavia-deletion.ts";
import { listenerBehaviours } from "./octavia-listeners.ts";
import { listBehaviours } from "./octavia-lists.ts";
import { memberBehaviours } from "./octavia-members.ts";
import { ovnBehaviours } from "./octavia-ovn.ts";
import { poolBehaviours } from "./octavia-pools.ts";
import { type GetStage, patienceMs, type Stage, setStage } from "./stage.ts";
import type { OpenStackTarget } from "./target.ts";

// In this order: later areas use what earlier ones made, and the last one deletes it.
const areas: Readonly<Record<string, (get: GetStage) => void>> = {
  keystone: keystoneBehaviours,
  nova: novaBehaviours,
  networks: neutronBehaviours,
  ports: portBehaviours,
  "changes of ports": portChangeBehaviours,
  capabilities: capabilityBehaviours,
  balancers: balancerBehaviours,
  listeners: listenerBehaviours,
  // Before there are monitors: see octavia-pools.ts.
  ovn: ovnBehaviours,
  pools: poolBehaviours,
  members: memberBehaviours,
  lists: listBehaviours,
  "floating IPs": floatingIpBehaviours,
  deletion: deletionBehaviours,
};

export function openStackContract(target: OpenStackTarget): void {
  let stage: Stage | undefined;

  beforeAll(async () => {
    const unique = (prefix: string) => `${prefix}-${randomBytes(4).toString("hex")}`;
    stage = setStage(await target.open(), unique);
  }, patienceMs);

  afterAll(async () => {
    await stage?.cleanUp();
  }, patienceMs);

  function get(): Stage {
    if (stage === undefined) throw new Error("the session is not open yet: ask for the stage inside `it` or a hook");
    return stage;
  }

  for (const [area, behaviours] of Object.entries(areas))
    describe(area, { timeout: patienceMs }, () => behaviours(get));
}
