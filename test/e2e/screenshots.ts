// Takes the pictures of docs/images anew: `npm run screenshots`. Never part of a test run, so that pictures change only when
// somebody means them to.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContextOptions } from "playwright-core";
import { labChromium } from "./chromium.ts";
import { buildPages, startDemoWorld } from "./demo-world.ts";

const folder = join(import.meta.dirname, "..", "..", "docs", "images");
const laptop = { width: 1280, height: 880 };
const object = "/objects/infrastructures.config.openshift.io/cluster";
const blue = "/objects/openstackclusters.infrastructure.cluster.x-k8s.io/default/blue";

interface Picture {
  readonly name: string;
  readonly path: string;
  /** Seen before the picture is taken. */
  readonly words: string | RegExp;
  /** A topology that is asked for and has to wait. */
  readonly wish: string | null;
  /** A fault that is on meanwhile. */
  readonly fault?: string;
  readonly options: BrowserContextOptions;
}

const pictures: readonly Picture[] = [
  { name: "overview-light", path: "/", words: /are healthy/, wish: null, options: { viewport: laptop } },
  {
    name: "overview-dark",
    path: "/",
    words: /are healthy/,
    wish: null,
    options: { viewport: laptop, colorScheme: "dark" },
  },
  {
    name: "object",
    path: object,
    words: "What to do",
    wish: "HighlyAvailable",
    options: { viewport: { width: 1280, height: 1180 } },
  },
  {
    name: "phone",
    path: "/",
    words: /in progress/,
    wish: "HighlyAvailable",
    options: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 },
  },
  {
    name: "zone-lost",
    path: blue,
    words: "left out",
    wish: null,
    fault: "zone-dark",
    options: { viewport: { width: 1280, height: 720 } },
  },
  {
    name: "faults",
    path: "/faults",
    words: "Lose a zone",
    wish: null,
    options: { viewport: { width: 1280, height: 960 } },
  },
];

const found = await labChromium();
if (!found.available) throw new Error(`${found.why}; to get it: ${found.how}`);
const pages = await buildPages();
const [browser, demo] = await Promise.all([found.launch(), startDemoWorld(pages.folder)]);
try {
  await mkdir(folder, { recursive: true });
  for (const { name, path, words, wish, fault, options } of pictures) {
    await demo.wishFor(wish);
    const broken = fault === undefined ? undefined : await demo.fault(fault, 300);
    const page = await browser.newPage({ baseURL: demo.dashboard, ...options });
    await page.goto(path);
    await page.getByText(words).first().waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    await page.screenshot({ path: join(folder, `${name}.png`) });
    await page.close();
    await broken?.stop();
    process.stdout.write(`docs/images/${name}.png\n`);
  }
} finally {
  await browser.close();
  await demo.stop();
  await pages.remove();
}
