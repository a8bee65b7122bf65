// Tries the versions of a kind one after another until the server serves one: which versions of another project's kinds are served
// depends on what is installed.

import type { Kind, KubeObject } from "../../apis/kube/kube-object.ts";
import { isKubeError } from "../../core/kube-error.ts";

export function inVersions<T extends KubeObject>(kind: Kind<T>, versions: readonly string[]): readonly Kind<T>[] {
  return versions.map((version) => ({ ...kind, version }));
}

/** Undefined: none of the versions is served, or, where one object is asked for, it is in none of them. */
export async function firstServedVersion<T extends KubeObject, Answer>(
  versions: readonly Kind<T>[],
  ask: (served: Kind<T>) => Promise<Answer>,
): Promise<Answer | undefined> {
  for (const served of versions) {
    try {
      return await ask(served);
    } catch (error) {
      if (!isKubeError(error, "NotFound", "KindNotServed")) throw error;
    }
  }
  return undefined;
}
