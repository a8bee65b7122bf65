// What a person meets in a cluster, where the dashboard wants a token and changes nothing.

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeLab } from "../lab.ts";
import { openSession, patienceMs } from "./browser-session.ts";
import { labChromium } from "./chromium.ts";
import { type ClusterWorld, startClusterWorld, viewerToken } from "./cluster-world.ts";
import { buildPages } from "./demo-world.ts";

describeLab("the dashboard in a cluster", labChromium, ({ launch }) => {
  let browser: Browser;
  let cluster: ClusterWorld;
  let pages: Awaited<ReturnType<typeof buildPages>>;

  beforeAll(async () => {
    [browser, pages] = await Promise.all([launch(), buildPages()]);
    cluster = await startClusterWorld(pages.folder);
  }, 5 * patienceMs);
  afterAll(async () => {
    await browser?.close();
    await cluster?.stop();
    await pages?.remove();
  }, 600_000);

  const browsing = { timeout: 2 * patienceMs };
  const signedIn = async (path: string, dashboard = cluster.dashboard) => {
    const person = await openSession(browser, dashboard);
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
    const { page, open, heading } = await openSession(browser, cluster.dashboard);
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
    await page
      .getByText(/^Not shown: your token may not list all objects of .*\btopologyreports\.topology\.mainstay\.dev\b/)
      .waitFor();
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

  test("has no faults to start: no way leads there, and the address says so", browsing, async () => {
    const { page, heading } = await signedIn("/faults");
    await heading("No faults here");
    await page.getByText("Only the demonstration (mainstay demo) has faults to start.").waitFor();
    const pages = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
    expect(await pages.allInnerTexts()).toEqual(["Overview", "Plan log", "Manager", "Runbooks"]);
    expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
  });

  test("says on a standby that it is one, who leads, and how to get there", browsing, async () => {
    const standby = await startClusterWorld(pages.folder, { leader: "mainstay-7d9c-x2v_5f0c" });
    try {
      const person = await signedIn("/", standby.dashboard);
      const note = person.page.getByRole("region", { name: "Standby" });
      await note.getByText("This is a standby.").waitFor();
      expect(await note.innerText()).toMatch(/leader, mainstay-7d9c-x2v\b[^]*port-forward pod\/mainstay-7d9c-x2v 8081/);
      await person.page
        .getByText(/is a standby: it shows every object and plans nothing. mainstay-7d9c-x2v leads\./)
        .waitFor();
      await person.page.getByRole("link", { name: "Plan log", exact: true }).click();
      await person.heading("Plan log");
      await person.page.getByText("This replica is a standby and plans nothing; the leader has the log.").waitFor();
    } finally {
      await standby.stop();
    }
  });
});
