// The terminal: results to standard output, words for people to standard error, input from standard input.

import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { splitColoured } from "../../apis/text/coloured-word.ts";
import type { Terminal } from "../../ports/terminal.ts";

export interface TerminalStreams {
  readonly stdin: Readable;
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable;
}

/** What the environment says about colours: https://no-color.org */
type Environment = Readonly<Partial<Record<"NO_COLOR" | "TERM", string>>>;

export function systemTerminal(
  { stdin, stdout, stderr }: TerminalStreams = process,
  { NO_COLOR = "", TERM }: Environment = process.env,
): Terminal {
  const colours = stdout.isTTY === true && NO_COLOR === "" && TERM !== "dumb";
  // `mainstay … | head` closes the pipe early, which is no failure.
  stdout.on("error", ignoreClosedPipe);
  stderr.on("error", ignoreClosedPipe);
  return {
    out: (line) => void stdout.write(`${colours ? escapeOthers(line) : escapeControls(line)}\n`),
    err: (line) => void stderr.write(`${escapeControls(line)}\n`),
    readInput: () => text(stdin),
    interactive: stdout.isTTY === true,
    colours,
    columns: stdout.columns ?? 80,
  };
}

/** Texts of objects come from others: their control characters must not move the cursor, rename the window or hide text. */
function escapeControls(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

/** Words in colour stay: they are closed in themselves, and can hide nothing. */
function escapeOthers(text: string): string {
  return splitColoured(text)
    .map((piece, index) => (index % 2 === 1 ? piece : escapeControls(piece)))
    .join("");
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
