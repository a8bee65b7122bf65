// managedFields, read for assertions: who owns which paths.

import type { KubeObject } from "../../../src/apis/kube/kube-object.ts";

interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly apiVersion: string;
  readonly subresource?: string;
  readonly time?: string;
  readonly fieldsV1: Fields;
}

interface Fields {
  readonly [element: string]: Fields;
}

export function entriesOf(object: KubeObject): readonly Entry[] {
  return (object.metadata.managedFields ?? []) as readonly Entry[];
}

/** `{ "alice Apply": ["f:data/f:a"] }`; a path stands for itself, not for what lies below it. */
export function ownersOf(object: KubeObject): Readonly<Record<string, readonly string[]>> {
  const named = entriesOf(object).map((entry) => {
    const { manager, operation, subresource, fieldsV1 } = entry;
    return [
      [manager, operation, ...(subresource === undefined ? [] : [subresource])].join(" "),
      paths(fieldsV1).sort(),
    ];
  });
  return Object.fromEntries(named);
}

function paths(fields: Fields, prefix = ""): string[] {
  return Object.entries(fields).flatMap(([element, inner]) => {
    if (element === ".") return [prefix];
    const path = prefix === "" ? element : `${prefix}/${element}`;
    return Object.keys(inner).length === 0 ? [path] : paths(inner, path);
  });
}
