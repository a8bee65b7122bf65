// A control plane that Cluster API's own manager makes: it goes by the failure domains that we offer, and its Machines come behind the
// balancers of their zones. The test plays CAPO's machines and what runs on them.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { machines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import type { OwnProject } from "../openstack/own-project.ts";
import { step, until } from "../until.ts";
import { membersBehind, seenBalancers } from "./balancers.ts";
import { clusterFor, infrastructureFor, mapping, namespace, readCluster } from "./cluster-objects.ts";
import type { EndpointLab } from "./endpoint-lab.ts";
import { kubeadmConfigMap, removeNode, reportNode, workloadSecrets } from "./kubeadm-nodes.ts";
import { machineIsGone, provideMachine, removeCluster } from "./machines.ts";

const name = "kubeadm";

export function kubeadmControlPlane(get: () => EndpointLab): void {
  describe.concurrent("a cluster whose control plane is a KubeadmControlPlane", () => {
    /** By name of the Machine. */
    const addressOf = new Map<string, string>();

    /** CAPO, and kubelet on its machines: one round for every Machine that there is. Answers with zone and address of each. */
    const playMachines = async (): Promise<readonly (readonly [string, string])[]> => {
      const lab = get();
      const { items } = await lab.kube.list(machines, { namespace });
      const ours = items.filter(({ spec }) => spec?.clusterName === name);
      const places: (readonly [string, string])[] = [];
      for (const { metadata, spec } of ours) {
        const zone = spec?.failureDomain ?? "";
        const infrastructure = spec?.infrastructureRef?.name ?? "";
        const address = addressOf.get(infrastructure) ?? lab.project.address(Number(zone.slice(2)) as 1 | 2 | 3);
        if (metadata.deletionTimestamp !== undefined) {
          await removeNode(lab.kubectl, infrastructure);
          await machineIsGone(lab, infrastructure);
          continue;
        }
        if (!addressOf.has(infrastructure)) await provideMachine(lab, infrastructure, [address]);
        addressOf.set(infrastructure, address);
        await reportNode(lab.kubectl, infrastructure);
        places.push([zone, address]);
      }
      return places.toSorted();
    };
    const served = async (replicas: number) =>
      await until(`${replicas} machines, each behind the balancer of its zone`, async () => {
        const places = await playMachines();
        if (places.length !== replicas) return false;
        const goal = Object.fromEntries([1, 2, 3].map((zone) => [`az${zone}`, [] as string[]]));
        for (const [zone, address] of places) goal[zone]?.push(address);
        return (
          JSON.stringify(membersBehind(await seenBalancers(get(), `-${name}-`))) === JSON.stringify(goal) && places
        );
      });

    it("gets three machines, one in each zone that we offer, and each behind its zone's balancer", step, async () => {
      const lab = get();
      await lab.kubectl(
        ["apply", "-f", "-"],
        [
          ...workloadSecrets(name, readFileSync(lab.kubeconfig, "utf8")),
          kubeadmConfigMap,
          ...controlPlane(),
          clusterFor(name, {
            controlPlaneRef: { apiGroup: "controlplane.cluster.x-k8s.io", kind: "KubeadmControlPlane", name },
          }),
          infrastructureFor(name, specOf(lab.project)),
        ],
      );
      const places = await served(3);
      expect(places.map(([zone]) => zone)).toEqual(["az1", "az2", "az3"]);
      expect((await readCluster(lab, name))?.spec?.controlPlaneEndpoint?.host).toBe("api.kubeadm.example.com");
    });

    it("has the machine that the manager takes away out of its pool", step, async () => {
      const lab = get();
      await lab.kubectl(["scale", "kubeadmcontrolplane", "-n", namespace, name, "--replicas=1"]);
      await served(1);
    });

    it("leaves nothing behind when it is deleted", step, async () => {
      const lab = get();
      const removing = { done: false };
      const removed = removeCluster(lab, name, []).finally(() => {
        removing.done = true;
      });
      await until("the machines to go", async () => {
        await playMachines();
        return removing.done;
      });
      await removed;
      expect(await seenBalancers(lab, `-${name}-`)).toEqual([]);
    });
  });
}

function specOf(project: OwnProject): object {
  return {
    network: { id: project.networkId },
    controlPlaneEndpoint: { host: "api.kubeadm.example.com", port: 6443 },
    disableAPIServerFloatingIP: true,
    apiServerLoadBalancer: mapping(project, 1, 2, 3),
  };
}

function controlPlane(): readonly object[] {
  const metadata = { name, namespace };
  const files = { caFile: "/etc/etcd/ca.crt", certFile: "/etc/etcd/client.crt", keyFile: "/etc/etcd/client.key" };
  const external = { endpoints: ["https://127.0.0.1:2379"], ...files };
  const infrastructureRef = { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "OpenStackMachineTemplate", name };
  return [
    {
      apiVersion: "infrastructure.cluster.x-k8s.io/v1beta2",
      kind: "OpenStackMachineTemplate",
      metadata,
      spec: { template: { spec: {} } },
    },
    {
      apiVersion: "controlplane.cluster.x-k8s.io/v1beta2",
      kind: "KubeadmControlPlane",
      metadata,
      spec: {
        replicas: 3,
        version: "v1.36.0",
        machineTemplate: { spec: { infrastructureRef } },
        kubeadmConfigSpec: { clusterConfiguration: { etcd: { external } } },
      },
    },
  ];
}
