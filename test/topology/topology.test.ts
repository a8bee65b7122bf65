// Topology on the fake API server; test/lab/topology.test.ts runs the same on the real one.

import { afterAll, beforeAll, describe } from "vitest";
import type { KubeTargetSession } from "../contract/kube-target.ts";
import { fakeInProcess } from "../contract/targets/fake-in-process.ts";
import { topologyContract } from "./topology.contract.ts";

describe("topology on the fake API server", () => {
  let session: KubeTargetSession;
  beforeAll(async () => {
    session = await fakeInProcess.open();
  });
  afterAll(() => session.close());
  topologyContract(() => session);
});
