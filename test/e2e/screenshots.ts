// Takes the pictures of docs/images anew: `npm run screenshots`. Never part of a test run, so that pictures change only when
// somebody means them to.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { labChromium } from "./chromium.ts";
import { buildPages, startDemoWorld } from "./demo-world.ts";
import { enter, pictureOf, situations } from "./situations.ts";

const folder = join(import.meta.dirname, "..", "..", "docs", "images");
const laptop = { width: 1280, height: 880 };
/** As much of an object's page as shows what is wrong, why, and what still works. */
const wide = { width: 1120, height: 960 };
const object = "/objects/infrastructures.config.openshift.io/cluster";
const blue = "/objects/openstackclusters.infrastructure.cluster.x-k8s.io/default/blue";

interface Picture {
  readonly name: string;
  readonly path: string;
  /** Seen before the picture is taken. */
  readonly words: string | RegExp;
  /** A topology that is asked for and has to wait. */
  readonly wish: string | null;
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
    name: "faults",
    path: "/faults",
    words: "Lose a zone",
    wish: null,
    options: { viewport: { width: 1280, height: 960 } },
  },
];

/** Without a name it only waits. */
async function take(
  name: string | undefined,
  path: string,
  options: BrowserContextOptions,
  isThere: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await browser.newPage({ baseURL: demo.dashboard, ...options });
  page.setDefaultTimeout(90_000);
  await page.goto(path);
  await isThere(page);
  await page.getByText("Live", { exact: true }).waitFor();
  if (name !== undefined) {
    await page.screenshot({ path: join(folder, `${name}.png`) });
    process.stdout.write(`docs/images/${name}.png\n`);
  }
  await page.close();
}

const found = await labChromium();
if (!found.available) throw new Error(`${found.why}; to get it: ${found.how}`);
const pages = await buildPages();
const [browser, demo] = await Promise.all([found.launch(), startDemoWorld(pages.folder)]);
try {
  await mkdir(folder, { recursive: true });
  for (const { name, path, words, wish, options } of pictures) {
    await demo.wishFor(wish);
    await take(name, path, options, (page) => page.getByText(words).first().waitFor());
  }
  await demo.wishFor(null);
  for (const situation of situations) {
    const leave = await enter(demo, situation);
    await take(`situation-${situation.name}`, blue, { viewport: wide }, (page) => pictureOf(page, situation));
    await leave();
    await take(undefined, blue, {}, (page) => page.getByText("Everything is as it should be.").waitFor());
  }
} finally {
  await browser.close();
  await demo.stop();
  await pages.remove();
}
