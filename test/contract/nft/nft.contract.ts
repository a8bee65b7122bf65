// The contract of nftables as a gateway's agent relies on it: one suite, on the fake kernel and on the real one. A target brings scripts of
// its own, for the fake reads other texts than nft does.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Nft } from "../../../src/ports/nft.ts";

export interface NftTarget {
  open(): Promise<NftSession>;
}

export interface NftSession {
  readonly nft: Nft;
  readonly scripts: {
    /** Replaces the tables `mainstay` of both families, whatever they are. */
    readonly load: string;
    /** Another one of these. */
    readonly otherLoad: string;
    /** From `load` to `otherLoad`: it fits nothing else. */
    readonly change: string;
    /** As `load`, with one part that the kernel refuses. */
    readonly refused: string;
  };
  /** What the kernel holds: equal texts for equal rules. */
  rules(): Promise<string>;
  /** As `nft flush ruleset` by somebody else. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function nftContract(target: NftTarget): void {
  let session: NftSession;
  beforeAll(async () => {
    session = await target.open();
  });
  afterAll(() => session?.close());
  const holds = async (script: string): Promise<string> => {
    await session.nft.apply(script);
    return await session.rules();
  };

  test("a script is applied whole, and a second one takes its place", async () => {
    const { load, otherLoad } = session.scripts;
    const first = await holds(load);
    const second = await holds(otherLoad);
    expect(second).not.toBe(first);
    expect(await holds(load)).toBe(first);
  });

  test("a script that the kernel refuses rejects with its words, and changes nothing", async () => {
    const { load, refused } = session.scripts;
    const before = await holds(load);
    await expect(session.nft.apply(refused)).rejects.toThrow(/\S/);
    await expect(session.nft.check(refused)).rejects.toThrow(/\S/);
    expect(await session.rules()).toBe(before);
  });

  test("a check changes nothing", async () => {
    const { load, otherLoad } = session.scripts;
    const before = await holds(load);
    await session.nft.check(otherLoad);
    expect(await session.rules()).toBe(before);
  });

  test("a change leaves what a full load would, and fits only the rules that it was made for", async () => {
    const { load, otherLoad, change } = session.scripts;
    const wanted = await holds(otherLoad);
    await expect(session.nft.apply(change)).rejects.toThrow(/\S/);
    expect(await session.rules()).toBe(wanted);
    await holds(load);
    await session.nft.check(change);
    expect(await holds(change)).toBe(wanted);
  });

  test("a table is there from its load until somebody flushes the ruleset", async () => {
    const has = () => Promise.all([session.nft.hasTable("ip", "mainstay"), session.nft.hasTable("ip6", "mainstay")]);
    await holds(session.scripts.load);
    expect(await has()).toEqual([true, true]);
    await session.flush();
    expect(await has()).toEqual([false, false]);
    await holds(session.scripts.load);
    expect(await has()).toEqual([true, true]);
  });

  test("looking for a table makes none", async () => {
    await session.flush();
    const empty = await session.rules();
    await session.nft.hasTable("ip", "mainstay");
    expect(await session.rules()).toBe(empty);
  });

  test("counters are those of the elements of a set or a map, and begin with nothing", async () => {
    await holds(session.scripts.load);
    const counters = (kind: "set" | "map", name: string) =>
      session.nft.counters({ family: "ip", table: "mainstay", kind, name });
    const element = { parts: ["198.18.0.100", "tcp", "80"], packets: 0, bytes: 0 };
    expect(await counters("map", "forwardings")).toEqual([element]);
    expect(await counters("set", "received")).toEqual([element]);
    await session.flush();
    await expect(counters("set", "received")).rejects.toThrow(/\S/);
  });

  test("it has a version", async () => {
    expect(await session.nft.version()).toMatch(/^\d+\.\d+/);
  });
}
