// Bugs that touch what belongs to somebody else: without a mark, with another feature's, with another owner's; in the cluster and
// outside; by change and by delete.

import { configMaps, namespaces } from "../../../src/apis/kube/builtin-kinds.ts";
import { type Kind, type KubeObject, refOf } from "../../../src/apis/kube/kube-object.ts";
import { isRecord } from "../../../src/apis/text/problem.ts";
import { markLabel, ownerUidAnnotation } from "../../../src/core/ownership.ts";
import type { Action } from "../../../src/core/plan.ts";
import type { Writer } from "../../../src/engine/feature.ts";
import { guardedBy, onlyThis } from "../../../src/engine/round/guarded-writes.ts";
import type { Patch } from "../../../src/ports/kube.ts";
import { specimens } from "../../../src/sim/specimen/specimen-kind.ts";
import { changingSpecimen, type Mutation } from "./mutation.ts";

type Bug = (writer: Writer, action: unknown) => Promise<void>;

export const ownership: readonly Mutation[] = [
  {
    name: "mark-not-asked-for",
    bug: "whatever stands at a location is taken for ours",
    checker: "own-or-leave",
    sees: /cloud delete .* bears no mark/,
    caughtAt: 10,
    specimen: () => ({
      cloud: (link) => ({
        ...link,
        list: async (location, options) => {
          const things = await link.list(location, options);
          const owner = things.find((thing) => thing.id.startsWith("thing-"))?.owner ?? "";
          return things.map((thing) => ({ ...thing, owner: thing.owner === "" ? owner : thing.owner }));
        },
      }),
    }),
  },
  {
    name: "thing-of-another-owner",
    bug: "a thing that bears somebody else's mark is deleted instead of ours",
    checker: "own-or-leave",
    sees: /cloud delete .* made for somebody else/,
    caughtAt: 3,
    specimen: () => ({
      cloud: (link) => ({
        ...link,
        delete: (location, _id, options) => link.delete(location, `elsewhere-${location}`, options),
      }),
    }),
  },
  instead("child-of-another-owner-deleted", "a child that was made for another specimen is deleted", {
    when: "create-child",
    sees: /DELETE configmaps.*made for somebody else/,
    bug: async ({ kube }, action) => {
      const child = await otherChild(kube, action);
      if (child !== undefined) await kube.delete(configMaps, refOf(child), onlyThis(child));
    },
  }),
  instead("child-of-another-owner-changed", "a child that was made for another specimen is changed", {
    when: "create-child",
    sees: /PATCH configmaps.*made for somebody else/,
    bug: async ({ kube }, action) => {
      const child = await otherChild(kube, action);
      if (child !== undefined) await kube.patch(configMaps, refOf(child), touching(child));
    },
  }),
  instead("child-of-another-feature", "an object with another feature's mark is deleted", {
    when: "create-child",
    sees: /DELETE .* the mark of something-else/,
    bug: async ({ kube }) => {
      const theirs = await kube.get(configMaps, { name: "theirs-marked", namespace: "default" });
      await kube.delete(configMaps, refOf(theirs), onlyThis(theirs));
    },
  }),
  instead("unmarked-child", "an object without a mark is deleted", {
    when: "create-child",
    sees: /DELETE .* bears no mark/,
    bug: async ({ kube }) => {
      const theirs = await kube.get(configMaps, { name: "theirs", namespace: "default" });
      await kube.delete(configMaps, refOf(theirs), onlyThis(theirs));
    },
  }),
  instead("foreign-namespace", "a Namespace is annotated, which nobody asked for", {
    when: "create-child",
    sees: /PATCH namespaces.* bears no mark/,
    bug: async ({ kube }) => {
      const theirs = await kube.get(namespaces, { name: "default" });
      await kube.patch(namespaces, refOf(theirs), touching(theirs));
    },
  }),
  instead("another-subject", "another object of the feature's own kind is annotated", {
    when: "create-child",
    sees: /PATCH specimens.* bears no mark/,
    bug: async ({ kube }, action) => {
      const own = specimenIn(action);
      const { items } = await kube.list(specimens, { namespace: "default" });
      const other = items.find(({ metadata }) => metadata.uid !== own.metadata.uid);
      if (other !== undefined) await kube.patch(specimens, refOf(other), touching(other));
    },
  }),
  instead("subject-deleted", "the object that it looks after is deleted", {
    when: "create-child",
    sees: /DELETE specimens/,
    bug: async ({ kube }, action) => {
      const own = specimenIn(action);
      await kube.delete(specimens, refOf(own), onlyThis(own));
    },
  }),
  {
    name: "foreign-finalizer-dropped",
    bug: "whoever writes finalizers writes only ours",
    checker: "foreign-fields-stay",
    sees: /finalizer example.com/,
    caughtAt: 26,
    overrides: () => ({
      kube: (kube) => ({
        ...kube,
        patch: (kind, ref, patch, options) => kube.patch(kind, ref, onlyOurs(patch), options),
      }),
    }),
  },
  {
    name: "foreign-annotation-dropped",
    bug: "a patch takes away what others annotated",
    checker: "foreign-fields-stay",
    sees: /annotation example.com/,
    caughtAt: 7,
    overrides: () => ({
      kube: (kube) => ({
        ...kube,
        patch: (kind, ref, patch, options) => kube.patch(kind, ref, unannotating(kind, patch), options),
      }),
    }),
  },
];

function instead(
  name: string,
  bug: string,
  { when, sees, bug: act }: { readonly when: string; readonly sees: RegExp; readonly bug: Bug },
): Mutation {
  return {
    name,
    bug,
    checker: "own-or-leave",
    sees,
    caughtAt: 1,
    ...changingSpecimen(({ executors }) => ({
      executors: {
        ...executors,
        [when]: async (action: Action, writer: Writer) => {
          await act(writer, action);
          await executors[when]?.(action, writer);
        },
      },
    })),
  };
}

function specimenIn(action: unknown): KubeObject {
  return (action as { readonly specimen: KubeObject }).specimen;
}

async function otherChild(kube: Writer["kube"], action: unknown): Promise<KubeObject | undefined> {
  const { uid } = specimenIn(action).metadata;
  const { items } = await kube.list(configMaps, { namespace: "default" });
  return items.find(
    ({ metadata }) => metadata.labels?.[markLabel] === "specimen" && metadata.annotations?.[ownerUidAnnotation] !== uid,
  );
}

function touching(object: KubeObject): Patch {
  return guardedBy(object, { metadata: { annotations: { "sim.mainstay.dev/bug": "1" } } });
}

function onlyOurs(patch: Patch): Patch {
  if (patch.type !== "merge" || !isRecord(patch.body) || !isRecord(patch.body["metadata"])) return patch;
  const { finalizers, ...metadata } = patch.body["metadata"];
  if (!Array.isArray(finalizers)) return patch;
  const ours = finalizers.filter((name) => String(name).startsWith("mainstay.dev/"));
  return { type: "merge", body: { ...patch.body, metadata: { ...metadata, finalizers: ours } } };
}

function unannotating(kind: Kind, patch: Patch): Patch {
  if (kind.plural === "events" || patch.type !== "merge" || !isRecord(patch.body)) return patch;
  const metadata = isRecord(patch.body["metadata"]) ? patch.body["metadata"] : {};
  const annotations = isRecord(metadata["annotations"]) ? metadata["annotations"] : {};
  const without = { ...annotations, "example.com/touched": null, "example.com/seen": null };
  return { type: "merge", body: { ...patch.body, metadata: { ...metadata, annotations: without } } };
}
