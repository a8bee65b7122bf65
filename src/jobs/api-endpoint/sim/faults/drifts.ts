// What people change by hand on balancers of ours, each a thing that has to become as it was: names, limits, timings, and parts made again
// as something that cannot be changed back.

import type { CreateHealthMonitor, CreatePool } from "../../../../core/openstack/octavia-objects.ts";
import { endPhase } from "../../../../sim/fakes/openstack/octavia/provisioning.ts";
import { pick } from "../../../../sim/time/derive-seed.ts";
import type { EndpointSim } from "../endpoint-sim.ts";
import type { EndpointCloudFault } from "./endpoint-cloud-faults.ts";

export const drifts: Readonly<Record<string, EndpointCloudFault>> = {
  "balancer renamed": async ({ sim, balancer: { id, tags } }) => {
    // Of one without marks nothing but its name says whose it is; so below.
    if (tags.length > 0) await sim.project.octavia.updateLoadBalancer(id, { name: "renamed" });
  },
  "listener limited": async ({ sim, balancer: { id } }) => {
    const listener = oneOf(sim, "listeners", id);
    if (listener !== undefined) await sim.project.octavia.updateListener(listener.id, { connectionLimit: 7 });
  },
  "pool renamed": async ({ sim, balancer: { id } }) => {
    const pool = oneOf(sim, "pools", id);
    if (pool !== undefined) await sim.project.octavia.updatePool(pool.id, { name: "renamed" });
  },
  "monitor changed": async ({ sim, balancer: { id } }) => {
    const monitor = oneOf(sim, "healthmonitors", id);
    if (monitor !== undefined)
      await sim.project.octavia.updateHealthMonitor(monitor.id, { delaySeconds: 42, timeoutSeconds: 7 });
  },
  "monitor of another type": async ({ sim, balancer: { id } }) => {
    const monitor = oneOf(sim, "healthmonitors", id);
    if (monitor === undefined || !hasOtherProtocols(sim)) return;
    const { octavia } = sim.project;
    await octavia.deleteHealthMonitor(monitor.id);
    endPhase(sim.fake.cloud, id);
    const { poolId, name, tags, delaySeconds, timeoutSeconds, maxRetries, maxRetriesDown } = monitor;
    const timings = { delaySeconds, timeoutSeconds, maxRetries, maxRetriesDown };
    const wanted: CreateHealthMonitor = { poolId, name, type: "HTTP", tags, ...timings };
    await octavia.createHealthMonitor(wanted);
  },
  "pool of another protocol": async ({ sim, balancer: { id } }) => {
    const pool = oneOf(sim, "pools", id);
    const listener = sim.fake.cloud.tables.listeners.find(`pool:${pool?.id ?? ""}`)[0];
    if (pool === undefined || listener === undefined || !hasOtherProtocols(sim)) return;
    const { octavia } = sim.project;
    await octavia.deletePool(pool.id);
    endPhase(sim.fake.cloud, id);
    const { name, tags } = pool;
    const algorithm = "ROUND_ROBIN";
    const wanted: CreatePool = {
      listenerId: listener.id,
      name,
      tags,
      algorithm,
      protocol: "PROXY",
    };
    await octavia.createPool(wanted);
  },
};

/** Of those that bear a mark. */
function oneOf<K extends "listeners" | "pools" | "healthmonitors">({ fake, world }: EndpointSim, kind: K, id: string) {
  const { [kind]: table } = fake.cloud.tables;
  return pick(
    world.random,
    table.find(`balancer:${id}`).filter(({ tags }) => tags.length > 0),
  );
}

/** OVN knows TCP alone. */
function hasOtherProtocols({ setting }: EndpointSim): boolean {
  return setting.provider !== "ovn";
}
