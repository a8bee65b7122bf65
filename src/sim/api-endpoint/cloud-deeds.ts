// What processes did in the cloud, call by call: who asked, on whose behalf, and every row that changed because of it. What the cloud does
// by itself, and what people do there by hand, is no deed.

import type { CloudChange } from "../fakes/openstack/cloud.ts";
import type { FakeOpenStack } from "../fakes/openstack/fake-openstack.ts";
import type { PortCall } from "../port-call.ts";

export interface Deed {
  readonly call: PortCall;
  /** Of the port: `createLoadBalancer`. */
  readonly method: string;
  readonly changes: readonly CloudChange[];
}

export class CloudDeeds {
  readonly #listeners: ((deed: Deed) => void)[] = [];
  readonly #fake: FakeOpenStack;

  constructor(fake: FakeOpenStack) {
    this.#fake = fake;
  }

  on(listener: (deed: Deed) => void): void {
    this.#listeners.push(listener);
  }

  /** Watches the one effect. It is told when it is over, also when the cloud refused. */
  async during<T>(call: PortCall, method: string, effect: () => Promise<T>): Promise<T> {
    const changes: CloudChange[] = [];
    const stop = this.#fake.onChange((change) => void changes.push(change));
    try {
      return await effect();
    } finally {
      stop();
      for (const listener of this.#listeners) listener({ call, method, changes });
    }
  }
}
