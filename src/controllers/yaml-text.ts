// YAML that people or installers wrote, as plain values. Whatever is wrong with the text is a problem with its place.

import { parseAllDocuments } from "yaml";
import type { Checked } from "../apis/problem.ts";

/** One document; none, or several, is a problem. Duplicate keys are one, too: nobody can say which of them counts. */
export function parseYaml(text: string, where: string): Checked<unknown> {
  const documents = parseAllDocuments(text);
  // An empty stream answers with an array that has no documents.
  const list = Array.isArray(documents) ? documents : [];
  const problems = list.flatMap(({ errors }) =>
    errors.map(({ message }) => ({ where, message: firstLine(message), hint: "Correct the YAML." })),
  );
  if (problems.length > 0) return { ok: false, problems };
  const [document] = list;
  if (document === undefined || list.length !== 1) {
    const message = `${list.length} YAML documents`;
    return { ok: false, problems: [{ where, message, hint: "Leave exactly one in it." }] };
  }
  return { ok: true, value: document.toJS(), notes: [] };
}

/** Without the excerpt that the parser adds: it may show what the file holds. */
export function firstLine(message: string): string {
  return message.split("\n", 1)[0]?.replace(/:$/, "") ?? message;
}
