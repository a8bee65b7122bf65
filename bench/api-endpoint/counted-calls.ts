// Counts the manager's calls: the fake cloud counts those to it, a wrapper around the client those to Kubernetes.

import type { Kube } from "../../src/ports/kube.ts";
import type { FakeOpenStack } from "../../src/sim/fakes/openstack/fake-openstack.ts";

export interface Calls {
  readonly octaviaReads: number;
  readonly octaviaWrites: number;
  readonly neutron: number;
  readonly kube: number;
}

type Counter = Pick<FakeOpenStack, "counts" | "resetCounts">;

const kubeCalls = ["get", "list", "create", "apply", "patch", "delete", "request"] as const;

export class CountedCalls {
  readonly #cloud: Counter;
  #kube = 0;

  constructor(cloud: Counter) {
    this.#cloud = cloud;
  }

  counting(kube: Kube): Kube {
    const counted = { ...kube };
    for (const verb of kubeCalls) {
      const call = kube[verb] as (...args: readonly unknown[]) => unknown;
      Object.assign(counted, {
        [verb]: (...args: readonly unknown[]) => {
          this.#kube += 1;
          return call(...args);
        },
      });
    }
    return counted;
  }

  /** Since the last time, for each of so many. */
  take(among: number): Calls {
    const counts = [...this.#cloud.counts()];
    const sum = (fits: (call: string) => boolean): number =>
      counts.reduce((total, [call, count]) => (fits(call) ? total + count : total), 0) / among;
    const isOctavia = (call: string): boolean => call.startsWith("octavia ");
    const isRead = (call: string): boolean => /^\w+ (list|get) /.test(call);
    const taken = {
      octaviaReads: sum((call) => isOctavia(call) && isRead(call)),
      octaviaWrites: sum((call) => isOctavia(call) && !isRead(call)),
      neutron: sum((call) => call.startsWith("neutron ")),
      kube: this.#kube / among,
    };
    this.#cloud.resetCounts();
    this.#kube = 0;
    return taken;
  }
}
