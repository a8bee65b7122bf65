// How long from a create until an informer's callback runs, for both contenders and the same creates: on a busy machine two separate
// series would measure what else runs there.

import type { Kube } from "../../src/ports/kube.ts";
import { type ContenderOptions, startContender } from "./contender-process.ts";
import { createService, removeService } from "./services.ts";

export interface RaceTimes {
  readonly ours: number[];
  readonly theirs: number[];
}

export async function raceCallbacks(
  kube: Kube,
  options: Omit<ContenderOptions, "script">,
  creates: number,
): Promise<RaceTimes> {
  const { namespace } = options;
  const ours = await startContender({ ...options, script: "ours.js" });
  const theirs = await startContender({ ...options, script: "theirs.js" });
  const times: RaceTimes = { ours: [], theirs: [] };
  try {
    for (let i = 0; i < creates; i += 1) {
      const name = `new-${i}`;
      const arrivals = Promise.all([ours.seen(name), theirs.seen(name)]);
      const sentNs = process.hrtime.bigint();
      await createService(kube, namespace, name);
      const [oursNs, theirsNs] = await arrivals;
      times.ours.push(Number(oursNs - sentNs) / 1e6);
      times.theirs.push(Number(theirsNs - sentNs) / 1e6);
      await removeService(kube, namespace, name);
    }
  } finally {
    ours.stop();
    theirs.stop();
  }
  return times;
}
