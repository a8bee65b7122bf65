// Lines that survive a crash of the program and of the machine.

export interface Journal {
  /** Every line that was written whole: one that a crash cut short is not among them. None: nothing was ever written. */
  read(): Promise<readonly string[]>;
  /** The line is on the disk when this resolves, and no part of it when it rejects. A line has no line break in it. */
  append(line: string): Promise<void>;
  /** In one step: after a crash there are the old lines or the new ones. */
  replace(lines: readonly string[]): Promise<void>;
}
