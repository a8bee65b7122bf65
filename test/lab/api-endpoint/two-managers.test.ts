// Two managers on a real API server and a real OpenStack, one lease between them. The one that leads is killed in the middle of its work,
// without a word to anybody; the other one ends it, and nothing is made twice or forgotten.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clusters, machines, openStackMachines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { leases } from "../../../src/apis/kube/builtin-kinds.ts";
import { openStackClusters } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import type { Kube } from "../../../src/ports/kube.ts";
import { openCrd } from "../../../src/sim/fakes/kube/open-crd.ts";
import { openSession } from "../../contract/targets/kubeconfig-session.ts";
import { describeLab, type KubeLab, labKube, labOpenStack, labParts } from "../../lab.ts";
import { startPrivateKube } from "../../private-kube.ts";
import { type OwnProject, openProject } from "../openstack/own-project.ts";
import { step, testPatienceMs, until } from "../until.ts";
import { membersBehind, seenBalancers } from "./balancers.ts";
import { clusterFor, infrastructureFor, mapping, namespace, readInfrastructure } from "./cluster-objects.ts";
import { type ControllerProcess, startController } from "./controller-process.ts";
import { credentials, install } from "./install.ts";
import { type Kubectl, kubectlFor } from "./kubectl.ts";
import { addMachine, deleteMachine, machineIsGone } from "./machines.ts";

const name = "handed-over";
const zones = [1, 2, 3] as const;

describeLab(
  "two managers, one of which is killed",
  labParts({ kube: labKube, openStack: labOpenStack }),
  ({ parts }) => {
    const folder = mkdtempSync(join(tmpdir(), "mainstay-managers-"));
    const closing: (() => Promise<unknown> | void)[] = [() => rmSync(folder, { recursive: true, force: true })];
    const addresses: string[] = [];
    let [project, kube, kubectl, server]: Partial<[OwnProject, Kube, Kubectl, KubeLab]> = [];
    let [leader, next]: Partial<[ControllerProcess, ControllerProcess]> = [];
    let before: readonly string[] = [];
    const lab = () => {
      if (project === undefined || kube === undefined || kubectl === undefined || server === undefined)
        throw new Error("the lab is not open");
      return { project, kube, kubectl, server };
    };

    beforeAll(async () => {
      const opened = await openProject(parts.openStack);
      closing.push(() => opened.remove());
      project = opened;
      const own = await startPrivateKube(parts.kube, { withControllers: true });
      closing.push(() => own.close());
      server = own.lab;
      const { kubeconfig: admin, controllerKubeconfig: restricted, tokens } = server;
      const session = await openSession({ admin, restricted, restrictedToken: tokens.controller });
      closing.push(() => session.close());
      kube = session.admin;
      kubectl = kubectlFor(server.kubectl, admin);
      await kubectl(
        ["apply", "--server-side", "-f", "-"],
        [clusters, machines].map((kind) => openCrd(kind)),
      );
      await install(kubectl);
      await kubectl(["apply", "-f", "-"], credentials("my-cluster-cloud-config", project));
      before = await project.census();
    }, testPatienceMs);
    afterAll(async () => {
      for (const task of closing.toReversed()) await task();
    }, testPatienceMs);

    async function manager(called: string): Promise<ControllerProcess> {
      const own = join(folder, called);
      mkdirSync(own);
      const started = await startController(own, {
        kubeconfig: lab().server.controllerKubeconfig,
        // A write may take no longer than the lease lasts, and the lab on a busy machine is slow.
        leaderElection: { durationSeconds: 30, renewDeadlineSeconds: 20, retrySeconds: 1 },
        health: { port: 0 },
        apiEndpoint: { observeAgainSeconds: 3 },
        controllers: { topology: { enabled: false } },
      });
      closing.push(() => started.stop());
      return started;
    }

    async function holder(): Promise<string> {
      const { items } = await lab().kube.list(leases, { namespace: "mainstay-system" });
      const [lease] = items as readonly { readonly spec?: { readonly holderIdentity?: string } }[];
      return lease?.spec?.holderIdentity ?? "";
    }

    async function raise(): Promise<void> {
      const { kubectl, kube, project } = lab();
      await kubectl(["apply", "-f", "-"], clusterFor(name));
      const { metadata } = await kube.get(clusters, { name, namespace });
      const owner = { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name, uid: metadata.uid };
      const wanted = infrastructureFor(name, {
        network: { id: project.networkId },
        controlPlaneEndpoint: { host: "api.handed-over.example.com", port: 6443 },
        apiServerLoadBalancer: mapping(project, ...zones),
      });
      for (const zone of zones) {
        addresses.push(project.address(zone));
        await addMachine(lab(), {
          cluster: name,
          name: `cp-${zone}`,
          zone: `az${zone}`,
          addresses: addresses.slice(-1),
        });
      }
      await kubectl(["apply", "-f", "-"], { ...wanted, metadata: { ...wanted.metadata, ownerReferences: [owner] } });
    }

    const made = async (kind: string) =>
      (await lab().project.census()).filter((line) => line.startsWith(`${kind} `) && !before.includes(line)).length;

    it(
      "is killed when balancers are there and members are not; the other one builds one set of them",
      step,
      async () => {
        leader = await manager("first");
        const first = await until("a leader", async () => (await holder()) || undefined);
        next = await manager("second");
        await raise();
        await until("the first balancer", async () => (await made("loadbalancers")) > 0);
        await leader.kill();
        expect(await made("healthmonitors")).toBeLessThan(zones.length);
        await until("all members to be healthy", async () => {
          const { apiServerLoadBalancers = [] } = (await readInfrastructure(lab(), name))?.status ?? {};
          return String(apiServerLoadBalancers.map(({ members }) => members?.healthy)) === "1,1,1";
        });
        expect(await holder()).not.toBe(first);
        // A create whose answer was lost can leave a duplicate for a while.
        const seen = await until("three balancers and no duplicate", async () => {
          const found = await seenBalancers(lab(), name);
          return found.length === zones.length && found.every(({ floatingIp }) => floatingIp !== "") && found;
        });
        expect(membersBehind(seen)).toEqual(Object.fromEntries(zones.map((zone, i) => [`az${zone}`, [addresses[i]]])));
        const kinds = ["loadbalancers", "listeners", "pools", "healthmonitors", "floatingips"];
        expect(await Promise.all(kinds.map(made))).toEqual(kinds.map(() => zones.length));
      },
    );

    it("is killed as a deletion begins; the other one leaves nothing behind", step, async () => {
      const { kube, project } = lab();
      const second = await holder();
      await manager("third");
      for (const zone of zones) {
        await deleteMachine(lab(), `cp-${zone}`);
        await kube.delete(openStackMachines, { name: `cp-${zone}`, namespace });
        await machineIsGone(lab(), `cp-${zone}`);
      }
      await kube.delete(openStackClusters, { name, namespace });
      // At once: a quick cloud has taken all balancers away within a second or two.
      await next?.kill();
      await until("the object to be gone", async () => (await readInfrastructure(lab(), name)) === undefined);
      expect(await holder()).not.toBe(second);
      await until("Octavia to clear up", async () => (await project.leftovers()).length === 0);
      expect(await project.census()).toEqual(before);
    });
  },
);
