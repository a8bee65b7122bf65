import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readStaticFolder } from "./static-folder.ts";

test("reads every file with its type, and knows which ones never change", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mainstay-static-"));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), "<html>");
  await writeFile(join(folder, "assets", "main-1a2b.js"), "1");
  await writeFile(join(folder, "data.bin"), "x");
  const files = await readStaticFolder(folder);
  const described = [...(files ?? [])]
    .map(([path, { contentType, immutable }]) => [path, contentType, immutable])
    .toSorted();
  expect(described).toEqual([
    ["/assets/main-1a2b.js", "text/javascript; charset=utf-8", true],
    ["/data.bin", "application/octet-stream", false],
    ["/index.html", "text/html; charset=utf-8", false],
  ]);
  await rm(folder, { recursive: true });
});

test("a folder that is not there is no error", async () => {
  expect(await readStaticFolder(join(tmpdir(), "mainstay-no-such-folder"))).toBeUndefined();
});
