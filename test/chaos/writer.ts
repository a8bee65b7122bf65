// Creates, changes and deletes ConfigMaps without pause and remembers everything the server confirmed.

import { configMaps } from "../../src/apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../src/apis/kube/kube-object.ts";
import { isKubeError } from "../../src/core/kube-error.ts";
import type { Kube } from "../../src/ports/kube.ts";
import { seededRandom } from "../../src/sim/time/seeded-random.ts";
import { stateOf } from "../support/replica.ts";

export interface Writer {
  /** uid and resource version of every state there ever was. */
  readonly states: ReadonlySet<string>;
  readonly deletedUids: ReadonlySet<string>;
  /** Resolves when the last write is answered. */
  stop(): Promise<void>;
}

export function configMap(namespace: string, name: string, round = 0): KubeObject {
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data: { round: String(round) } };
  return object;
}

export function startWriter(kube: Kube, namespace: string, seed: number): Writer {
  const random = seededRandom(seed);
  const states = new Set<string>();
  const deletedUids = new Set<string>();
  const stopping = new AbortController();

  async function writeOnce(name: string, round: number): Promise<void> {
    const dice = random.next();
    if (dice < 0.3) {
      const { metadata } = await kube.get(configMaps, { namespace, name });
      await kube.delete(configMaps, { namespace, name });
      deletedUids.add(metadata.uid ?? "");
    } else if (dice < 0.6) {
      states.add(stateOf(await kube.create(configMaps, configMap(namespace, name, round))));
    } else {
      const patch = { type: "merge", body: { data: { round: String(round) } } } as const;
      states.add(stateOf(await kube.patch(configMaps, { namespace, name }, patch)));
    }
  }

  /** A write whose answer was lost may have happened: what is there now tells. Nobody else writes. */
  async function lookUp(name: string): Promise<void> {
    try {
      states.add(stateOf(await kube.get(configMaps, { namespace, name })));
    } catch (error) {
      if (isKubeError(error, "NotFound")) return;
      await pause(100);
      await lookUp(name);
    }
  }

  async function write(): Promise<void> {
    for (let round = 0; !stopping.signal.aborted; round += 1) {
      const name = `object-${Math.floor(random.next() * 20)}`;
      try {
        await writeOnce(name, round);
      } catch (error) {
        // Chance picks names that are there already, or not.
        if (!isKubeError(error, "NotFound", "AlreadyExists")) await lookUp(name);
      }
      await pause(3);
    }
  }

  const done = write();
  return {
    states,
    deletedUids,
    stop: () => {
      stopping.abort();
      return done;
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
