// What the calls of processes changed in the cloud, call by call: who asked, on whose behalf, and every row that changed because of it. What
// the cloud does by itself, what people do there, and what the cloud has accepted and carries out later belongs to no call.

import type { CloudChange } from "../fakes/openstack/cloud.ts";
import type { FakeOpenStack } from "../fakes/openstack/fake-openstack.ts";
import type { PortCall } from "../network/port-call.ts";

export interface CallEffect {
  readonly call: PortCall;
  /** Of the port: `createLoadBalancer`. */
  readonly method: string;
  readonly changes: readonly CloudChange[];
}

export class CallEffects {
  readonly #listeners: ((effect: CallEffect) => void)[] = [];
  readonly #fake: FakeOpenStack;
  #underWay = 0;

  constructor(fake: FakeOpenStack) {
    this.#fake = fake;
  }

  /** Whether the cloud carries out the call of a process now, and not of people. */
  get isUnderWay(): boolean {
    return this.#underWay > 0;
  }

  on(listener: (effect: CallEffect) => void): void {
    this.#listeners.push(listener);
  }

  /** Performs one call and notifies listeners when it is over, also when the cloud refused. Undefined: it will be carried out later. */
  async during<T>(call: PortCall, method: string, perform: () => Promise<T>): Promise<readonly [T] | undefined> {
    const changes: CloudChange[] = [];
    const stopWatching = this.#fake.onChange((change) => void changes.push(change));
    let stopWaiting = (): void => {};
    const putOff = new Promise<undefined>((resolve) => {
      stopWaiting = this.#fake.calls.late.onTaken(() => resolve(undefined));
    });
    this.#underWay += 1;
    try {
      return await Promise.race([perform().then((answer) => [answer] as const), putOff]);
    } finally {
      this.#underWay -= 1;
      stopWatching();
      stopWaiting();
      for (const listener of this.#listeners) listener({ call, method, changes });
    }
  }
}
