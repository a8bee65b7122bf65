// What processes did in the cloud, call by call: who asked, on whose behalf, and every row that changed because of it. What the cloud does
// by itself, and what people do there by hand, is no deed; nor is what the cloud has taken and makes of it later.

import type { CloudChange } from "../../../../sim/fakes/openstack/cloud.ts";
import type { FakeOpenStack } from "../../../../sim/fakes/openstack/fake-openstack.ts";
import type { PortCall } from "../../../../sim/network/port-call.ts";

export interface Deed {
  readonly call: PortCall;
  /** Of the port: `createLoadBalancer`. */
  readonly method: string;
  readonly changes: readonly CloudChange[];
}

export class CloudDeeds {
  readonly #listeners: ((deed: Deed) => void)[] = [];
  readonly #fake: FakeOpenStack;
  #underWay = 0;

  constructor(fake: FakeOpenStack) {
    this.#fake = fake;
  }

  /** Whether it is a process that the cloud hears, and not people. */
  get isUnderWay(): boolean {
    return this.#underWay > 0;
  }

  on(listener: (deed: Deed) => void): void {
    this.#listeners.push(listener);
  }

  /** Watches the one effect. It is told when it is over, also when the cloud refused. Undefined: it will be carried out later. */
  async during<T>(call: PortCall, method: string, effect: () => Promise<T>): Promise<readonly [T] | undefined> {
    const changes: CloudChange[] = [];
    const stopWatching = this.#fake.onChange((change) => void changes.push(change));
    let stopWaiting = (): void => {};
    const putOff = new Promise<undefined>((resolve) => {
      stopWaiting = this.#fake.gate.late.onTaken(() => resolve(undefined));
    });
    this.#underWay += 1;
    try {
      return await Promise.race([effect().then((answer) => [answer] as const), putOff]);
    } finally {
      this.#underWay -= 1;
      stopWatching();
      stopWaiting();
      for (const listener of this.#listeners) listener({ call, method, changes });
    }
  }
}
