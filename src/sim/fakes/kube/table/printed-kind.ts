// What a kind shows in a table: its columns, and the cells of one object.

import type { Json, JsonObject } from "../json.ts";

export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description: string;
  /** 0 is always shown, more only with `-o wide`. */
  readonly priority?: number;
}

export interface PrintedKind {
  readonly columns: readonly TableColumn[];
  readonly cells: (object: JsonObject, nowMs: number) => readonly (Json | undefined)[];
}

export const nameColumn: TableColumn = {
  name: "Name",
  type: "string",
  format: "name",
  description: "The name of the object, unique in its namespace.",
};

export const ageColumn: TableColumn = {
  name: "Age",
  type: "string",
  description: "How long ago the object was created.",
};

export function column(name: string, description: string, type = "string"): TableColumn {
  return { name, type, description };
}

export function wide(name: string, description: string): TableColumn {
  return { name, type: "string", description, priority: 1 };
}
