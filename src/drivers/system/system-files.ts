// The machine's files. Failures become MainstayErrors that name the path; a write replaces a file in one step.

import { access, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { MainstayError } from "../../core/errors.ts";
import { present } from "../../core/present.ts";
import type { Files } from "../../ports/files.ts";

export const systemFiles: Files = {
  readText: (path) => naming(path, "read", () => readFile(path, "utf8")),
  exists: (path) =>
    access(path).then(
      () => true,
      () => false,
    ),
  writeText: (path, text) => naming(path, "written", () => replace(path, text)),
};

async function replace(path: string, text: string): Promise<void> {
  // A link stays a link: what it points to is replaced.
  const target = await realpath(path).catch(() => path);
  const mode = await stat(target).then(
    (there) => there.mode & 0o777,
    () => 0o644,
  );
  const draft = `${target}.${process.pid}.${draftNumber++}.new`;
  try {
    // "wx": never follow or reuse something that lies in the way.
    const file = await open(draft, "wx", mode);
    try {
      await file.chmod(mode);
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

let draftNumber = 0;

const hints: Readonly<Record<string, string>> = {
  ENOENT: "Check the path: there is no such file or folder.",
  EACCES: "Check the permissions of the file and of its folder.",
  EPERM: "Check the permissions of the file and of its folder.",
  EISDIR: "Name a file, not a folder.",
  ENOTDIR: "Check the path: a part of it is not a folder.",
  ENOSPC: "Make room on the disk.",
  EROFS: "Choose a place that can be written to.",
};

async function naming<T>(path: string, verb: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";
    const hint = hints[code];
    throw new MainstayError({
      reason: "InputInvalid",
      message: `file ${path} cannot be ${verb}: ${code}`,
      ...present({ hint }),
      cause: error,
    });
  }
}
