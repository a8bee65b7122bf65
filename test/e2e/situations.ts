// The five situations that a person should understand at a glance, and how the demonstration is brought into each of them.

import type { Page } from "playwright-core";
import type { DemoWorld } from "./demo-world.ts";

export interface Situation {
  readonly name: string;
  /** What the picture says people can reach. */
  readonly reach: string | RegExp;
  /** What else is in the picture when the situation is complete, and how often it stands there. */
  readonly words: Readonly<Record<string, number>>;
  /** Somebody has to look at it: the tab's title counts it. */
  readonly isSick: boolean;
  /** What is wrong or under way, as the page begins, and its reason. Absent: nothing is. */
  readonly cause?: { readonly headline: RegExp; readonly reason: string };
  /** With members of all zones behind every balancer. */
  readonly crossZone: boolean;
  readonly fault?: string;
}

const all = "The API answers through az1, az2 and az3.";
const two = "The API answers through az1 and az3, not through az2.";

export const situations: readonly Situation[] = [
  { name: "healthy", reach: all, words: { serves: 3 }, isSick: false, crossZone: false },
  {
    name: "zone-dark",
    reach: two,
    words: { "left out of DNS": 1, "does not answer": 1, serves: 2 },
    cause: {
      headline: /az2: 0 of 1 machine answers \(blue-az2 does not\)\. You have to act: /,
      reason: "MembersUnhealthy",
    },
    isSick: true,
    crossZone: false,
    fault: "zone-dark",
  },
  {
    name: "zone-dark-cross-zone",
    reach: two,
    words: { "left out of DNS": 1, "2 of 3 machines answer": 2 },
    cause: {
      headline:
        /az2: the zone seems to be down as a whole: .* its machine blue-az2 does not answer\. You have to act: /,
      reason: "ZoneDown",
    },
    isSick: true,
    crossZone: true,
    fault: "zone-dark",
  },
  {
    name: "balancer-rebuilt",
    reach: two,
    words: { "is being made again": 1, "waits for its balancer": 1, "left out of DNS": 1, serves: 2 },
    cause: {
      headline: /az2: its load balancer \(\S+\) was gone from Octavia at .*Z\. Mainstay acts by itself/,
      reason: "LoadBalancerLost",
    },
    isSick: true,
    crossZone: false,
    fault: "balancer-deleted",
  },
  {
    name: "cloud-away",
    reach: /not known: az1, az2 and az3 could not be seen\. Load balancers normally go on serving without Mainstay/,
    words: { "could not be seen": 6 },
    cause: {
      headline: /The cloud does not answer \(Octavia\).*\. Mainstay waits and goes on by itself/,
      reason: "OpenStackUnreachable",
    },
    isSick: true,
    crossZone: false,
    fault: "cloud-away",
  },
];

/** It is ended when the test has seen it: a busy machine may take long. */
const longSeconds = 3_600;

/** Answers with the way out of it. */
export async function enter(demo: DemoWorld, { crossZone, fault }: Situation): Promise<() => Promise<void>> {
  await demo.crossZone(crossZone);
  const broken = fault === undefined ? undefined : await demo.fault(fault, longSeconds);
  return async () => {
    await broken?.stop();
    await demo.crossZone(false);
  };
}

/** Waits until the picture of the page shows the situation as it is when nothing more happens. */
export async function pictureOf(page: Page, { reach, words }: Situation): Promise<void> {
  const picture = page.getByRole("region", { name: "At a glance" });
  await picture.getByText(reach).waitFor();
  for (const [word, times] of Object.entries(words)) {
    const visible = picture.getByText(word, { exact: true }).filter({ visible: true });
    await visible.nth(times - 1).waitFor();
    await visible.nth(times).waitFor({ state: "detached" });
  }
}
