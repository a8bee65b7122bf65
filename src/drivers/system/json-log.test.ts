import { expect, test } from "vitest";
import { jsonLog, type LogLevel } from "./json-log.ts";

function lines(level: LogLevel, use: (log: ReturnType<typeof jsonLog>) => void): readonly Record<string, unknown>[] {
  const written: string[] = [];
  use(jsonLog({ level, to: { write: (line) => void written.push(line) } }));
  return written.map((line) => JSON.parse(line));
}

test("a line has its level in words, its time, its message and its data", () => {
  const [line] = lines("info", (log) => log.info("address announced", { address: "192.0.2.7" }));
  expect(line).toMatchObject({ level: "info", msg: "address announced", address: "192.0.2.7" });
  expect(new Date(String(line?.["time"])).toISOString()).toBe(line?.["time"]);
});

test("lines below the level are left out", () => {
  const written = lines("warn", (log) => {
    log.debug("a");
    log.info("b");
    log.warn("c");
    log.error("d");
  });
  expect(written.map(({ level, msg }) => [level, msg])).toEqual([
    ["warn", "c"],
    ["error", "d"],
  ]);
});

test("a log made with data puts it on every line, and leaves its parent as it was", () => {
  const written = lines("info", (log) => {
    const inner = log.with({ controller: "topology" }).with({ key: "cluster" });
    inner.info("a", { attempt: 1 });
    log.info("b");
  });
  expect(written[0]).toMatchObject({ controller: "topology", key: "cluster", attempt: 1 });
  expect(written[1]).not.toHaveProperty("controller");
});

test("an error in the data keeps its type, its message and its cause", () => {
  const [line] = lines("info", (log) =>
    log.error("reconcile failed", { error: new TypeError("outer", { cause: new Error("inner") }) }),
  );
  expect(line?.["error"]).toMatchObject({ type: "TypeError", message: expect.stringMatching(/^outer.*inner/) });
});

test("no name stands twice in a line, so a reader loses neither the message nor the data", () => {
  const data = { message: "Infrastructure/cluster: forbidden", msg: 1, level: 2, time: 3 };
  const [first, second] = lines("info", (log) => {
    log.error("reconcile failed", data);
    log.with(data).error("reconcile failed");
  });
  for (const line of [first, second])
    expect(line).toMatchObject({
      level: "error",
      msg: "reconcile failed",
      message: "Infrastructure/cluster: forbidden",
      data_msg: 1,
      data_level: 2,
      data_time: 3,
    });
});
