// A person in front of the dashboard: a page of their own, and the words they look for. What goes wrong inside the page is
// remembered, so that no test passes over it.

import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";

export interface BrowserSession {
  readonly page: Page;
  /** The one heading that says what the page is. */
  readonly heading: (words: string | RegExp) => Promise<void>;
  /** The word in the bar about the stream. */
  readonly stream: (word: string) => Promise<void>;
  readonly open: (path: string) => Promise<void>;
}

export const laptop = { width: 1280, height: 800 };
export const phone = { width: 390, height: 844 };
/** Two shared cores do everything at once: builds, servers, browsers. */
export const patienceMs = 120_000;

export async function openSession(
  browser: Browser,
  base: string,
  options: BrowserContextOptions = {},
): Promise<BrowserSession> {
  const context = await browser.newContext({ viewport: laptop, baseURL: base, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  const broken: string[] = [];
  page.on("pageerror", (error) => broken.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && /Content Security Policy|React|Uncaught/.test(message.text()))
      broken.push(message.text());
  });
  onTestFinished(async () => {
    await context.close();
    expect(broken).toEqual([]);
  });
  return {
    page,
    heading: (words) => page.getByRole("heading", { level: 1, name: words }).waitFor(),
    stream: (word) => page.getByRole("status", { name: "Stream" }).getByText(word, { exact: true }).waitFor(),
    open: async (path) => void (await page.goto(path)),
  };
}
