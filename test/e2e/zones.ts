// What a person sees of a cluster in three zones: all of it at a glance, a zone that is lost, and that it heals.

import { expect, test } from "vitest";
import { type BrowserSession, laptop, patienceMs, phone } from "./browser-session.ts";
import type { DemoWorld } from "./demo-world.ts";
import { lowContrast, overflowing } from "./page-checks.ts";

export const bluePage = "/objects/openstackclusters.infrastructure.cluster.x-k8s.io/default/blue";

export function zonesForPeople(demo: () => DemoWorld, person: (options?: object) => Promise<BrowserSession>): void {
  const zoneRow = ({ page }: BrowserSession, zone: string) =>
    page
      .getByRole("region", { name: "Zones" })
      .getByRole("row")
      .filter({ has: page.getByRole("rowheader", { name: zone }) });

  test("shows the zones of a cluster in one glance, one that is lost, and its healing, without a reload", {
    timeout: 6 * patienceMs,
  }, async () => {
    const watching = await person();
    const { page, open, heading } = watching;
    await open(bluePage);
    await heading("OpenStackCluster default/blue");
    for (const zone of ["az1", "az2", "az3"]) {
      const words = await zoneRow(watching, zone).innerText();
      expect(words).toMatch(/Healthy[^]*1 of 1 answers[^]*203\.0\.113\.\d+[^]*ACTIVE, ONLINE[^]*in the records/);
    }
    await page.evaluate("window.stillHere = true");
    const lost = await demo().fault("zone-dark", 300);
    try {
      await zoneRow(watching, "az2").getByText("Unhealthy").waitFor();
      await zoneRow(watching, "az2").getByText("left out").waitFor();
      expect(await zoneRow(watching, "az1").innerText()).toMatch(/Healthy[^]*in the records/);
      await page.getByText("2 of 3 zones healthy, 1 unhealthy").waitFor();
      const why = page.getByRole("region", { name: "Why" });
      await why.getByRole("link", { name: "What to do: runbook MembersUnhealthy" }).waitFor();
      await looksGood(person);
      await page.getByRole("link", { name: "Overview", exact: true }).first().click();
      await page
        .getByRole("region", { name: "Needs attention" })
        .getByText("2 of 3 zones healthy, 1 unhealthy")
        .waitFor();
      await page.goBack();
    } finally {
      await lost.stop();
    }
    await zoneRow(watching, "az2").getByText("in the records").waitFor();
    await page.getByText("3 of 3 zones healthy").waitFor();
    await page.getByRole("main").getByText("Everything is as it should be.").waitFor();
    expect(await page.evaluate("window.stillHere")).toBe(true);
  });

  test("shows the latest of a long history, and all of it on request, with the keyboard alone", {
    timeout: 2 * patienceMs,
  }, async () => {
    const { page, open } = await person();
    await open(bluePage);
    const history = page.getByRole("region", { name: "What happened" });
    const more = history.getByRole("button", { name: /^Show all \d+ entries$/ });
    await more.waitFor();
    const before = await history.getByRole("listitem").count();
    await more.focus();
    await page.keyboard.press("Enter");
    expect(await history.getByRole("listitem").count()).toBeGreaterThan(before);
    await expect.poll(() => page.locator(":focus").innerText()).toBe("Show the latest 8");
    await page.keyboard.press("Enter");
    expect(await history.getByRole("listitem").count()).toBe(before);
  });
}

/** While a zone is lost: on a phone and on a laptop, in the light and in the dark. */
async function looksGood(person: (options?: object) => Promise<BrowserSession>): Promise<void> {
  for (const viewport of [phone, laptop])
    for (const colorScheme of ["light", "dark"]) {
      const { page, open } = await person({ viewport, colorScheme });
      for (const path of [bluePage, "/"]) {
        await open(path);
        await page.getByText("2 of 3 zones healthy, 1 unhealthy").first().waitFor();
        expect([viewport.width, colorScheme, path, await page.evaluate(overflowing)]).toEqual([
          viewport.width,
          colorScheme,
          path,
          [],
        ]);
        expect([viewport.width, colorScheme, path, await page.evaluate(lowContrast)]).toEqual([
          viewport.width,
          colorScheme,
          path,
          [],
        ]);
      }
    }
}
