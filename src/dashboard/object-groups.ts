// Objects as the overview lists them: by kind, the worst first, narrowed by what was asked for. Pure.

import type { ObjectSummary } from "../core/views/object-view.ts";
import { objectKey } from "../server/contract.ts";
import { objectName } from "./log-filter.ts";
import type { OverviewFilter } from "./routes.ts";
import { compareHealth } from "./words/health.ts";

export interface ObjectGroup {
  readonly kind: string;
  readonly objects: readonly ObjectSummary[];
}

export function groupObjects(
  objects: readonly ObjectSummary[],
  { health, text = "" }: OverviewFilter,
): readonly ObjectGroup[] {
  const words = text.toLowerCase().split(/\s+/);
  const shown = objects.filter(
    (object) =>
      (health === undefined || object.health === health) && words.every((word) => searchable(object).includes(word)),
  );
  const kinds = [...new Set(shown.map(({ id }) => id.kind))].sort();
  return kinds.map((kind) => ({ kind, objects: shown.filter(({ id }) => id.kind === kind).sort(worstFirst) }));
}

function worstFirst(a: ObjectSummary, b: ObjectSummary): number {
  return compareHealth(a.health, b.health) || (objectKey(a.id) < objectKey(b.id) ? -1 : 1);
}

function searchable({ id, sentence, reason = "", controllers }: ObjectSummary): string {
  return [objectName(id), sentence, reason, ...controllers].join(" ").toLowerCase();
}
