import { expect, test } from "vitest";
import type { CreateMember, Member } from "../../../../core/openstack/octavia-objects.ts";
import type { Octavia } from "../../../../ports/octavia.ts";
import { mergeOne } from "./merge-one-member.ts";

const wanted = (n: number, port = 6443): CreateMember => ({ name: `m${n}`, address: `10.0.0.${n}`, port, tags: ["t"] });
const there = (n: number, over: Partial<Member> = {}): Member =>
  ({ ...wanted(n), id: `id${n}`, weight: 1, ...over }) as Member;

/** What is written to a pool with these members. */
async function written(present: readonly Member[], members: readonly CreateMember[]): Promise<readonly unknown[]> {
  const calls: unknown[] = [];
  const octavia = {
    listMembers: async () => present,
    createMember: async (_pool: string, { name, port }: CreateMember) => void calls.push(["create", name, port]),
    updateMember: async (_pool: string, id: string, change: object) => void calls.push(["update", id, change]),
  } as unknown as Octavia;
  await mergeOne(octavia, "pool", members, {});
  return calls;
}

test("one missing member is made at a time, and one that has the address on another port is not it", async () => {
  expect(await written([there(1)], [wanted(1), wanted(2), wanted(3)])).toEqual([["create", "m2", 6443]]);
  expect(await written([there(1, { port: 9345 })], [wanted(1)])).toEqual([["create", "m1", 6443]]);
});

test("one that is misnamed or drained is put right", async () => {
  const right = { name: "m1", tags: ["t"], weight: 1 };
  expect(await written([there(1, { name: "old" })], [wanted(1)])).toEqual([["update", "id1", right]]);
  expect(await written([there(1, { weight: 0 })], [wanted(1)])).toEqual([["update", "id1", right]]);
});

test("where all are there nothing is written", async () => {
  expect(await written([there(1), there(2)], [wanted(1), wanted(2)])).toEqual([]);
});

test("one with other tags is next, and keeps the weight that is asked for", async () => {
  const tagged = { ...wanted(1), tags: ["new", "t"] };
  expect(await written([there(1, { tags: ["t", "new"] })], [tagged])).toEqual([]);
  expect(await written([there(1)], [tagged])).toEqual([
    ["update", "id1", { name: "m1", tags: ["new", "t"], weight: 1 }],
  ]);
  const drained = { ...tagged, weight: 0 };
  expect(await written([there(1, { weight: 0, tags: ["t", "new"] })], [drained])).toEqual([]);
  expect(await written([there(1, { weight: 0 })], [drained])).toEqual([
    ["update", "id1", { name: "m1", tags: ["new", "t"], weight: 0 }],
  ]);
});
