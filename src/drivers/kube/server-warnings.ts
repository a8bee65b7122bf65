// What the API server warns about beside its answer (deprecated versions, unknown fields): logged once for each text.

import type { Log } from "../../ports/log.ts";
import { redact } from "../http/redact.ts";
import type { Subject } from "./errors.ts";

export type WarningListener = (subject: Subject, headers: Readonly<Record<string, string>>) => void;

/** Texts may name objects, so that there may be any number of them: above this limit all are forgotten. */
const maxRemembered = 500;

export function warningListener(log: Log | undefined): WarningListener {
  const seen = new Set<string>();
  return ({ verb, resource, name }, headers) => {
    if (log === undefined || headers["warning"] === undefined) return;
    for (const text of warningTexts(headers["warning"])) {
      if (seen.has(text)) continue;
      if (seen.size >= maxRemembered) seen.clear();
      seen.add(text);
      log.warn("the API server warns", { warning: redact(text), verb, resource, name });
    }
  };
}

/** `299 - "text", 299 - "text"` (RFC 7234, 5.5), with quotes and backslashes escaped. */
export function warningTexts(header: string): readonly string[] {
  const quoted = header.matchAll(/\b299 \S+ "((?:[^"\\]|\\.)*)"/g);
  return [...quoted].map(([, text = ""]) => text.replace(/\\(.)/g, "$1"));
}
