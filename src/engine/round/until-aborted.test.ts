import { expect, test } from "vitest";
import { untilAborted } from "./until-aborted.ts";

function bench(work: Promise<unknown>) {
  const abort = new AbortController();
  const stragglers: Promise<unknown>[] = [];
  return { abort, stragglers, waiting: untilAborted(work, abort.signal, (straggler) => stragglers.push(straggler)) };
}

test("settles as the work does, and what ended in time is no straggler", async () => {
  const done = bench(Promise.resolve("done"));
  const failed = bench(Promise.reject(new TypeError("broken")));
  expect(await done.waiting).toBe("done");
  await expect(failed.waiting).rejects.toThrow(new TypeError("broken"));
  for (const { abort, stragglers } of [done, failed]) {
    abort.abort();
    expect(stragglers).toEqual([]);
  }
});

test("ends at once when the signal aborts, with its reason; the straggler never rejects", async () => {
  let fail: (error: Error) => void = () => {};
  const { abort, stragglers, waiting } = bench(new Promise((_resolve, reject) => (fail = reject)));
  abort.abort(new RangeError("too late"));
  await expect(waiting).rejects.toThrow(new RangeError("too late"));
  expect(stragglers).toHaveLength(1);
  fail(new Error("in vain"));
  await expect(stragglers[0]).resolves.toBeUndefined();
});

test("does not wait at all for a signal that has aborted before, and still tells of the work", async () => {
  const abort = new AbortController();
  abort.abort("no error");
  const stragglers: unknown[] = [];
  const waiting = untilAborted(new Promise(() => {}), abort.signal, (straggler) => stragglers.push(straggler));
  await expect(waiting).rejects.toMatchObject({ message: "aborted", cause: "no error" });
  expect(stragglers).toHaveLength(1);
});
