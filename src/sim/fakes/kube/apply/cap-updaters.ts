// At most ten updaters are remembered; the oldest ones of a version share one entry after that.

import { union } from "./field-set.ts";
import { compare, identityOf, type ManagerEntry, type Managers } from "./managed-fields.ts";

const maxUpdaters = 10;
const bucketName = "ancient-changes";

export function capUpdaters(managers: Managers): Managers {
  const updaters = [...managers].filter(([, entry]) => entry.operation === "Update");
  if (updaters.length <= maxUpdaters) return managers;
  const oldestFirst = updaters.sort(([a, x], [b, y]) => compare(x.time ?? "", y.time ?? "") || compare(a, b));
  const capped = new Map(managers);
  const firstOfVersion = new Map<string, string>();
  let count = updaters.length;
  for (const [id, entry] of oldestFirst) {
    if (count <= maxUpdaters) break;
    const first = firstOfVersion.get(entry.apiVersion);
    if (first === undefined) {
      firstOfVersion.set(entry.apiVersion, id);
      continue;
    }
    moveToBucket(capped, first, id, entry);
    count -= 1;
  }
  return capped;
}

function moveToBucket(managers: Map<string, ManagerEntry>, first: string, id: string, entry: ManagerEntry): void {
  const identity = { manager: bucketName, operation: "Update", apiVersion: entry.apiVersion, subresource: "" } as const;
  const bucketId = identityOf(identity);
  const bucket = managers.get(bucketId) ?? managers.get(first);
  managers.delete(first === bucketId ? "" : first);
  managers.delete(id);
  const fields = bucket === undefined ? entry.fields : union(entry.fields, bucket.fields);
  managers.set(bucketId, { ...identity, time: entry.time, fields });
}
