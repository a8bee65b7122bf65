// A journal in a file: lines are appended and synced, and all of them are replaced by renaming. What a crash cut short is dropped when
// the file is read, and what a full disk cut short is taken back at once.

import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Journal } from "../../ports/journal.ts";

export function fileJournal(path: string): Journal {
  /** Bytes that are whole lines; undefined before the file was read. */
  let length: number | undefined;
  const read = async (): Promise<readonly string[]> => {
    const bytes = await readFile(path).catch((error: unknown) => {
      if (isMissing(error)) return Buffer.alloc(0);
      throw error;
    });
    length = bytes.lastIndexOf("\n") + 1;
    return length === 0 ? [] : bytes.toString("utf8", 0, length - 1).split("\n");
  };
  return {
    read,
    async append(line) {
      if (length === undefined) await read();
      const at = length ?? 0;
      const bytes = Buffer.from(`${line}\n`);
      const file = await open(path, at === 0 ? "w" : "r+", 0o600);
      try {
        await file.write(bytes, 0, bytes.length, at);
        // Without what a crash left behind the last whole line.
        await file.truncate(at + bytes.length);
        await file.sync();
        length = at + bytes.length;
      } catch (error) {
        await file.truncate(at).catch(() => {});
        throw error;
      } finally {
        await file.close();
      }
      if (at === 0) await syncFolder(dirname(path));
    },
    async replace(lines) {
      const text = lines.map((line) => `${line}\n`).join("");
      const draft = `${path}.new`;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      try {
        const file = await open(draft, "w", 0o600);
        try {
          await file.writeFile(text);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
      length = Buffer.byteLength(text);
      await syncFolder(dirname(path));
    },
  };
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
