// The story's world on the lab: real API server, Cluster API and OpenStack, `mainstay controller` and `mainstay dns records` as processes.
// The data plane is read by the shortest way, beside our own driver, and everything goes on at once.

import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { openStackClusters } from "../../../src/apis/openstack-cluster.ts";
import { mainstay } from "../api-endpoint/command-line.ts";
import {
  conditionOf,
  type EndpointLab,
  namespace,
  readInfrastructure,
  removeCluster,
} from "../api-endpoint/endpoint-lab.ts";
import { breakBalancer, setMemberDown } from "../api-endpoint/faults.ts";
import { buildLegacyCluster } from "../api-endpoint/legacy-cluster.ts";
import { addMachine, deleteMachine, machineIsGone } from "../api-endpoint/machines.ts";
import type { OwnProject } from "../api-endpoint/own-project.ts";
import { type Row, rowsOf } from "../api-endpoint/rest.ts";
import { until } from "../api-endpoint/until.ts";
import type { CloudTarget, Ongoing } from "./cloud-target.ts";
import type { ServedBalancer } from "./forwarders.ts";

const cluster = "reach";
/** The test calls the first machine so; legacy-cluster.ts has its own name for it. */
const first = { "cp-1": `${cluster}-cp-1` } as Readonly<Record<string, string>>;
/** Between two of each: the lab is asked no more than it can bear. */
const pauseMs = { follow: 500, publish: 2_000, attempt: 200 } as const;

/** In a row, of one kind. */
const mostTroubles = 10;

export function realTarget(lab: EndpointLab): CloudTarget {
  const stop = new AbortController();
  const going: Promise<void>[] = [];
  const known = new Set<string>();
  const forever = async (step: () => Promise<void>, ms: number) => {
    let troubles = 0;
    while (!stop.signal.aborted) {
      try {
        await step();
        troubles = 0;
      } catch (error) {
        // A busy lab turns somebody away now and then; what could not be read stays as it was.
        if ((troubles += 1) > mostTroubles) stop.abort(error);
      }
      await sleep(ms);
    }
  };
  const nameOf = (machine: string) => first[machine] ?? machine;
  const body = (apiServerLoadBalancer: object) => ({ spec: { apiServerLoadBalancer } });
  return {
    async buildLegacyCluster(host) {
      const { member } = await buildLegacyCluster(lab, cluster, host);
      known.add(nameOf("cp-1"));
      await until("the cluster to be taken over", async () =>
        conditionOf(await readInfrastructure(lab, cluster), "Ready").startsWith("True"),
      );
      return member;
    },
    async addMachine(name, zone) {
      const address = lab.project.address(Number(zone.slice(2)) as 1 | 2 | 3);
      known.add(name);
      await addMachine(lab, { cluster, name, zone, addresses: [address] });
      return address;
    },
    deleteMachine: (name) => deleteMachine(lab, nameOf(name)),
    machineIsGone: (name) => machineIsGone(lab, nameOf(name)),
    async patch(block) {
      await lab.kube.patch(openStackClusters, { name: cluster, namespace }, { type: "merge", body: body(block) });
    },
    zones: (...zones) => ({
      network: { id: lab.project.networkId },
      availabilityZoneSubnets: zones.map((availabilityZone) => ({
        availabilityZone,
        subnet: { id: lab.project.subnetIds[Number(availabilityZone.slice(2)) - 1] },
      })),
    }),
    setMemberDown: (address, isDown) => setMemberDown(lab, address, isDown),
    async breakBalancer(zone) {
      const found = (await lab.project.balancers()).find(({ name = "" }) => name.endsWith(`-${zone}-kubeapi`));
      await breakBalancer(lab, found?.id ?? "");
    },
    balancers: () => servedBy(lab.project),
    async records() {
      const { code, out } = await mainstay(lab, "dns", "records", `${namespace}/${cluster}`, "-o", "bind");
      return code === 0 ? out : undefined;
    },
    nowMs: () => performance.now(),
    begin(ongoing: Ongoing) {
      for (const step of ["follow", "publish", "attempt"] as const)
        going.push(forever(() => ongoing[step](), pauseMs[step]));
    },
    async until(what, ask) {
      await until(what, async () => {
        stop.signal.throwIfAborted();
        return await ask();
      });
    },
    async close() {
      stop.abort();
      await Promise.all(going);
      const removing = removeCluster(lab, cluster);
      for (const name of known) await machineIsGone(lab, name);
      await removing;
    },
  };
}

const balancerSchema = z.object({
  id: z.string(),
  name: z.string(),
  vip_port_id: z.string().nullable(),
  provisioning_status: z.string(),
});
const memberSchema = z.object({ address: z.string(), operating_status: z.string(), provisioning_status: z.string() });
const treeSchema = z.object({
  loadbalancer: z.object({
    listeners: z.array(z.object({ name: z.string(), pools: z.array(z.object({ members: z.array(memberSchema) })) })),
  }),
});
const runs: readonly string[] = ["ACTIVE", "PENDING_UPDATE"];

async function servedBy(project: OwnProject): Promise<readonly ServedBalancer[]> {
  const [rows, floating] = await Promise.all([
    project.balancers(),
    project.rest("neutron", "GET", `/floatingips?project_id=${project.id}`),
  ]);
  const addresses = rowsOf(floating, "floatingips");
  return (await Promise.all(rows.map((row) => served(project, row, addresses)))).flat();
}

async function served({ rest }: OwnProject, row: Row, addresses: readonly Row[]): Promise<readonly ServedBalancer[]> {
  const { id, name, vip_port_id, provisioning_status } = balancerSchema.parse(row);
  const address = addresses.find((one) => vip_port_id !== null && one["port_id"] === vip_port_id);
  if (address === undefined) return [];
  const seen = { name, address: String(address["floating_ip_address"]) };
  const deaf = [{ ...seen, listens: false, members: [] }];
  if (!runs.includes(provisioning_status)) return deaf;
  try {
    const { statuses } = await rest("octavia", "GET", `/loadbalancers/${id}/status`);
    // The tree tells no ports; CAPO and we have them in the name.
    const listener = treeSchema.parse(statuses).loadbalancer.listeners.find((one) => one.name.endsWith("-6443"));
    if (listener === undefined) return deaf;
    const members = listener.pools
      .flatMap((pool) => pool.members)
      .filter((one) => runs.includes(one.provisioning_status))
      .filter((one) => ["ONLINE", "NO_MONITOR"].includes(one.operating_status));
    return [{ ...seen, listens: true, members: members.map((one) => one.address) }];
  } catch (error) {
    // Gone while we looked.
    if (String(error).includes(" 404 ")) return deaf;
    throw error;
  }
}
