// Each answer about places is kept by itself, for as long as it may be true.

import { beforeEach, describe, expect, test } from "vitest";
import { PlaceAnswers } from "./place-answers.ts";

let answers: PlaceAnswers;
let asked: string[];

beforeEach(() => {
  answers = new PlaceAnswers();
  asked = [];
});

const lookAt = (seconds: number, version = "1") =>
  answers.look({ version, monotonicMs: seconds * 1_000, standsMs: 600_000 });

async function ask(what: string, seconds: number, { isThere = true, version = "1" } = {}): Promise<void> {
  const question = async () => void asked.push(`${what} at ${seconds}`);
  await lookAt(seconds, version).ask(what, question, () => isThere);
}

test("what was answered well is asked for again when its time is over", async () => {
  for (const seconds of [0, 599, 600, 601]) await ask("subnet", seconds);
  expect(asked).toEqual(["subnet at 0", "subnet at 600"]);
});

test("what fails is not kept, and what was answered beside it is", async () => {
  await ask("network", 0);
  const refuse = () => Promise.reject(new Error("403"));
  await expect(lookAt(0).ask("subnet", refuse)).rejects.toThrow("403");
  for (const what of ["network", "subnet"]) await ask(what, 15);
  expect(asked).toEqual(["network at 0", "subnet at 15"]);
});

describe("what is missing", () => {
  const missing = { isThere: false };

  test("is looked for later and later, and after four minutes at the latest", async () => {
    for (let seconds = 0; seconds <= 1_000; seconds += 5) await ask("subnet", seconds, missing);
    expect(asked.map((one) => Number(one.split(" ").at(-1)))).toEqual([0, 15, 45, 105, 225, 465, 705, 945]);
  });

  test("is looked for at once, and soon again, when the object or its credentials change", async () => {
    for (let seconds = 0; seconds <= 300; seconds += 5) await ask("subnet", seconds, missing);
    asked = [];
    for (const seconds of [305, 310, 320]) await ask("subnet", seconds, { ...missing, version: "2" });
    expect(asked).toEqual(["subnet at 305", "subnet at 320"]);
  });

  test("is news once it is found, and everything else is asked for again with it", async () => {
    await ask("network", 0);
    await ask("subnet", 0, missing);
    expect(answers.takeNews()).toBe(false);
    await ask("subnet", 15);
    expect([answers.takeNews(), answers.takeNews()]).toEqual([true, false]);
    for (const what of ["network", "subnet"]) await ask(what, 16);
    expect(asked.slice(-2)).toEqual(["network at 16", "subnet at 16"]);
  });
});

test("a look is as old as the oldest answer that it was given", async () => {
  await ask("network", 0);
  const { ask: askLater, oldestMs } = lookAt(60);
  expect(oldestMs()).toBe(60_000);
  await askLater("network", async () => undefined);
  expect(oldestMs()).toBe(0);
});
