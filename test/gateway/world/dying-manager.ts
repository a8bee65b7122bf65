// A manager that dies right after its n-th change in the world, wherever that is: Kubernetes, Neutron or a gateway. The change has had its
// effect, and nobody heard of it.

import { resourceName } from "../../../src/apis/kube/kube-object.ts";
import type { Kube } from "../../../src/ports/kube.ts";
import type { TestManager } from "../../support/test-manager.ts";
import type { GatewayWorld } from "./gateway-world.ts";

export interface DyingManager {
  readonly running: TestManager;
  readonly isDead: () => boolean;
  /** Its process is gone, and whatever comes next works. */
  readonly bury: () => Promise<void>;
}

export function dyingManager(world: GatewayWorld, afterChanges: number): DyingManager {
  let changes = 0;
  let isDead = false;
  const changed = (): void => {
    changes += 1;
    isDead ||= changes >= afterChanges;
  };
  const die = (): never => {
    throw new Error("the process is dead");
  };
  const through = (kube: Kube): Kube => ({
    ...kube,
    patch: async (kind, ref, patch, options) => {
      if (isDead) die();
      const answer = await kube.patch(kind, ref, patch, options);
      if (resourceName(kind) !== "leases.coordination.k8s.io") changed();
      return isDead ? die() : answer;
    },
    apply: async (kind, object, options) => (isDead ? die() : await kube.apply(kind, object, options)),
  });
  world.feed.fate = ({ method }) => {
    if (isDead) return "silent";
    if (method !== "GET") changed();
    return isDead ? "lost" : "works";
  };
  const stopPlanning = world.lab.fake.addCallPlan(({ operation }) => {
    if (!/^(create|update|delete)/.test(operation)) return undefined;
    if (isDead) return { turnAway: "unreachable" };
    changed();
    return isDead ? { loseReply: "broken" as const } : undefined;
  });
  const running = world.work({ through });
  return {
    running,
    isDead: () => isDead,
    bury: async () => {
      const stopped = running.manager.stop();
      await world.clock.advance(40_000);
      await stopped;
      stopPlanning();
      world.feed.fate = () => "works";
    },
  };
}
