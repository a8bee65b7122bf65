// What a person can do in the dashboard of `mainstay demo`, in a real browser, found by role and label.

import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startTcpProxy } from "../chaos/tcp-proxy.ts";
import { describeLab, labKube } from "../lab.ts";
import { laptop, openSession, patienceMs, phone } from "./browser-session.ts";
import { labChromium } from "./chromium.ts";
import { buildPages, type DemoWorld, startDemoWorld } from "./demo-world.ts";
import { lowContrast, overflowing } from "./page-checks.ts";
import { situationsForPeople } from "./situations-for-people.ts";
import { bluePage, zonesForPeople } from "./zones.ts";

const infrastructure = "/objects/infrastructures.config.openshift.io/cluster";
const healthy = /objects are healthy/;

describeLab("the dashboard of the demonstration", labChromium, ({ launch }) => {
  let browser: Browser;
  let demo: DemoWorld;
  let pages: Awaited<ReturnType<typeof buildPages>>;

  beforeAll(async () => {
    [browser, pages] = await Promise.all([launch(), buildPages()]);
    demo = await startDemoWorld(pages.folder);
  }, 5 * patienceMs);
  afterEach(() => demo.wishFor(null));
  afterAll(async () => {
    await browser?.close();
    await demo?.stop();
    await pages?.remove();
  }, 600_000);

  const person = (options = {}) => openSession(browser, demo.dashboard, options);
  const browsing = { timeout: 2 * patienceMs };

  test("shows at a glance that everything is healthy, who leads and who stands by", browsing, async () => {
    const { page, open, heading, stream } = await person();
    await open("/");
    await heading(healthy);
    await stream("Live");
    await page.getByRole("link", { name: "cluster", exact: true }).first().waitFor();
    const managers = page.getByRole("list", { name: "Managers" }).getByRole("listitem");
    expect((await managers.allInnerTexts()).sort()).toEqual(["Leads manager-1", "Stands by manager-2"]);
  });

  test("shows a change as it happens, without a reload", browsing, async () => {
    const { page, open, heading } = await person();
    await open("/");
    await heading(healthy);
    await page.evaluate("document.title = 'the same page as before'; window.stillHere = true");
    await demo.wishFor("HighlyAvailable");
    await heading(/in progress/);
    await page
      .getByText(/asks for HighlyAvailable/)
      .first()
      .waitFor();
    await demo.wishFor(null);
    await heading(healthy);
    expect(await page.evaluate("window.stillHere")).toBe(true);
  });

  test("leads from an object's address to the why, and from there to the runbook and back", browsing, async () => {
    await demo.wishFor("HighlyAvailable");
    const { page, open, heading } = await person();
    await open(infrastructure);
    await heading("Infrastructure cluster");
    const why = page.getByRole("region", { name: "Why" });
    await why.getByRole("link", { name: "What to do: runbook TransitionPreconditionFailed" }).click();
    await heading("TransitionPreconditionFailed");
    await page.getByRole("heading", { name: "What to do" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/runbooks/TransitionPreconditionFailed");
    await page.goBack();
    await heading("Infrastructure cluster");
    const settled = page
      .getByRole("region", { name: "Conditions" })
      .getByRole("listitem")
      .filter({ hasText: "Settled" });
    expect(await settled.innerText()).toMatch(/False[^]*1 of 3 control-plane nodes/);
    await page.getByRole("region", { name: "Plan of topology" }).getByText("Waiting").first().waitFor();
    await page.getByRole("region", { name: "What happened" }).getByText("Waiting").first().waitFor();
  });

  test("keeps the filters of the plan log in the address", browsing, async () => {
    const { page, open } = await person();
    await open("/plan-log");
    const entries = page.getByRole("list", { name: "Entries" }).getByRole("listitem");
    await entries.first().waitFor();
    await page.getByLabel("Because").selectOption("TopologyEmpty");
    await page.getByLabel("Result").selectOption("Done");
    await page.getByLabel("Words").fill("singlereplica");
    const filtered = async () => {
      expect(new URL(page.url()).search).toBe("?result=done&because=TopologyEmpty&q=singlereplica");
      const texts = await entries.allInnerTexts();
      expect(texts.length).toBeGreaterThan(0);
      for (const text of texts) expect(text).toMatch(/Done[^]*TopologyEmpty[^]*SingleReplica/);
    };
    await filtered();
    await page.reload();
    await entries.first().waitFor();
    await filtered();
    expect(await page.getByLabel("Words").inputValue()).toBe("singlereplica");
    await page.getByRole("link", { name: "Show everything" }).click();
    await expect.poll(() => new URL(page.url()).search).toBe("");
  });

  test("finds objects by words, and says so when none fits", browsing, async () => {
    const { page, open } = await person();
    await open("/?q=topologyreport");
    await page.getByRole("region", { name: "TopologyReport" }).waitFor();
    expect(await page.getByRole("region", { name: "Infrastructure" }).count()).toBe(0);
    await page.getByLabel("Find objects").fill("no such thing");
    await page.getByText("No object fits this filter.").waitFor();
  });

  test("breaks something on request and shows how it heals", { timeout: 4 * patienceMs }, async () => {
    const { page, open, heading } = await person();
    await open("/faults");
    const fault = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Kill the leader" }) });
    await fault.getByLabel("heals after").fill("12");
    await fault.getByRole("button", { name: "Start Kill the leader" }).click();
    await fault.getByText("Active", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Manager", exact: true }).click();
    await heading("Manager");
    const managers = page.getByRole("list", { name: "Managers" });
    await managers.getByText("Stopped").waitFor();
    await managers.getByText("Leads").waitFor();
    await managers.getByText("Stands by").waitFor();
    await page.getByRole("link", { name: "Faults", exact: true }).click();
    await fault.getByText("Not active").waitFor();
    await page.getByRole("link", { name: "Overview", exact: true }).click();
    await heading(healthy);
  });

  test("can be used with the keyboard alone", browsing, async () => {
    const { page, open, heading } = await person();
    await open("/");
    await heading(healthy);
    await page.keyboard.press("Tab");
    const focused = page.locator(":focus");
    expect(await focused.innerText()).toBe("Skip to the content");
    expect(await focused.isVisible()).toBe(true);
    await page.keyboard.press("Tab");
    expect(await focused.innerText()).toBe("Mainstay");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    expect(await focused.innerText()).toBe("Plan log");
    const ring = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
    expect(ring).toBe("solid");
    await page.keyboard.press("Enter");
    await heading("Plan log");
    await expect.poll(() => focused.innerText()).toBe("Plan log");
    await page.keyboard.press("Tab");
    await page.keyboard.type("publish");
    await expect.poll(() => new URL(page.url()).search).toBe("?q=publish");
    // A filter does not take the focus away.
    await page.keyboard.type(" status");
    await expect.poll(() => page.getByLabel("Words").inputValue()).toBe("publish status");
  });

  test("can be driven to a runbook, a theme and a fault with the keyboard alone", {
    timeout: 4 * patienceMs,
  }, async () => {
    const { page, open, heading } = await person();
    const focused = page.locator(":focus");
    /** As somebody does who cannot point: on until the thing is there. */
    const tabTo = async (what: RegExp) => {
      for (let step = 0; step < 60; step += 1) {
        await page.keyboard.press("Tab");
        const name = await page.evaluate<string>(
          "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent",
        );
        if (what.test(name)) return;
      }
      expect.fail(`Tab never came to ${what}`);
    };
    await demo.wishFor("HighlyAvailable");
    await open("/");
    await heading(/in progress/);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await focused.evaluate((element) => element.tagName)).toBe("MAIN");
    await tabTo(/^cluster$/);
    await page.keyboard.press("Enter");
    await heading(/cluster$/);
    await tabTo(/^What to do: runbook/);
    await page.keyboard.press("Enter");
    await heading("TransitionPreconditionFailed");
    await demo.wishFor(null);
    await page.keyboard.press("Shift+Tab");
    await open("/faults");
    await heading("Faults");
    await tabTo(/^Theme$/);
    await page.keyboard.press("d");
    await expect.poll(() => page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await tabTo(/^Start Slow calls$/);
    await page.keyboard.press("Enter");
    const fault = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Slow calls" }) });
    await fault.getByText("Active", { exact: true }).waitFor();
    // The button stays under the finger: it stops now what it started.
    expect(await focused.textContent()).toBe("Stop Slow calls");
    await page.keyboard.press("Enter");
    await fault.getByText("Not active").waitFor();
  });

  const everyPage = [
    "/",
    infrastructure,
    bluePage,
    "/plan-log",
    "/manager",
    "/faults",
    "/runbooks",
    "/runbooks/TopologyDrift",
  ];
  const looks = [phone, laptop].flatMap((viewport) =>
    (["light", "dark"] as const).map(
      (colorScheme) => [`${viewport.width} pixels, ${colorScheme}`, viewport, colorScheme] as const,
    ),
  );
  test.each(looks)(
    "fits and can be read on every page: %s",
    { timeout: 3 * patienceMs },
    async (_look, viewport, colorScheme) => {
      await demo.wishFor("HighlyAvailable");
      const { page, open, stream } = await person({ viewport, colorScheme, hasTouch: viewport === phone });
      for (const path of everyPage) {
        await open(path);
        await stream("Live");
        await page.getByRole("heading", { level: 1 }).waitFor();
        expect([path, await page.evaluate(overflowing)]).toEqual([path, []]);
        expect([path, await page.evaluate(lowContrast)]).toEqual([path, []]);
        await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Runbooks" }).waitFor();
      }
    },
  );

  test("is dark where the system is, and as chosen from then on", browsing, async () => {
    const { page, open, heading } = await person({ colorScheme: "dark" });
    await open("/");
    await heading(healthy);
    const ground = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    const brightness = async () => Number(/\d+/.exec(await ground())?.[0]);
    expect(await brightness()).toBeLessThan(60);
    await page.getByLabel("Theme").selectOption("Light");
    expect(await brightness()).toBeGreaterThan(200);
    await page.reload();
    await heading(healthy);
    expect(await brightness()).toBeGreaterThan(200);
  });

  test("says since when it is stale after a cut, and catches up by itself", { timeout: 3 * patienceMs }, async () => {
    const proxy = await startTcpProxy({ host: "127.0.0.1", port: Number(new URL(demo.dashboard).port) });
    try {
      const { page, heading, stream, open } = await openSession(browser, `http://127.0.0.1:${proxy.port}`);
      await open("/");
      await heading(healthy);
      await proxy.refuse();
      await stream("Stale");
      const banner = page.getByRole("alert");
      await banner.getByText(/What you see is stale since \d\d:\d\d:\d\d/).waitFor();
      await heading(/^Stale since \d\d:\d\d:\d\d: health is unknown\.$/);
      await demo.wishFor("HighlyAvailable");
      await proxy.listenAgain();
      await banner
        .getByRole("button", { name: "Try now" })
        .click({ timeout: 2_000 })
        .catch(() => undefined);
      await stream("Live");
      await heading(/in progress/);
      expect(await page.getByRole("alert").count()).toBe(0);
    } finally {
      await proxy.close();
    }
  });

  test("moves nothing under the reader's eyes while it loads", browsing, async () => {
    const { page, open, heading } = await person();
    await page.addInitScript(
      "window.shifted = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shifted += entry.value; }).observe({ type: 'layout-shift', buffered: true });",
    );
    const shifted = () => page.evaluate("window.shifted");
    await open("/");
    await heading(healthy);
    expect(await shifted()).toBeLessThan(0.05);
    await open(infrastructure);
    await page.getByRole("region", { name: "What happened" }).waitFor();
    expect(await shifted()).toBeLessThan(0.05);
  });

  test("says so, once, when an address leads nowhere or an object is not there", browsing, async () => {
    const { page, open, heading } = await person();
    await open("/nowhere");
    await heading("Nothing is here");
    await open("/objects/infrastructures.config.openshift.io/no.such.object");
    await page.getByRole("alert").getByText("There is no such object, or you may not see it.").waitFor();
    const words = await page.getByRole("main").innerText();
    expect(words.match(/may not see/g)).toHaveLength(1);
  });

  test("says that health is unknown, and since when, while the API server is away", {
    timeout: 4 * patienceMs,
  }, async () => {
    const { page, open, heading, stream } = await person();
    await open("/");
    await heading(healthy);
    const fault = await demo.fault("api-server-away", 300);
    try {
      await heading(/^Stale since \d\d:\d\d:\d\d: health is unknown\.$/);
      await stream("Stale");
      expect(await page.getByRole("main").innerText()).not.toMatch(healthy);
      await page.getByRole("link", { name: "cluster", exact: true }).first().click();
      await heading("Infrastructure cluster");
      await page.getByText(/Stale since \d\d:\d\d:\d\d: health is unknown/).waitFor();
      await page.getByText("Last seen:").waitFor();
      await page.goBack();
    } finally {
      await fault.stop();
    }
    await heading(healthy);
    await stream("Live");
  });

  test("shows what is refused, with the reason and its runbook", browsing, async () => {
    const { page, open, heading } = await person();
    await open(infrastructure);
    await heading("Infrastructure cluster");
    try {
      await demo.publish("HighlyAvailable");
      const why = page.getByRole("region", { name: "Why" });
      await why.getByRole("link", { name: /^What to do: runbook Topology(Edited|Drift)$/ }).waitFor();
      await page.getByRole("main").getByText("Refused", { exact: true }).first().waitFor();
    } finally {
      await demo.publish("SingleReplica");
    }
    await page.getByRole("main").getByText("Everything is as it should be.").waitFor();
  });

  test("shows a new entry of the plan log as it is written, with its because", browsing, async () => {
    const { page, open } = await person();
    await open("/plan-log?because=TransitionPreconditionFailed");
    await page.getByRole("heading", { level: 1, name: "Plan log" }).waitFor();
    const entries = page.getByRole("list", { name: "Entries" }).getByRole("listitem");
    const before = await entries.count();
    await demo.wishFor("HighlyAvailable");
    await expect.poll(() => entries.count(), { timeout: patienceMs }).toBeGreaterThan(before);
    expect(await entries.first().innerText()).toMatch(/Waiting[^]*because[^]*TransitionPreconditionFailed/);
  });

  test("offers no older entries where there are none", browsing, async () => {
    const { page, open, stream } = await person();
    await open("/plan-log");
    await stream("Live");
    await page.getByRole("list", { name: "Entries" }).getByRole("listitem").first().waitFor();
    expect(await page.getByRole("button", { name: "Show older entries" }).count()).toBe(0);
  });

  test.each([
    ["/", healthy],
    [infrastructure, "Infrastructure cluster"],
    [bluePage, "OpenStackCluster default/blue"],
    ["/plan-log?result=done", "Plan log"],
    ["/manager", "Manager"],
    ["/faults", "Faults"],
    ["/runbooks", "Runbooks"],
    ["/runbooks/TopologyDrift", "TopologyDrift"],
  ] as const)(
    "is the same view again at %s after a reload, in a new tab, and after going back",
    browsing,
    async (path, title) => {
      const { page, open, heading } = await person();
      await open(path);
      await heading(title);
      await page.reload();
      await heading(title);
      await page
        .getByRole("navigation", { name: "Pages" })
        .getByRole("link", { name: path === "/manager" ? "Plan log" : "Manager" })
        .click();
      await heading(path === "/manager" ? "Plan log" : "Manager");
      await page.goBack();
      await heading(title);
      const { pathname, search } = new URL(page.url());
      expect(`${pathname}${search}`).toBe(path);
    },
  );

  test("keeps health and words of the overview in the address", browsing, async () => {
    const { page, open, heading } = await person();
    await demo.wishFor("HighlyAvailable");
    await open("/");
    await heading(/in progress/);
    const counts = page.getByRole("navigation", { name: /health/i });
    await counts.getByRole("link", { name: /In progress/ }).click();
    await page.getByLabel("Find objects").fill("report");
    await expect.poll(() => new URL(page.url()).search).toBe("?health=in-progress&q=report");
    const restored = async () => {
      await page.getByRole("region", { name: "TopologyReport" }).waitFor();
      expect(await page.getByRole("region", { name: "Infrastructure" }).count()).toBe(0);
      expect(await counts.getByRole("link", { name: /In progress/ }).getAttribute("aria-current")).toBe("true");
      expect(await page.getByLabel("Find objects").inputValue()).toBe("report");
    };
    await restored();
    await page.reload();
    await restored();
  });

  test("finds runbooks by words, in the address too, by job and with the most severe first", browsing, async () => {
    const { page, open } = await person();
    await open("/runbooks");
    const ofEndpoint = page.getByRole("region", { name: "api-endpoint" }).getByRole("listitem");
    await ofEndpoint.first().getByText("Error", { exact: true }).waitFor();
    await page.getByLabel("Find runbooks").fill("topology drift");
    await expect.poll(() => new URL(page.url()).search).toBe("?q=topology+drift");
    await page.getByRole("region", { name: "topology" }).getByRole("link", { name: "TopologyDrift" }).waitFor();
    expect(await page.getByRole("region", { name: "api-endpoint" }).count()).toBe(0);
    await page.reload();
    await page.getByRole("region", { name: "topology" }).getByRole("link", { name: "TopologyDrift" }).waitFor();
  });

  test("shows an object as YAML to copy, and leads to objects that it was decided from", browsing, async () => {
    const { page, open, heading } = await person({ permissions: ["clipboard-read", "clipboard-write"] });
    await open(bluePage);
    const yaml = page.getByRole("region", { name: "YAML" });
    await yaml.getByRole("button", { name: "Show" }).click();
    await yaml.getByText("kind: OpenStackCluster").waitFor();
    await yaml.getByRole("button", { name: "Copy" }).click();
    await yaml.getByText("Copied.").waitFor();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toMatch(/^apiVersion: infrastructure[^]*kind: OpenStackCluster[^]*name: blue/);
    expect(copied).not.toContain("managedFields");
    await page
      .getByRole("region", { name: "Related objects" })
      .getByRole("link", { name: "Machine default/blue-az1", exact: true })
      .click();
    await heading("Machine default/blue-az1");
    await page.getByText("Mainstay reads this object and does not change it.").waitFor();
  });

  test("folds conditions that are as they should be into one line, and opens it on request", browsing, async () => {
    const { page, open } = await person();
    await open(bluePage);
    const conditions = page.getByRole("region", { name: "Conditions" });
    await conditions.getByText(/^All \d as they should be$/).waitFor();
    expect(await conditions.getByRole("listitem").count()).toBe(0);
    await conditions.getByText(/^All \d as they should be$/).click();
    expect(await conditions.getByRole("listitem").count()).toBeGreaterThan(5);
  });

  zonesForPeople(() => demo, person);
  situationsForPeople(() => demo, person);

  describeLab("with kubectl in another terminal", labKube, ({ kubectl }) => {
    test("shows what kubectl changed, live", browsing, async () => {
      const { page, open, heading } = await person();
      await open("/");
      await heading(healthy);
      const patch = '{"spec":{"controlPlaneTopology":"HighlyAvailable"}}';
      await promisify(execFile)(kubectl, ["patch", "infrastructure", "cluster", "--type=merge", "-p", patch], {
        // kubectl keeps a cache at home; the demonstration takes this one with it.
        env: { PATH: process.env["PATH"], HOME: dirname(demo.kubeconfig), KUBECONFIG: demo.kubeconfig },
      });
      await heading(/in progress/);
      await page.getByRole("list").getByText("TransitionPreconditionFailed").first().waitFor();
    });
  });
});
