// Everything that the fake API server has stored, followed change by change: the truth that checkers compare with.

import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { isRecord } from "../../apis/text/problem.ts";
import type { FakeKubeApi } from "../fakes/kube/api-server.ts";
import type { StoredChange } from "../fakes/kube/storage/object-store.ts";
import type { LeaseSeen } from "./checker.ts";

export interface Mirror {
  objectAt(resource: string, key: string): KubeObject | undefined;
  objects(resource: string): readonly KubeObject[];
  uids(): ReadonlySet<string>;
  /** After storage was replaced as a whole. */
  reread(): void;
}

export function mirrorOf(api: FakeKubeApi, onChange: (change: StoredChange) => void): Mirror {
  let resources = read(api);
  api.onChange((change) => {
    const known = resources.get(change.resource) ?? new Map<string, KubeObject>();
    resources.set(change.resource, known);
    if (change.type === "DELETED") known.delete(change.key);
    else known.set(change.key, change.object as unknown as KubeObject);
    onChange(change);
  });
  const objectAt = (resource: string, key: string) => resources.get(resource)?.get(key);
  return {
    objectAt,
    objects: (resource) => [...(resources.get(resource)?.values() ?? [])],
    uids: () =>
      new Set(
        [...resources.values()].flatMap((known) => [...known.values()].map(({ metadata }) => metadata.uid ?? "")),
      ),
    reread: () => {
      resources = read(api);
    },
  };
}

function read(api: FakeKubeApi): Map<string, Map<string, KubeObject>> {
  return new Map(
    [...api.backup().objects].map(([resource, objects]) => [
      resource,
      new Map([...objects].map(([key, object]) => [key, object as unknown as KubeObject])),
    ]),
  );
}

export function leaseSeen(lease: KubeObject | undefined): LeaseSeen | undefined {
  if (lease === undefined) return undefined;
  const spec: unknown = (lease as { readonly spec?: unknown }).spec;
  const holder = isRecord(spec) && typeof spec["holderIdentity"] === "string" ? spec["holderIdentity"] : "";
  return { holder };
}
