// A session on a real API server that a suite has for itself, from its first test to its last.

import { afterAll, beforeAll } from "vitest";
import type { KubeTargetSession } from "../contract/kube-target.ts";
import { realTarget } from "../contract/targets/real.ts";
import { type PrivateKube, startPrivateKube } from "../private-kube.ts";

export interface PrivateSession {
  readonly session: KubeTargetSession;
  readonly server: PrivateKube;
}

/** To be called while a suite is described; the answer is there once its tests run. */
export function privateSession(lab: Parameters<typeof startPrivateKube>[0]): () => PrivateSession {
  let server: PrivateKube;
  let session: KubeTargetSession;
  beforeAll(async () => {
    server = await startPrivateKube(lab);
    session = await realTarget(server.lab).open();
  }, 600_000);
  afterAll(async () => {
    await session?.close();
    await server?.close();
  }, 600_000);
  return () => ({ session, server });
}
