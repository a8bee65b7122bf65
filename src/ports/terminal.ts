// The terminal as a port: what a command prints, and whether a person is watching.

export interface Terminal {
  /** Results: what a pipe wants. A newline is added. */
  out(text: string): void;
  /** Progress, warnings and errors: what a person wants. A newline is added. */
  err(text: string): void;
  /** All of standard input, for `-f -`. */
  readInput(): Promise<string>;
  readonly interactive: boolean;
  /** Results may contain words in colour (apis/text/coloured-word.ts). */
  readonly colours: boolean;
  readonly columns: number;
}
