// What a person sees of each of the five situations: the cause, what can still be reached and where it breaks; on a phone and on a laptop,
// in the light and in the dark.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type BrowserSession, laptop, patienceMs, phone } from "./browser-session.ts";
import type { DemoWorld } from "./demo-world.ts";
import { lowContrast, overflowing } from "./page-checks.ts";
import { enter, pictureOf, type Situation, situations } from "./situations.ts";
import { bluePage } from "./zones.ts";

export function situationsForPeople(
  demo: () => DemoWorld,
  person: (options?: object) => Promise<BrowserSession>,
): void {
  test.each(situations.map((situation) => [situation.name, situation] as const))(
    "is understood at a glance: %s",
    { timeout: 8 * patienceMs },
    async (_name, situation) => {
      const watching = await person();
      await watching.open(bluePage);
      await untilHealthy(watching.page);
      const leave = await enter(demo(), situation);
      try {
        await shown(watching.page, situation);
        await expect.poll(() => watching.page.title()).toMatch(situation.isSick ? /^\(1\) / : /^OpenStackCluster/);
        if (situation.fault !== undefined) await watching.page.getByRole("region", { name: "Active faults" }).waitFor();
        await looksGood(person, situation);
      } finally {
        await leave();
      }
      await untilHealthy(watching.page);
      if (!situation.isSick) return;
      if (!situation.crossZone) await isRemembered(watching.page);
      await isClosed(watching);
    },
  );
}

async function untilHealthy(page: Page): Promise<void> {
  await page.getByRole("main").getByText("Everything is as it should be.").waitFor();
}

async function shown(page: Page, situation: Situation): Promise<void> {
  await pictureOf(page, situation);
  const { cause } = situation;
  if (cause === undefined) return;
  await page.getByRole("main").getByText(cause.headline).first().waitFor();
  await page.getByRole("region", { name: "Why" }).getByText(cause.reason, { exact: true }).waitFor();
}

async function looksGood(person: (options?: object) => Promise<BrowserSession>, situation: Situation): Promise<void> {
  for (const viewport of [phone, laptop])
    for (const colorScheme of ["light", "dark"]) {
      const { page, open } = await person({ viewport, colorScheme });
      for (const path of [bluePage, "/"]) {
        await open(path);
        if (path === bluePage) await shown(page, situation);
        else
          await page
            .getByRole("heading", {
              level: 1,
              name: situation.isSick ? /blue needs attention/ : /healthy|in progress/,
            })
            .waitFor();
        const look = [situation.name, viewport.width, colorScheme, path];
        expect([...look, await page.evaluate(overflowing), await page.evaluate(lowContrast)]).toEqual([
          ...look,
          [],
          [],
        ]);
      }
    }
}

/** The strip of the last hour says when a zone was bad, also to those who cannot point at it. */
async function isRemembered(page: Page): Promise<void> {
  const az2 = page.getByRole("region", { name: "Last hour" }).locator(".strip-now").nth(1);
  await az2
    .getByText(/^(Unhealthy|Unknown).* from \d\d:\d\d:\d\d to \d\d:\d\d:\d\d$/)
    .first()
    .waitFor();
}

/** An incident that is over is closed, and stands no longer among what needs attention. */
async function isClosed({ page, open }: BrowserSession): Promise<void> {
  await open("/");
  await page.getByRole("region", { name: "Over" }).getByText("OpenStackCluster default/blue").first().waitFor();
  expect(await page.getByRole("region", { name: "Needs attention" }).count()).toBe(0);
}
