// The browser of the tests: Debian's Chromium, or the one CHROMIUM names, without a profile of anybody's and without calls home.

import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import type { LabPart } from "../lab.ts";

export interface ChromiumLab {
  readonly available: true;
  readonly launch: () => Promise<Browser>;
}

const executablePath = process.env["CHROMIUM"] || "/usr/bin/chromium";
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A fresh profile in a temporary folder comes with every launch. */
export const labChromium: LabPart<ChromiumLab> = async () =>
  existsSync(executablePath)
    ? { available: true, launch: () => chromium.launch({ executablePath, headless: true, args }) }
    : {
        available: false,
        why: `there is no browser at ${executablePath}`,
        how: "apt-get install chromium, or set CHROMIUM to one",
      };
