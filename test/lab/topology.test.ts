// Topology on a real API server of its own, so that it may have the one Infrastructure object that a cluster has.

import { afterAll, beforeAll } from "vitest";
import type { KubeTargetSession } from "../contract/kube-target.ts";
import { realTarget } from "../contract/targets/real.ts";
import { describeLab, labKube } from "../lab.ts";
import { type PrivateKube, startPrivateKube } from "../private-kube.ts";
import { topologyContract } from "../topology/topology.contract.ts";

describeLab("topology on the real API server", labKube, (lab) => {
  let server: PrivateKube;
  let session: KubeTargetSession;
  beforeAll(async () => {
    server = await startPrivateKube(lab);
    session = await realTarget(server.lab).open();
  }, 120_000);
  afterAll(async () => {
    await session?.close();
    await server?.close();
  }, 120_000);
  topologyContract(() => session);
});
