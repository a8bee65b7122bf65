// CRDs take effect the moment they are stored; deleting one first removes every object of its kind.

import { withCrdDefaults } from "../crd/crd-parts.ts";
import { withCrdStatus } from "../crd/crd-status.ts";
import { validateCrd } from "../crd/validate-crd.ts";
import type { JsonObject } from "../json.ts";
import type { ResourceStrategy } from "../resource.ts";
import { listAt, objectAt } from "../schema/json-value.ts";
import { withMetadata } from "../server-context.ts";

export const crdCleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

export function crdStrategy(stored: () => readonly JsonObject[]): ResourceStrategy {
  return {
    tracksGeneration: true,
    needsResourceVersion: true,
    defaults: withCrdDefaults,
    prepare: (crd, old, { subresource, nowIso }) => {
      if (subresource === "status") return crd;
      const name = objectAt(crd, "metadata")["name"];
      const others = stored().filter((other) => objectAt(other, "metadata")["name"] !== name);
      const carried = old === undefined ? crd : { ...crd, status: old["status"] };
      return withCrdStatus(carried, others, nowIso);
    },
    validate: (crd, old) => validateCrd(crd, old),
    beginDelete: (crd, nowIso) => {
      const finalizers = listAt(objectAt(crd, "metadata"), "finalizers");
      return withMetadata(crd, { deletionTimestamp: nowIso, finalizers: [...finalizers, crdCleanupFinalizer] });
    },
  };
}
