// The demonstration's one folder, in the machine's folder for temporary files. Its name is made of the API server's port, so that a
// kubeconfig stays where it was from one start to the next, and two demonstrations do not share one.

import { lstat, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Only this user can read it. Whoever listens on the port owns what an earlier demonstration left there when it was killed. */
export async function makeDemoFolder(port: string): Promise<string> {
  const folder = join(tmpdir(), `mainstay-demo-${port}`);
  if (await isOwnFolder(folder)) await rm(folder, { recursive: true, force: true });
  try {
    await mkdir(folder, { mode: 0o700 });
    return folder;
  } catch (error) {
    // Somebody else has something of that name: other users can write to this place, too.
    if (error instanceof Error && "code" in error && error.code === "EEXIST")
      return await mkdtemp(join(tmpdir(), "mainstay-demo-"));
    throw error;
  }
}

/** A link is no folder: it may lead anywhere. */
async function isOwnFolder(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}
