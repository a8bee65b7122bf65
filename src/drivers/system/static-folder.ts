// The files of a built dashboard, read once: a small folder of files that never change while the program runs.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export interface StaticFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Its name carries a digest of its content. */
  readonly immutable: boolean;
}

const contentTypes: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  json: "application/json; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  ico: "image/x-icon",
  woff2: "font/woff2",
  txt: "text/plain; charset=utf-8",
  map: "application/json; charset=utf-8",
};

/** By path from the folder, such as `/assets/main-1a2b3c4d.js`. Undefined when there is no such folder. */
export async function readStaticFolder(folder: string): Promise<ReadonlyMap<string, StaticFile> | undefined> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return undefined;
  const files = new Map<string, StaticFile>();
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const url = `/${path.slice(folder.length).replaceAll("\\", "/").replace(/^\/+/, "")}`;
    const extension = entry.name.split(".").at(-1) ?? "";
    files.set(url, {
      bytes: await readFile(path),
      contentType: contentTypes[extension] ?? "application/octet-stream",
      immutable: url.startsWith("/assets/"),
    });
  }
  return files;
}
