// An informer on a small in-memory server in virtual time, with a second copy of the world built from its events alone.

import { expect } from "vitest";
import { Informer, type InformerOptions } from "../../src/engine/informer/informer.ts";
import type { RestartReason } from "../../src/engine/informer/informer-failure.ts";
import { seededRandom } from "../../src/sim/time/seeded-random.ts";
import { quietLog } from "./quiet-log.ts";
import { Replica } from "./replica.ts";
import { SmallKube, type Widget, widgets } from "./small-kube.ts";
import { VirtualClock } from "./virtual-clock.ts";

export function informerBench(overrides: Partial<InformerOptions<Widget>> & { readonly seed?: number } = {}) {
  const { seed = 1, ...options } = overrides;
  const clock = new VirtualClock();
  const kube = new SmallKube();
  const log = quietLog();
  const restarts: RestartReason[] = [];
  const informer = new Informer<Widget>({
    kube,
    clock,
    random: seededRandom(seed),
    log,
    kind: widgets,
    streaming: true,
    observer: { restarted: (_kind, reason) => restarts.push(reason) },
    ...options,
  });
  const replica = new Replica<Widget>();
  informer.addHandler(replica.handler);
  return {
    clock,
    kube,
    log,
    informer,
    replica,
    restarts,
    /** Names in the store, in order. */
    names: () =>
      informer
        .list()
        .map(({ metadata }) => metadata.name)
        .toSorted(),
    startAndSync: async () => {
      informer.start();
      await clock.advance(0);
      expect(informer.state).toBe("synced");
    },
    /** The store, the server and what the events told are one and the same. */
    expectEqual: () => {
      expect(replica.contradictions).toEqual([]);
      expect(contents(informer.list())).toEqual(contents([...kube.objects.values()]));
      expect(contents([...replica.objects.values()])).toEqual(contents(informer.list()));
    },
  };
}

function contents(objects: readonly Widget[]): readonly string[] {
  return objects
    .map(({ metadata, spec }) => JSON.stringify([metadata.name, metadata.uid, metadata.resourceVersion, spec]))
    .toSorted();
}
