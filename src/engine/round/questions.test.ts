import { expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/virtual-clock.ts";
import { inTime } from "./in-time.ts";
import { Questions } from "./questions.ts";

/** A service that answers when the test says so. */
class Service {
  readonly clock = new VirtualClock();
  readonly questions = new Questions<string>();
  readonly waiting: { readonly answer: (text: string) => void; readonly fail: () => void }[] = [];

  async ask(about = "as it is", id = "a"): Promise<string> {
    await this.clock.settle();
    const question = {
      about,
      ask: () =>
        new Promise<string>((answer, reject) => {
          this.waiting.push({ answer, fail: () => reject(new Error("away")) });
        }),
    };
    const { clock } = this;
    const asking = { monotonicMs: clock.monotonicMs(), inTime: <T>(answer: Promise<T>) => inTime(answer, clock) };
    const asked = this.questions.ask(id, question, asking).then(
      (answered) => (answered === "awaited" ? answered : answered.value),
      (error: unknown) => (error as Error).message,
    );
    await clock.advance(3_000);
    return await asked;
  }
}

test("an answer that is late is taken by whoever asks next, and nobody asks twice meanwhile", async () => {
  const service = new Service();
  expect([await service.ask(), await service.ask()]).toEqual(["awaited", "awaited"]);
  service.waiting[0]?.answer("here");
  await service.clock.settle();
  expect(service.questions.hasAnswers).toBe(true);
  expect([await service.ask(), service.waiting.length, service.questions.hasAnswers]).toEqual(["here", 1, false]);
});

test("an answer about another state is not taken: it is asked for again", async () => {
  const service = new Service();
  await service.ask("before");
  service.waiting[0]?.answer("old");
  expect([await service.ask("after"), service.waiting.length]).toEqual(["awaited", 2]);
});

test("an answer to what was asked before a change is not taken", async () => {
  const service = new Service();
  await service.ask();
  await service.ask("as it is", "b");
  service.questions.outdate("a");
  for (const { answer } of service.waiting) answer("old");
  expect([await service.ask(), await service.ask("as it is", "b")]).toEqual(["awaited", "old"]);
});

test("an answer that comes in time, but after a change, is older than everything", async () => {
  const { questions } = new Service();
  const asked = questions.ask("a", { about: "as it is", ask: async () => "old" }, { monotonicMs: 5 });
  questions.outdate("a");
  expect(await asked).toEqual({ value: "old", askedMs: Number.NEGATIVE_INFINITY });
});

test("a failure is said until there is an answer, also while the next question is awaited", async () => {
  const service = new Service();
  expect(await service.ask()).toBe("awaited");
  service.waiting[0]?.fail();
  expect([await service.ask(), await service.ask(), await service.ask()]).toEqual(["away", "away", "away"]);
  service.waiting[1]?.answer("here");
  expect([await service.ask(), await service.ask()]).toEqual(["here", "here"]);
});

/** Asked for and taken three seconds later, with the next question under way. */
async function answeredLate(): Promise<Service> {
  const service = new Service();
  await service.ask();
  service.waiting[0]?.answer("here");
  expect([await service.ask(), service.waiting.length]).toEqual(["here", 1]);
  expect([await service.ask(), service.waiting.length]).toEqual(["here", 2]);
  return service;
}

test("an answer that came late stands while the next one is under way", async () => {
  const service = await answeredLate();
  service.waiting[1]?.answer("newer");
  expect([await service.ask(), service.waiting.length]).toEqual(["newer", 2]);
});

test("it stands for three times what it took, and no longer", async () => {
  const service = await answeredLate();
  expect([await service.ask(), await service.ask()]).toEqual(["here", "awaited"]);
});

test("it does not stand for another state, after a change, or once the next one has failed", async () => {
  expect(await (await answeredLate()).ask("after")).toBe("awaited");
  for (const id of ["a", undefined]) {
    const changed = await answeredLate();
    changed.questions.outdate(id);
    expect(await changed.ask()).toBe("awaited");
  }
  const failed = await answeredLate();
  failed.waiting[1]?.fail();
  expect([await failed.ask(), await failed.ask()]).toEqual(["away", "away"]);
});

test("nothing is kept of what nobody asks about any more", async () => {
  const service = new Service();
  await service.ask();
  service.questions.retain(new Set());
  service.waiting[0]?.answer("late");
  await service.clock.settle();
  expect(service.questions.hasAnswers).toBe(false);
});
