// Why the server does not serve a kind, and whether its objects are deleted. Only a definition that is certainly absent means
// deletion: a server that fails, or serves another version only, must not look as if everything had been deleted.

import { customResourceDefinitions } from "../../apis/kube/builtin-kinds.ts";
import { type Kind, type KubeObject, resourceName } from "../../apis/kube/kube-object.ts";
import { isKubeError } from "../../core/kube-error.ts";
import type { CallOptions, KubeReader } from "../../ports/kube.ts";

export interface MissingKind {
  readonly message: string;
  readonly objectsAreGone: boolean;
  /** Undefined: it is not known whether there is a definition. */
  readonly definition?: { readonly resourceVersion: string | undefined };
}

interface Definition extends KubeObject {
  readonly spec?: { readonly versions?: readonly { readonly name: string; readonly served?: boolean }[] };
}

export async function explainMissingKind(
  kube: KubeReader,
  kind: Kind,
  versions: readonly string[],
  options: CallOptions,
): Promise<MissingKind> {
  const name = resourceName(kind);
  if (isBuiltIn(kind)) {
    return {
      message: `${name}: version ${versions.join(", ")} is not served by this API server`,
      objectsAreGone: false,
    };
  }
  try {
    const definition: Definition = await kube.get(customResourceDefinitions, { name }, options);
    const served = (definition.spec?.versions ?? [])
      .filter(({ served }) => served === true)
      .map((version) => version.name);
    const message = versions.some((version) => served.includes(version))
      ? `${name}: defined but not served yet`
      : `${name}: version ${versions.join(", ")} is not served, only ${served.join(", ") || "none"}`;
    const { resourceVersion } = definition.metadata;
    return { message, objectsAreGone: false, definition: { resourceVersion } };
  } catch (error) {
    if (isKubeError(error, "NotFound")) {
      return {
        message: `${name}: no CustomResourceDefinition of that name is installed`,
        objectsAreGone: true,
        definition: { resourceVersion: undefined },
      };
    }
    return { message: `${name}: not served, and its CustomResourceDefinition cannot be read`, objectsAreGone: false };
  }
}

/** Groups that belong to the API server itself. Some CRDs use such a group with approval; their message is less precise. */
function isBuiltIn({ group }: Kind): boolean {
  return !group.includes(".") || (group.endsWith(".k8s.io") && !group.endsWith(".x-k8s.io"));
}
