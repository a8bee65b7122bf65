// Waits for a change of the definition of a kind that is not served, so that the kind is cached as soon as it is. Without the right to
// watch definitions the informer waits for its back-off instead. It watches one name, as all definitions can take much memory.

import { customResourceDefinitions } from "../../apis/kube/builtin-kinds.ts";
import { type Kind, resourceName } from "../../apis/kube/kube-object.ts";
import { isKubeError } from "../../core/kube-error.ts";
import type { KubeReader } from "../../ports/kube.ts";

export interface DefinitionWatch {
  /** The version that was found not to serve the kind; undefined: there was no definition. */
  readonly knownVersion: string | undefined;
  readonly deadlineMs: number;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
}

/** `unwatchable`: not allowed, and asking again would not help. */
export type DefinitionChange = "changed" | "unchanged" | "unwatchable";

/** Never rejects. */
export async function definitionChange(
  kube: KubeReader,
  kind: Kind,
  watch: DefinitionWatch,
): Promise<DefinitionChange> {
  const { knownVersion, deadlineMs, timeoutSeconds, signal } = watch;
  // Without a resource version the server begins with the current state: no change between our read and this watch is missed.
  const query = { fieldSelector: `metadata.name=${resourceName(kind)}`, timeoutSeconds };
  try {
    for await (const event of kube.watch(customResourceDefinitions, query, { signal, deadlineMs })) {
      if (signal.aborted) return "unchanged";
      const known = event.type === "BOOKMARK" || event.object.metadata.resourceVersion === knownVersion;
      if (!known) return "changed";
    }
    return "unchanged";
  } catch (error) {
    return isKubeError(error, "Forbidden", "Unauthorized") ? "unwatchable" : "unchanged";
  }
}
