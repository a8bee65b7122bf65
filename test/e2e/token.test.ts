// What a person meets in a cluster, where the dashboard wants a token and changes nothing.

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeLab } from "../lab.ts";
import { labChromium } from "./chromium.ts";
import { type ClusterWorld, startClusterWorld, viewerToken } from "./cluster-world.ts";
import { buildPages } from "./demo-world.ts";
import { patienceMs, personAt } from "./person.ts";

describeLab("the dashboard in a cluster", labChromium, ({ launch }) => {
  let browser: Browser;
  let cluster: ClusterWorld;
  let pages: Awaited<ReturnType<typeof buildPages>>;

  beforeAll(async () => {
    [browser, pages] = await Promise.all([launch(), buildPages()]);
    cluster = await startClusterWorld(pages.folder);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await cluster?.stop();
    await pages?.remove();
  }, 60_000);

  const browsing = { timeout: 2 * patienceMs };
  const signedIn = async (path: string) => {
    const person = await personAt(browser, cluster.dashboard);
    const addresses: string[] = [];
    person.page.on("request", (request) => addresses.push(request.url()));
    await person.open(path);
    await person.heading("Sign in");
    await person.page.getByLabel("Token").fill(viewerToken);
    await person.page.keyboard.press("Enter");
    await person.stream("Live");
    return { ...person, addresses };
  };

  test("asks for a token, says when one is wrong, and shows the page that was asked for", browsing, async () => {
    const { page, open, heading } = await personAt(browser, cluster.dashboard);
    await open("/?q=infra");
    await heading("Sign in");
    await page.getByLabel("Token").fill("a-guess");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("The token is not valid here.").waitFor();
    await page.getByLabel("Token").fill(viewerToken);
    await page.getByRole("button", { name: "Sign in" }).click();
    await heading("The one object is healthy.");
    await page.getByRole("region", { name: "Infrastructure" }).waitFor();
    expect(new URL(page.url()).search).toBe("?q=infra");
    await page.getByText("Your token does not show all objects of: topologyreports.topology.mainstay.dev.").waitFor();
    await page.getByText("Signed in as ada").waitFor();
  });

  test(
    "keeps the token in memory: in no address, no storage, no field, and gone after a reload",
    browsing,
    async () => {
      const { page, heading, addresses } = await signedIn("/");
      const kept = await page.evaluate(
        "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, document.documentElement.outerHTML])",
      );
      expect(kept).not.toContain(viewerToken);
      expect(addresses.length).toBeGreaterThan(0);
      expect(addresses.join("\n")).not.toContain(viewerToken);
      await page.reload();
      await heading("Sign in");
    },
  );

  test("forgets everything when the viewer signs out", browsing, async () => {
    const { page, heading } = await signedIn("/");
    await page.getByRole("button", { name: "Sign out" }).click();
    await heading("Sign in");
    expect(await page.getByText("Infrastructure").count()).toBe(0);
  });

  test("shows that faults exist, and why none can be started here", browsing, async () => {
    const { page } = await signedIn("/faults");
    const start = page.getByRole("button", { name: "Start a fault" });
    await start.waitFor();
    expect(await start.getAttribute("aria-disabled")).toBe("true");
    const reason = (await start.getAttribute("aria-describedby")) ?? "";
    expect(await page.locator(`[id="${reason}"]`).innerText()).toMatch(/Only the demonstration has faults/);
  });
});
