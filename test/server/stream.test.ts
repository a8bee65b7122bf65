import { afterEach, beforeEach, expect, test } from "vitest";
import { customResourceDefinitions, leases } from "../../src/apis/kube/builtin-kinds.ts";
import { type ManagerInfo, type ObjectsAnswer, routes, type StreamMessage } from "../../src/server/contract.ts";
import { secretMarkerIn } from "../../src/sim/checkers/secret-marker.ts";
import { specimenCrd, specimens } from "../../src/sim/specimen/specimen-kind.ts";
import { ServerWorld, StreamReader, tokens } from "./server-world.ts";

let world: ServerWorld;
let address: string;

beforeEach(async () => {
  world = await ServerWorld.start({ maxStreams: 4, maxStreamsPerViewer: 3 });
  await world.make("red", "rose");
  await world.make("blue", "sky");
  await world.clock.advance(30_000);
  address = await world.app.listen({ host: "127.0.0.1", port: 0 });
});

afterEach(() => world.stop());

const open = (token: string, headers: Readonly<Record<string, string>> = {}): StreamReader =>
  StreamReader.open(`${address}${routes.stream}`, token, headers);

/** Virtual time passes in small steps, with real sockets in between. */
async function until(holds: () => boolean, maxMs = 60_000): Promise<void> {
  for (let passedMs = 0; passedMs <= maxMs; passedMs += 250) {
    if (holds()) return;
    await world.clock.advance(250);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect(holds()).toBe(true);
}

const of = <T extends StreamMessage["type"]>(reader: StreamReader, type: T) =>
  reader.messages.filter((message): message is Extract<StreamMessage, { type: T }> => message.type === type);

test("begins with everything, then tells every change and every action, then the end of an object", async () => {
  const reader = open(tokens.admin);
  await until(() => reader.types.includes("snapshot"));
  expect(of(reader, "snapshot")[0]).toMatchObject({ manager: { leading: true }, faults: { enabled: false } });
  expect(
    of(reader, "snapshot")[0]
      ?.objects.map(({ id }) => id.name)
      .toSorted(),
  ).toEqual(["rose", "sky"]);
  await world.make("red", "tulip");
  const healthy = () =>
    of(reader, "object").some(({ object }) => object.id.name === "tulip" && object.health === "healthy");
  await until(healthy);
  expect(of(reader, "plan-log").map(({ entry }) => entry.action)).toEqual(
    expect.arrayContaining(["add-finalizer", "create-thing", "create-child"]),
  );
  await world.kube.delete(specimens, { name: "tulip", namespace: "red" });
  await until(() => of(reader, "gone").some(({ object }) => object.name === "tulip"));
  reader.close();
});

test("reduces the words of log and plans for a viewer who may not see all that they came from", async () => {
  const reader = open(tokens.red);
  await until(() => reader.types.includes("snapshot"));
  await world.make("red", "tulip");
  await until(() =>
    of(reader, "object").some(({ object }) => object.health === "healthy" && object.id.name === "tulip"),
  );
  const entries = [
    ...of(reader, "snapshot").flatMap(({ log }) => log),
    ...of(reader, "plan-log").map(({ entry }) => entry),
  ];
  const words = entries.filter(({ action }) => action === "create-thing").map((entry) => entry.words);
  expect([words.length, new Set(words)]).toEqual([2, new Set(["create-thing because ObjectNotFound"])]);
  expect(
    of(reader, "object")
      .map(({ object }) => object.sentence)
      .join(),
  ).not.toContain("north");
  reader.close();
});

test("says whether the log goes further back than what it begins with", async () => {
  const reader = open(tokens.admin);
  await until(() => reader.types.includes("snapshot"));
  expect(of(reader, "snapshot")[0]?.olderLog).toBe(false);
  reader.close();
  for (let index = 0; index < 80; index += 1) await world.make("red", `weed-${index}`);
  await world.clock.advance(60_000);
  const later = open(tokens.admin);
  await until(() => later.types.includes("snapshot"));
  expect([of(later, "snapshot")[0]?.log.length, of(later, "snapshot")[0]?.olderLog]).toEqual([200, true]);
  later.close();
});

test("is told when the manager no longer sees what it needs, and since when", async () => {
  const reader = open(tokens.admin);
  await until(() => reader.types.includes("snapshot"));
  expect(of(reader, "snapshot")[0]?.manager).not.toHaveProperty("sawAllUntil");
  const beforeMs = world.clock.nowMs();
  await world.kube.delete(customResourceDefinitions, { name: specimenCrd.metadata.name });
  await until(() => of(reader, "manager").some(({ manager }) => !manager.ready), 300_000);
  const lost = of(reader, "manager").find(({ manager }) => !manager.ready)?.manager.sawAllUntil ?? "";
  expect(Date.parse(lost)).toBeGreaterThanOrEqual(beforeMs);
  expect(Date.parse(lost)).toBeLessThanOrEqual(world.clock.nowMs());
  const { sawAllUntil } = JSON.parse((await world.get(routes.manager, tokens.admin)).body) as ManagerInfo;
  expect(sawAllUntil).toBe(lost);
  reader.close();
});

test("says by heartbeats that it lives when nothing happens", async () => {
  const reader = open(tokens.admin);
  await until(() => of(reader, "heartbeat").length >= 2);
  reader.close();
});

test("shows a viewer of one namespace that namespace only", async () => {
  const reader = open(tokens.red);
  await until(() => reader.types.includes("snapshot"));
  await world.make("blue", "sea");
  await world.make("red", "tulip");
  await until(() => of(reader, "object").some(({ object }) => object.id.name === "tulip"));
  await world.clock.advance(5_000);
  expect(reader.text).not.toContain("sea");
  expect(reader.text).not.toContain("sky");
  reader.close();
});

test("goes on after a lost connection with what was missed, and with nothing twice", async () => {
  const first = open(tokens.admin);
  await until(() => first.types.includes("snapshot"));
  await world.clock.advance(1_000);
  const id = first.lastId;
  first.close();
  await world.make("red", "tulip");
  await world.clock.advance(20_000);
  const second = open(tokens.admin, { "last-event-id": id });
  await until(() => of(second, "plan-log").length >= 3);
  expect(second.types).not.toContain("snapshot");
  expect(
    of(second, "object")
      .filter(({ object }) => object.id.name === "tulip")
      .at(-1)?.object.health,
  ).toBe("healthy");
  const ids = of(second, "plan-log").map(({ entry }) => entry.id);
  expect(new Set(ids).size).toBe(ids.length);
  second.close();
});

test("begins anew for an id that it does not know, or of somebody with other rights", async () => {
  const admin = open(tokens.admin);
  await until(() => admin.types.includes("snapshot"));
  for (const id of ["elsewhere.abc", "nonsense", `${admin.lastId.split(".")[0]}.x`, admin.lastId]) {
    const reader = open(tokens.red, { "last-event-id": id });
    await until(() => reader.messages.length > 0);
    expect([id, reader.types[0]]).toEqual([id, "snapshot"]);
    reader.close();
    await until(() => reader.over);
  }
  admin.close();
});

test("ends for a token that is no longer valid", async () => {
  const reader = open(tokens.specimens);
  await until(() => reader.types.includes("snapshot"));
  world.users.delete(tokens.specimens);
  await until(() => reader.over, 30_000);
  expect(of(reader, "end").map(({ error }) => error.code)).toEqual(["unauthenticated"]);
});

test("ends for somebody whose rights were taken away", async () => {
  const red = open(tokens.red);
  await until(() => red.types.includes("snapshot"));
  await world.revoke({ name: "red", namespace: "red" });
  await world.make("red", "secret-garden");
  await until(() => red.over, 30_000);
  expect(of(red, "end").map(({ error }) => error.code)).toEqual(["forbidden"]);
});

test("begins anew with less for somebody who keeps some rights", async () => {
  await world.grantInNamespace("blue");
  await world.clock.advance(6_000);
  const reader = open(tokens.red);
  await until(() => reader.types.includes("snapshot"));
  const names = () => of(reader, "snapshot").map(({ objects }) => objects.map(({ id }) => id.name).toSorted());
  expect(names()).toEqual([["rose", "sky"]]);
  await world.revoke({ name: "blue", namespace: "blue" });
  await until(() => of(reader, "snapshot").length > 1, 30_000);
  expect(names()).toEqual([["rose", "sky"], ["rose"]]);
  reader.close();
});

test("holds no more streams than it may", async () => {
  const readers = [1, 2, 3].map(() => open(tokens.admin));
  await until(() => readers.every(({ types }) => types.includes("snapshot")));
  const fourth = open(tokens.admin);
  await until(() => fourth.over);
  expect(fourth.status).toBe(429);
  // One viewer's streams leave room for others, until there is none.
  const other = open(tokens.red);
  await until(() => other.types.includes("snapshot"));
  const fifth = open(tokens.red);
  await until(() => fifth.over);
  expect(fifth.status).toBe(429);
  readers[0]?.close();
  await until(() => readers[0]?.over === true);
  const again = open(tokens.admin);
  await until(() => again.types.includes("snapshot"));
  for (const reader of [...readers, other, again]) reader.close();
});

test("no stream holds a secret", async () => {
  const reader = open(tokens.admin);
  await until(() => reader.types.includes("heartbeat"));
  expect(secretMarkerIn(reader.text)).toBeUndefined();
  reader.close();
});

test("a standby shows live objects, and says that it plans nothing and who leads", async () => {
  const ref = { name: "mainstay", namespace: "red" };
  const spec = { holderIdentity: "manager-0", leaseDurationSeconds: 3_600, leaseTransitions: 1 };
  const standby = await ServerWorld.start({}, { lease: { ref } }, ({ kube }) =>
    kube.patch(leases, ref, { type: "merge", body: { spec } }),
  );
  await standby.make("red", "rose");
  await standby.clock.advance(10_000);
  const manager = JSON.parse((await standby.get(routes.manager, tokens.admin)).body) as ManagerInfo;
  expect(manager).toMatchObject({ leading: false, leader: "manager-0", replicas: [{ state: "standby" }] });
  expect(manager).not.toHaveProperty("term");
  const { objects } = JSON.parse((await standby.get(routes.objects, tokens.admin)).body) as ObjectsAnswer;
  expect(objects.map(({ id, health }) => [id.name, health])).toEqual([["rose", "unknown"]]);
  expect(JSON.parse((await standby.get(routes.planLog, tokens.admin)).body)).toEqual({ entries: [], more: false });
  await standby.stop();
});
