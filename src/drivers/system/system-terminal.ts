// The terminal: results to standard output, words for people to standard error, input from standard input.

import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Terminal } from "../../ports/terminal.ts";

export interface TerminalStreams {
  readonly stdin: Readable;
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable;
}

export function systemTerminal({ stdin, stdout, stderr }: TerminalStreams = process): Terminal {
  // `mainstay … | head` closes the pipe early, which is no failure.
  stdout.on("error", ignoreClosedPipe);
  stderr.on("error", ignoreClosedPipe);
  return {
    out: (line) => void stdout.write(`${escapeControls(line)}\n`),
    err: (line) => void stderr.write(`${escapeControls(line)}\n`),
    readInput: () => text(stdin),
    interactive: stdout.isTTY === true,
    columns: stdout.columns ?? 80,
  };
}

/** Texts of objects come from others: their control characters must not move the cursor, rename the window or hide text. */
function escapeControls(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
