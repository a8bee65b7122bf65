// The api-endpoint job as a user meets it: `mainstay controller` on a real API server with real Cluster API managers and a real
// OpenStack. One world for the whole suite; every part leaves it as it was.

import { afterAll, beforeAll, expect, it } from "vitest";
import { describeLab, labClusterApi, labOpenStack, labOpenStackOvn, labParts } from "../../lab.ts";
import { testPatienceMs, until } from "../until.ts";
import { admission } from "./admission.ts";
import { besideCapo } from "./beside-capo.ts";
import { changedProject } from "./changed-project.ts";
import { clusterLife } from "./cluster-life.ts";
import { type EndpointLab, openLab } from "./endpoint-lab.ts";
import { kubeadmControlPlane } from "./kubeadm-control-plane.ts";
import { lentCredentials } from "./lent-credentials.ts";
import { migration } from "./migration.ts";
import { moveInEveryOrder } from "./move-in-every-order.ts";
import { onOvn } from "./on-ovn.ts";
import { otherShapes } from "./other-shapes.ts";
import { terminatingNamespace } from "./terminating-namespace.ts";
import { usedUpQuota } from "./used-up-quota.ts";

const parts = labParts({ clusterApi: labClusterApi, openStack: labOpenStack, ovn: labOpenStackOvn });

describeLab(
  "api-endpoint on real Cluster API and real OpenStack",
  parts,
  ({ parts: { clusterApi, openStack, ovn } }) => {
    let lab: EndpointLab;
    let before: readonly string[];
    const get = () => lab;

    beforeAll(async () => {
      lab = await openLab(clusterApi, openStack);
      before = await lab.project.census();
    }, testPatienceMs);
    afterAll(() => lab?.close(), testPatienceMs);

    admission(get);
    clusterLife(get);
    // From here on side by side: each has a cluster of its own, and mostly waits.
    otherShapes(get);
    migration(get);
    besideCapo(get);
    moveInEveryOrder(get);
    terminatingNamespace(get);
    lentCredentials(get);
    usedUpQuota(get, openStack);
    changedProject(get, openStack);
    onOvn(get, ovn);
    kubeadmControlPlane(get);

    it("leaves nothing behind in the whole project, nor with Octavia", { timeout: testPatienceMs }, async () => {
      await until("Octavia to clear up", async () => (await lab.project.leftovers()).length === 0);
      expect(await lab.project.census()).toEqual(before);
    });
  },
);
