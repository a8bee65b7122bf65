// The text of a file that somebody else replaces now and then: service-account tokens, authorities, client certificates.
// Read again when the text is older than ten seconds; a failed read keeps the last good text.

import { readFile } from "node:fs/promises";
import { MainstayError } from "../../../core/errors.ts";
import type { Clock } from "../../../ports/clock.ts";

export interface RotatingFile {
  readonly path: string;
  read(): Promise<string>;
  /** Reads now. True when the text is another than before. */
  reload(): Promise<boolean>;
}

const maxAgeMs = 10_000;

/** `what` names the file's job in messages: `token file of user "ci"`. */
export function rotatingFile(clock: Clock, path: string, what: string): RotatingFile {
  let held: { readonly text: string; readonly atMs: number } | undefined;

  async function load(): Promise<string> {
    try {
      const text = await readFile(path, "utf8");
      // A file that is truncated and then written may be read in between.
      if (text.trim() === "" && held !== undefined) return held.text;
      held = { text, atMs: clock.monotonicMs() };
      return text;
    } catch (cause) {
      if (held !== undefined) return held.text;
      throw new MainstayError({
        reason: "ConfigurationInvalid",
        message: `${what}: ${path} cannot be read`,
        hint: "Check that the file exists and that this user may read it.",
        cause,
      });
    }
  }

  return {
    path,
    read: async () => (held !== undefined && clock.monotonicMs() - held.atMs < maxAgeMs ? held.text : load()),
    async reload() {
      const before = held?.text;
      return (await load()) !== before;
    },
  };
}

/** Text that came with the configuration itself, in the same shape. */
export function fixedText(path: string, text: string): RotatingFile {
  return { path, read: async () => text, reload: async () => false };
}
