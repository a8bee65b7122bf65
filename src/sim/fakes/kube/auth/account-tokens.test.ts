import { expect, test } from "vitest";
import { VirtualClock } from "../../../../../test/support/virtual-clock.ts";
import { seededRandom } from "../../../time/seeded-random.ts";
import { AccountTokens, issuer } from "./account-tokens.ts";

const request = { namespace: "here", name: "robot", uid: "1", audiences: [issuer] };

test("a token is good until its time is over, give or take the minute by which clocks may differ", async () => {
  const clock = new VirtualClock();
  const tokens = new AccountTokens({ clock, random: seededRandom(1), uidOf: () => "1" });
  const { token, expiresMs } = tokens.issue({ ...request, lastsSeconds: 600 });
  expect(expiresMs - clock.nowMs()).toBeLessThanOrEqual(600_000);
  await clock.advance(600_000);
  expect(tokens.check(token, [issuer])).toMatchObject({ user: { username: "system:serviceaccount:here:robot" } });
  await clock.advance(60_001);
  expect(tokens.check(token, [issuer])).toEqual({ problem: "service account token has expired" });
  // Another request sweeps it out; it is no better for that.
  tokens.issue({ ...request, lastsSeconds: 600 });
  expect(tokens.check(token, [issuer])).toBeUndefined();
});

test("no two tokens are the same, and one that was altered is nobody's", () => {
  const tokens = new AccountTokens({ clock: new VirtualClock(), random: seededRandom(1), uidOf: () => "1" });
  const [one, two] = [1, 2].map(() => tokens.issue({ ...request, lastsSeconds: 600 }).token);
  expect(one).not.toBe(two);
  expect(tokens.check(`${one}x`, [issuer])).toBeUndefined();
});
