// People who act in the cloud besides us: an administrator deletes a floating IP or a port of ours, detaches one, changes the gateways' pairs;
// quotas are used up for a while.

import { isOpenStackError } from "../../../../core/openstack/openstack-error.ts";
import { between, pick } from "../../../../sim/time/derive-seed.ts";
import { addressOf, allServices, excuse, type GatewaySim, later, ourMark, ourPorts } from "../gateway-sim.ts";

type NeutronFault = (sim: GatewaySim) => Promise<void> | void;

export const neutronFaults: Readonly<Record<string, NeutronFault>> = {
  "floating IP deleted": async (sim) => {
    const found = pick(sim.world.random, ourFloatingIps(sim));
    if (found === undefined) return;
    everybodyMayMove(sim);
    await sim.project.neutron.deleteFloatingIp(found.id);
  },
  "floating IP detached": async (sim) => {
    const found = pick(sim.world.random, ourFloatingIps(sim));
    if (found === undefined) return;
    everybodyMayMove(sim);
    await sim.project.neutron.updateFloatingIp(found.id, { portId: null });
  },
  "port deleted": async (sim) => {
    const found = pick(sim.world.random, ourPorts(sim));
    if (found === undefined) return;
    everybodyMayMove(sim);
    await sim.project.neutron.deletePort(found.id);
  },
  "pairs of a gateway removed": async (sim) => {
    const id = pick(sim.world.random, [...sim.gatewayPorts.values()]);
    const port = id === undefined ? undefined : sim.fake.cloud.tables.ports.get(id);
    const ours = new Set(ourPorts(sim).map(addressOf));
    if (id === undefined || port === undefined) return;
    const allowedAddressPairs = port.allowedAddressPairs.filter(({ address }) => !ours.has(address));
    await sim.project.neutron.updatePort(id, { allowedAddressPairs });
  },
  "quota used up": (sim) => {
    const { fake, lab, world } = sim;
    const kind = pick(world.random, ["port", "floatingip"] as const) ?? "port";
    fake.faults.setQuota(lab.projectId, kind, 0);
    later(sim, between(world.random, 1_000, 2_000), 20_000, () => fake.faults.setQuota(lab.projectId, kind, undefined));
  },
  "tokens revoked": ({ fake }) => fake.faults.revokeTokens("demo"),
};

export class NeutronOperators {
  readonly #sim: GatewaySim;
  #hasEnded = false;

  constructor(sim: GatewaySim) {
    this.#sim = sim;
  }

  async act(): Promise<void> {
    const { world, setting } = this.#sim;
    const [name = "", fault] = pick(world.random, Object.entries(neutronFaults)) ?? [];
    if (fault === undefined || setting.source === "static" || this.#hasEnded) return;
    world.network.trace.write("operator", name);
    try {
      await fault(this.#sim);
    } catch (error) {
      // The cloud refuses people's calls, too.
      if (!isOpenStackError(error)) throw error;
    }
  }

  insist(): void {
    const { fake, lab } = this.#sim;
    this.#hasEnded = true;
    for (const kind of ["port", "floatingip"] as const) fake.faults.setQuota(lab.projectId, kind, undefined);
  }
}

function ourFloatingIps({ fake }: GatewaySim) {
  return fake.cloud.tables.floatingips.all().filter(({ description }) => description === ourMark);
}

/** Several may share what is gone. */
function everybodyMayMove(sim: GatewaySim): void {
  for (const { metadata } of allServices(sim)) excuse(sim, `${metadata.namespace ?? ""}/${metadata.name}`);
}
