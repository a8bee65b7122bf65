// Conflicts as the API server words them: one cause per field, naming the manager that owns it.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { type FieldSet, pathsOf } from "./field-set.ts";
import type { ManagerEntry, Managers } from "./managed-fields.ts";
import { printPath } from "./path-element.ts";

export function conflictCauses(managers: Managers, conflicts: ReadonlyMap<string, FieldSet>): readonly FieldCause[] {
  return [...conflicts.keys()].sort().flatMap((id) => {
    const entry = managers.get(id);
    if (entry === undefined) return [];
    return pathsOf(conflicts.get(id) ?? entry.fields).map((path) => ({
      reason: "FieldManagerConflict",
      message: `conflict with ${printManager(entry)}`,
      field: printPath(path),
    }));
  });
}

function printManager({ manager, operation, apiVersion, subresource }: ManagerEntry): string {
  const name =
    subresource === ""
      ? JSON.stringify(manager)
      : `${JSON.stringify(manager)} with subresource ${JSON.stringify(subresource)}`;
  return operation === "Update" ? `${name} using ${apiVersion}` : name;
}

/** The message of the 409 that carries these causes. */
export function conflictMessage(causes: readonly FieldCause[]): string {
  const [first] = causes;
  if (causes.length === 1 && first !== undefined)
    return `Apply failed with 1 conflict: ${first.message}: ${first.field}`;
  const fieldsByManager = new Map<string, string[]>();
  for (const cause of causes) {
    const heading = cause.message.replace(/^conflict with/, "conflicts with");
    fieldsByManager.set(heading, [...(fieldsByManager.get(heading) ?? []), cause.field]);
  }
  const lines = [...fieldsByManager].flatMap(([heading, fields]) => [
    `${heading}:`,
    ...fields.map((field) => `- ${field}`),
  ]);
  return `Apply failed with ${causes.length} conflicts: ${lines.join("\n")}`;
}
