// The commands on a real API server of their own, so that they may install and remove definitions.

import { afterAll, beforeAll } from "vitest";
import { commandsContract } from "../commands/commands.contract.ts";
import type { KubeTargetSession } from "../contract/kube-target.ts";
import { realTarget } from "../contract/targets/real.ts";
import { describeLab, labKube } from "../lab.ts";
import { type PrivateKube, startPrivateKube } from "../private-kube.ts";

describeLab("commands on the real API server", labKube, (lab) => {
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
  commandsContract(() => ({ session, token: server.lab.tokens.controller }));
});
