// Several kubeconfig files as one: for each name the first file that has it wins, and the first current context.

import type { Kubeconfig, Sourced } from "./kubeconfig-file.ts";

export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  return {
    files: configs.flatMap(({ files }) => files),
    clusters: firstWins(configs.map(({ clusters }) => clusters)),
    users: firstWins(configs.map(({ users }) => users)),
    contexts: firstWins(configs.map(({ contexts }) => contexts)),
    currentContext: configs.find(({ currentContext }) => currentContext !== undefined)?.currentContext,
  };
}

function firstWins<T>(maps: readonly ReadonlyMap<string, Sourced<T>>[]): ReadonlyMap<string, Sourced<T>> {
  return new Map(maps.toReversed().flatMap((map) => [...map]));
}
