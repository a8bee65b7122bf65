// The second door: an APIEndpoint for a cluster whose OpenStackCluster belongs to CAPO. CAPO waits for an endpoint and then says that its
// part is done; the test does that in its place.

import { describe, expect, it } from "vitest";
import { apiEndpoints } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import { openStackClusters } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import { step, until } from "../until.ts";
import { membersBehind, seenBalancers } from "./balancers.ts";
import { clusterFor, namespace, provisioned, readInfrastructure } from "./cluster-objects.ts";
import type { EndpointLab } from "./endpoint-lab.ts";
import { credentials } from "./install.ts";
import { addMachine, removeCluster } from "./machines.ts";

const name = "capo-cluster";
const ref = { name, namespace };

export function besideCapo(get: () => EndpointLab): void {
  describe.concurrent("a cluster whose OpenStackCluster is CAPO's", () => {
    it(
      "gets balancers through an APIEndpoint, which then opens CAPO's gate and touches nothing else there",
      step,
      async () => {
        const lab = get();
        await lab.kubectl(
          ["apply", "-f", "-"],
          [
            credentials("capo-cluster-cloud-config", lab.project),
            clusterFor(name),
            lab.sample("openstackcluster-beside-apiendpoint.yaml"),
            lab.sample("apiendpoint-beside-capo.yaml"),
          ],
        );
        const opened = await until("the gate to be opened", async () => {
          const object = await readInfrastructure(lab, name);
          return object?.spec?.controlPlaneEndpoint?.host ? object : undefined;
        });
        expect(opened.spec?.controlPlaneEndpoint).toEqual({ host: "api.capo-cluster.example.com", port: 6443 });
        expect([opened.metadata.finalizers, opened.status]).toEqual([undefined, undefined]);
        // A last touch may still be under way when the gate opens: a balancer is PENDING_UPDATE for a moment then, and serves.
        await until("both balancers to be whole", async () => {
          const found = await seenBalancers(lab, name);
          const seen = found.map(({ zone, status, ports }) => `${zone} ${status} ${Object.keys(ports).join()}`);
          return seen.join("; ") === "az1 ACTIVE 6443; az2 ACTIVE 6443";
        });
        const body = { status: { ready: true, initialization: { provisioned: true } } };
        await lab.kube.patch(openStackClusters, ref, { type: "merge", body }, { subresource: "status" });
        const cluster = await provisioned(lab, name);
        expect(cluster.spec?.controlPlaneEndpoint?.host).toBe("api.capo-cluster.example.com");
      },
    );

    it("has its machines behind them, and keeps them when the APIEndpoint and its balancers go", step, async () => {
      const lab = get();
      const one = lab.project.address(1);
      await addMachine(lab, { cluster: name, name: "capo-1", zone: "az1", addresses: [one] });
      await until("the machine behind its balancer", async () => {
        return String(membersBehind(await seenBalancers(lab, name))["az1"]) === one;
      });
      await lab.kube.delete(apiEndpoints, ref);
      await until("the balancers to be gone", async () => (await seenBalancers(lab, name)).length === 0);
      await removeCluster(lab, name, ["capo-1"]);
    });
  });
}
