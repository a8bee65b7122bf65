// Tells when the definition of a missing kind changes, so that the kind is mirrored as soon as it is served. A help, not a need: who
// may not watch definitions waits for the back-off. It watches one name only, for all definitions of a cluster can take much memory.

import { customResourceDefinitions } from "../../apis/kube/builtin-kinds.ts";
import { type Kind, resourceName } from "../../apis/kube/kube-object.ts";
import { isKubeError } from "../../core/kube-error.ts";
import type { KubeReader } from "../../ports/kube.ts";

export interface DefinitionWatch {
  /** The version that was found not to serve the kind; undefined: there was no definition. */
  readonly seen: string | undefined;
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
  const { seen, deadlineMs, timeoutSeconds, signal } = watch;
  // Without a resource version the server begins with what is there: nothing is missed between our look and this watch.
  const query = { fieldSelector: `metadata.name=${resourceName(kind)}`, timeoutSeconds };
  try {
    for await (const event of kube.watch(customResourceDefinitions, query, { signal, deadlineMs })) {
      if (signal.aborted) return "unchanged";
      const known = event.type === "BOOKMARK" || event.object.metadata.resourceVersion === seen;
      if (!known) return "changed";
    }
    return "unchanged";
  } catch (error) {
    return isKubeError(error, "Forbidden", "Unauthorized") ? "unwatchable" : "unchanged";
  }
}
