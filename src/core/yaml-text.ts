// Parses YAML that people or installers wrote into plain values; everything wrong with the text becomes a problem.

import { type Document, parseAllDocuments } from "yaml";
import type { Checked } from "../apis/text/problem.ts";

/**
 * One document; several are a problem, and so is none unless `empty` gives its value. Duplicate keys are a problem, too: it is
 * unclear which of them counts.
 */
export function parseYaml(text: string, where: string, empty?: unknown): Checked<unknown> {
  const documents = documentsIn(text);
  const problems = documents.flatMap((document) =>
    yamlProblems(document).map((message) => ({ where, message, hint: "Correct the YAML." })),
  );
  if (problems.length > 0) return { ok: false, problems };
  const [document] = documents;
  if (documents.length > 1) {
    const message = `${documents.length} YAML documents`;
    return { ok: false, problems: [{ where, message, hint: "Leave exactly one in it." }] };
  }
  const value: unknown = document?.toJS() ?? empty;
  if (value !== undefined) return { ok: true, value, notes: [] };
  return { ok: false, problems: [{ where, message: "it is empty", hint: "Fill it, or name another." }] };
}

export function documentsIn(text: string): readonly Document[] {
  const parsed = parseAllDocuments(text);
  // An empty stream answers with an array that has no documents.
  return Array.isArray(parsed) ? parsed : [];
}

/** Everything that keeps a document from being a value. */
export function yamlProblems(document: Document): readonly string[] {
  if (document.errors.length > 0) return [...new Set(document.errors.map(({ message }) => firstLine(message)))];
  try {
    document.toJS();
    return [];
  } catch (error) {
    // Aliases are followed only now: one without an anchor, or so many that they were meant to exhaust memory.
    return [firstLine(error instanceof Error ? error.message : String(error))];
  }
}

/** Without the excerpt that the parser adds: it may show what the file holds. */
function firstLine(message: string): string {
  return message.split("\n", 1)[0]?.replace(/:$/, "") ?? message;
}
