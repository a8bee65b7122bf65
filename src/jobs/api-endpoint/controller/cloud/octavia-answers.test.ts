import { expect, test } from "vitest";
import { OctaviaAnswers } from "./octavia-answers.ts";

interface Waiting {
  readonly resolve: (version: readonly [number, number]) => void;
  readonly reject: (error: Error) => void;
}

/** An Octavia that answers when the test says so, with the minor version that the test says. */
function slowOctavia() {
  const waiting: Waiting[] = [];
  const answers = new OctaviaAnswers();
  const octavia = {
    version: () =>
      new Promise<readonly [number, number]>((resolve, reject) => {
        waiting.push({ resolve, reject });
      }),
    listProviders: async () => [],
    listFlavors: async () => [],
    listAvailabilityZones: async () => [],
  };
  const minor = async (monotonicMs = 0, signal = new AbortController().signal, sharingKey = "one") => {
    const said = await answers.get({ octavia, sharingKey, monotonicMs, call: { signal } });
    return said === "awaited" ? said : said.version[1];
  };
  const answer = (question: number, value: number) => waiting[question]?.resolve([2, value]);
  const fail = (question: number) => waiting[question]?.reject(new Error("away"));
  return { answers, minor, answer, fail, asked: () => waiting.length };
}

test("those who ask while a question is on its way share its answer", async () => {
  const { minor, answer, asked } = slowOctavia();
  const both = Promise.all([minor(), minor(5)]);
  answer(0, 26);
  expect(await both).toEqual([26, 26]);
  expect(await minor(10)).toBe(26);
  expect(asked()).toBe(1);
});

test("a question that failed fails for all who waited, and is asked again by the next", async () => {
  const { minor, answer, fail, asked } = slowOctavia();
  const both = Promise.allSettled([minor(), minor()]);
  fail(0);
  expect((await both).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  const next = minor();
  answer(1, 26);
  expect(await next).toBe(26);
  expect(asked()).toBe(2);
});

test("a question that failed for others' credentials is asked again with one's own", async () => {
  const { minor, answer, fail, asked } = slowOctavia();
  const theirs = minor().catch(String);
  const ours = minor(0, undefined, "another");
  fail(0);
  expect(await theirs).toBe("Error: away");
  answer(1, 26);
  expect([await ours, asked()]).toEqual([26, 2]);
});

test("one who is stopped while asking stops nobody else", async () => {
  const { minor, answer, fail } = slowOctavia();
  const stop = new AbortController();
  const first = minor(0, stop.signal).catch(String);
  const others = Promise.all([minor(), minor()]);
  stop.abort();
  fail(0);
  expect(await first).toBe("Error: away");
  await Promise.resolve();
  answer(1, 26);
  expect(await others).toEqual([26, 26]);
});

test("an answer that was asked for at an earlier revision does not count, even when it comes last", async () => {
  const { answers, minor, answer, asked } = slowOctavia();
  const before = minor();
  answers.outdate(1);
  const after = minor();
  expect(asked()).toBe(2);
  answer(1, 27);
  expect(await after).toBe(27);
  answer(0, 26);
  expect(await before).toBe(26);
  expect(answers.revision).toBe(1);
  expect(await minor()).toBe(27);
  answers.outdate(2);
  expect(answers.revision).toBe(1);
});

test("an answer counts for an hour, and is then asked for again", async () => {
  const { minor, answer, asked } = slowOctavia();
  const first = minor(1_000);
  answer(0, 26);
  expect(await first).toBe(26);
  expect(await minor(3_600_999)).toBe(26);
  expect(asked()).toBe(1);
  const later = minor(3_601_000);
  expect(asked()).toBe(2);
  answer(1, 27);
  expect(await later).toBe(27);
});

test("while a slow one is asked again the last answer stands, and where there is none nothing is known", async () => {
  const { answers, minor, answer } = slowOctavia();
  const late = { sharingKey: "one", monotonicMs: 3_600_000, call: {}, inTime: async () => undefined };
  const octavia = {
    version: () => new Promise<readonly [number, number]>(() => undefined),
    listProviders: async () => [],
    listFlavors: async () => [],
    listAvailabilityZones: async () => [],
  };
  expect(await new OctaviaAnswers().get({ ...late, octavia })).toBe("awaited");
  const first = minor();
  answer(0, 26);
  await first;
  expect(await answers.get({ ...late, octavia })).toMatchObject({ version: [2, 26] });
});

test.each<readonly [readonly [number, number], flavors: number, zones: number]>([
  [[1, 26], 0, 0],
  [[2, 5], 0, 0],
  [[2, 6], 1, 0],
  [[2, 13], 1, 0],
  [[2, 14], 1, 1],
  [[2, 26], 1, 1],
  [[3, 0], 1, 1],
])("version %j is asked for what it has: %i flavors, %i enabled zones", async (version, flavors, zones) => {
  const octavia = {
    version: async () => version,
    listProviders: async () => ["amphora"],
    listFlavors: async () => [{ id: "f", name: "small", enabled: true }],
    listAvailabilityZones: async () => [
      { name: "az1", enabled: true },
      { name: "az2", enabled: false },
    ],
  };
  const said = await new OctaviaAnswers().get({ octavia, sharingKey: "one", monotonicMs: 0, call: {} });
  if (said === "awaited") throw new Error("it was answered");
  expect([said.providers, said.flavors.length, said.availabilityZones]).toEqual([
    ["amphora"],
    flavors,
    ["az1"].slice(0, zones),
  ]);
});
