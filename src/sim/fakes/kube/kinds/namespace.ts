// Namespaces: born Active with a finalizer of their own, Terminating when deleted, gone when their contents are.

import { invalid } from "../field-cause.ts";
import type { JsonObject } from "../json.ts";
import { stringsAt } from "../json-lists.ts";
import type { ResourceStrategy } from "../resource.ts";
import { listAt, objectAt, stringAt } from "../schema/json-value.ts";
import { withMetadata } from "../server-context.ts";

const nameLabel = "kubernetes.io/metadata.name";
const permanent = ["default", "kube-system", "kube-public"];

export const namespaceStrategy: ResourceStrategy = {
  nameRule: "label",
  returnsDeleted: true,
  subresources: ["finalize"],
  defaults: (namespace) => {
    const metadata = objectAt(namespace, "metadata");
    const name = stringAt(metadata, "name");
    return name === ""
      ? namespace
      : withMetadata(namespace, { labels: { ...objectAt(metadata, "labels"), [nameLabel]: name } });
  },
  prepare: (namespace, old, { subresource }) => {
    const labelled = withNameLabel(namespace);
    if (old === undefined) {
      const finalizers = stringsAt(objectAt(namespace, "spec"), "finalizers");
      return {
        ...labelled,
        spec: { finalizers: [...new Set([...finalizers, "kubernetes"])] },
        status: { phase: "Active" },
      };
    }
    return subresource === "finalize" ? withoutEmptyFinalizers(namespace) : { ...labelled, spec: old["spec"] };
  },
  validate: (namespace, old) => {
    const phase = stringAt(objectAt(namespace, "status"), "phase");
    const deleting = objectAt(namespace, "metadata")["deletionTimestamp"] !== undefined;
    if (old === undefined || (deleting ? phase === "Terminating" : phase === "Active")) return [];
    const [word, state] = deleting ? ["Terminating", "not empty"] : ["Active", "empty"];
    return [invalid("status.Phase", phase, `may only be '${word}' if \`deletionTimestamp\` is ${state}`)];
  },
  refuseDelete: (namespace) =>
    permanent.includes(stringAt(objectAt(namespace, "metadata"), "name"))
      ? "this namespace may not be deleted"
      : undefined,
  beginDelete: (namespace, nowIso) => {
    const marked = withMetadata(namespace, { deletionTimestamp: nowIso });
    return { ...marked, status: { ...objectAt(namespace, "status"), phase: "Terminating" } };
  },
  holdsDeletion: (namespace) => listAt(objectAt(namespace, "spec"), "finalizers").length > 0,
  selectableFields: (namespace) => ({ "status.phase": stringAt(objectAt(namespace, "status"), "phase") }),
};

function withNameLabel(namespace: JsonObject): JsonObject {
  const metadata = objectAt(namespace, "metadata");
  return withMetadata(namespace, {
    labels: { ...objectAt(metadata, "labels"), [nameLabel]: stringAt(metadata, "name") },
  });
}

function withoutEmptyFinalizers(namespace: JsonObject): JsonObject {
  return listAt(objectAt(namespace, "spec"), "finalizers").length > 0 ? namespace : { ...namespace, spec: {} };
}
