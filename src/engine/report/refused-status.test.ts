import { beforeEach, expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/virtual-clock.ts";
import { configMaps } from "../../apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { KubeError, type KubeErrorCode } from "../../core/kube-error.ts";
import type { Kube } from "../../ports/kube.ts";
import { seededRandom } from "../../sim/time/seeded-random.ts";
import { RefusedStatus } from "./refused-status.ts";

const minuteMs = 60_000;
const object: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "one", namespace: "a" } };
let clock: VirtualClock;
let refused: RefusedStatus;
let code: KubeErrorCode | undefined;
let sent: number[];

beforeEach(() => {
  clock = new VirtualClock();
  refused = new RefusedStatus({ clock, random: seededRandom(1) });
  code = "Forbidden";
  sent = [];
});

const server = {
  apply: () => {
    sent.push(clock.monotonicMs());
    return code === undefined ? Promise.resolve(object) : Promise.reject(new KubeError({ code, message: "no" }));
  },
} as unknown as Kube;

const write = () => refused.pacing("k", server).apply(configMaps, object, { fieldManager: "test" });

async function writeEveryFiveSeconds(forMs: number): Promise<void> {
  for (const endsMs = clock.monotonicMs() + forMs; clock.monotonicMs() < endsMs; await clock.advance(5_000))
    await write().catch(() => undefined);
}

test("status that is refused is sent again at once a few times, and then later and later, up to five minutes", async () => {
  await writeEveryFiveSeconds(60 * minuteMs);
  expect(sent.slice(0, 3)).toEqual([0, 5_000, 10_000]);
  expect(sent.length).toBeLessThanOrEqual(26);
  const pauses = sent.slice(1).map((at, index) => at - (sent[index] ?? 0));
  expect(Math.min(...pauses.slice(8))).toBeGreaterThanOrEqual(2.5 * minuteMs);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(5 * minuteMs + 5_000);
});

test("while it waits the refusal is said in its own words, and rounds go on", async () => {
  for (let times = 0; times < 3; times += 1) await expect(write()).rejects.toMatchObject({ code: "Forbidden" });
  await expect(write()).rejects.toMatchObject({ code: "Forbidden", message: "no", reason: "PermissionDenied" });
  const { retryAfterMs = 0 } = (await write().catch((error: unknown) => error)) as KubeError;
  expect(retryAfterMs).toBeGreaterThanOrEqual(10_000);
  expect(sent).toHaveLength(3);
  await writeEveryFiveSeconds(30 * minuteMs);
  while (sent.at(-1) !== clock.monotonicMs()) {
    await clock.advance(5_000);
    await write().catch(() => undefined);
  }
  expect(await write().catch((error: unknown) => error)).toMatchObject({ retryAfterMs: 30_000 });
});

test("the first one that is taken ends it", async () => {
  await writeEveryFiveSeconds(30 * minuteMs);
  code = undefined;
  await writeEveryFiveSeconds(7 * minuteMs);
  expect([...refused.keys()]).toEqual([]);
  expect((await write()).metadata.name).toBe("one");
});

test.each(["Conflict", "ServerError", "Unreachable"] as const)(
  "%s is no refusal, and waits for nothing",
  async (other) => {
    code = other;
    await writeEveryFiveSeconds(minuteMs);
    expect(sent).toHaveLength(12);
  },
);
