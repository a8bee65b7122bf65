// What the tests of every job begin with: a fake API server in virtual time, an administrator's client, and managers with the job's
// features. A job's own world extends it by its kinds and by the fakes that it needs.

import { customResourceDefinitions, events } from "../../src/apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../src/apis/kube/kube-object.ts";
import { kubeClient } from "../../src/drivers/kube/client.ts";
import type { Feature } from "../../src/engine/feature.ts";
import type { Kube } from "../../src/ports/kube.ts";
import {
  adminToken,
  createFakeKubeApi,
  type FakeKubeApi,
  type FakeKubeApiOptions,
} from "../../src/sim/fakes/kube/api-server.ts";
import { seededRandom } from "../../src/sim/time/seeded-random.ts";
import { startTestManager, type TestManager, type TestManagerOptions } from "./test-manager.ts";
import { VirtualClock } from "./virtual-clock.ts";

export interface JobManagerOptions extends Partial<Omit<TestManagerOptions, "kube">> {
  /** Between the manager and the server. */
  readonly through?: (kube: Kube) => Kube;
}

/** Until the server serves a new kind. */
const establishedMs = 100;

export abstract class JobWorld {
  readonly clock = new VirtualClock();
  readonly api: FakeKubeApi;
  readonly kube: Kube;
  #managers = 0;

  constructor(server: Pick<FakeKubeApiOptions, "callWebhook"> = {}) {
    this.api = createFakeKubeApi({ clock: this.clock, random: seededRandom(11), ...server });
    this.kube = kubeClient({ transport: this.api.transport(adminToken), clock: this.clock });
  }

  /** What a manager does here, unless a test says otherwise. */
  abstract features(): readonly Feature[];

  async define(...crds: readonly KubeObject[]): Promise<void> {
    for (const crd of crds) await this.kube.create(customResourceDefinitions, crd);
    await this.clock.advance(establishedMs);
  }

  manager({ through = (kube) => kube, ...options }: JobManagerOptions = {}): TestManager {
    this.#managers += 1;
    return startTestManager({
      clock: this.clock,
      random: seededRandom(this.#managers),
      features: this.features(),
      identity: `manager-${this.#managers}`,
      ...options,
      kube: through(this.kube),
    });
  }

  async events(): Promise<readonly { readonly type: string; readonly reason: string; readonly note: string }[]> {
    const { items } = await this.kube.list<WrittenEvent>(events, {});
    return items.map(({ type = "", reason = "", note = "" }) => ({ type, reason, note }));
  }
}

interface WrittenEvent extends KubeObject {
  readonly type?: string;
  readonly reason?: string;
  readonly note?: string;
}
