// Files as a port: the few things a command line or a controller does with them.

export interface Files {
  /** Rejects with a MainstayError that names the path when the file cannot be read. */
  readText(path: string): Promise<string>;
  exists(path: string): Promise<boolean>;
  /** Replaces the file in one step: readers see the old text or the new one, never half of it. */
  writeText(path: string, text: string): Promise<void>;
}
