// The story's world on the lab: real API server, Cluster API and OpenStack, `mainstay controller` and `mainstay dns records` as processes.
// The data plane is read by the shortest way, beside our own driver, and everything goes on at once.

import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { conditionOf, mapping, namespace, patchSpec, readInfrastructure } from "../api-endpoint/cluster-objects.ts";
import { mainstay } from "../api-endpoint/command-line.ts";
import type { EndpointLab } from "../api-endpoint/endpoint-lab.ts";
import { buildLegacyCluster } from "../api-endpoint/legacy-cluster.ts";
import { addMachine, deleteMachine, machineIsGone, removeCluster } from "../api-endpoint/machines.ts";
import type { OwnProject } from "../openstack/own-project.ts";
import { type Row, rowsOf } from "../openstack/rest.ts";
import { membersByPort } from "../openstack/status-tree.ts";
import { until } from "../until.ts";
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
    patch: (apiServerLoadBalancer) => patchSpec(lab, cluster, { apiServerLoadBalancer }),
    zones: (...zones) => mapping(lab.project, ...zones.map((zone) => Number(zone.slice(2)))),
    setMemberDown: lab.project.faults.setMemberDown,
    async breakBalancer(zone) {
      const found = (await lab.project.balancers()).find(({ name = "" }) => name.endsWith(`-${zone}-kubeapi`));
      await lab.project.faults.setStatus("loadbalancers", found?.id ?? "", { provisioning: "ERROR" });
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
      await removeCluster(lab, cluster, [...known]);
    },
  };
}

const balancerSchema = z.object({
  id: z.string(),
  name: z.string(),
  vip_port_id: z.string().nullable(),
  provisioning_status: z.string(),
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
  const members = (await membersByPort(rest, id))?.["6443"];
  if (members === undefined) return deaf;
  const healthy = members
    .filter((one) => runs.includes(one.provisioning))
    .filter((one) => ["ONLINE", "NO_MONITOR"].includes(one.operating));
  return [{ ...seen, listens: true, members: healthy.map((one) => one.address) }];
}
