// The contract of keepalived as a gateway's agent relies on it: one suite, on the fake and on the real program.

import { afterAll, beforeAll, expect, test } from "vitest";
import { renderKeepalived } from "../../../src/jobs/gateway/core/keepalived/render-keepalived.ts";
import {
  sampleDocument,
  sampleForwarding,
  sampleGroup,
  sampleLocal,
} from "../../../src/jobs/gateway/sim/sample-document.ts";
import type { Keepalived } from "../../../src/ports/keepalived.ts";

export interface KeepalivedTarget {
  open(): Promise<KeepalivedSession>;
}

export interface KeepalivedSession {
  readonly keepalived: Keepalived;
  readonly readyFile: string;
  /** Addresses of Services that clients can reach, in one order, once roles are settled. */
  announced(): Promise<readonly string[]>;
  /** What the track file adds to a priority. */
  isReady(): Promise<boolean>;
  /** The same text for the same process. */
  process(): Promise<string>;
  close(): Promise<void>;
}

export const [one, other] = ["198.18.0.100", "198.18.0.101"];

export function configurationOf(readyFile: string, addresses: readonly string[]): string {
  const forwardings = addresses.map((address) => sampleForwarding({ address }));
  const document = sampleDocument({ forwardings, groups: [sampleGroup({ order: ["gw1"] })] });
  return renderKeepalived(document, sampleLocal(), { readyFile });
}

/** As keepalived's own grammar has it; the fake knows this one, too. */
export function brokenConfiguration(readyFile: string): string {
  return configurationOf(readyFile, [one]).replace("vrrp_instance a {", "vrrp_instance broken {\n  no_such_word 1");
}

export function keepalivedContract(target: KeepalivedTarget): void {
  let session: KeepalivedSession;
  beforeAll(async () => {
    session = await target.open();
  });
  afterAll(() => session?.close());
  const configuration = (...addresses: readonly string[]) => configurationOf(session.readyFile, addresses);
  const announces = async (...addresses: readonly string[]) => {
    await expect.poll(() => session.announced()).toEqual(addresses);
  };

  test("before it was given a configuration it does not run", async () => {
    expect(await session.keepalived.state()).toEqual({ running: false, roles: new Map() });
  });

  test("a check says whether a configuration is good, and starts nothing", async () => {
    await session.keepalived.check(configuration(one));
    await expect(session.keepalived.check(brokenConfiguration(session.readyFile))).rejects.toThrow(/\S/);
    expect(await session.keepalived.state()).toMatchObject({ running: false });
  });

  test("with a configuration it runs, and announces its addresses", async () => {
    await session.keepalived.use(configuration(one));
    expect(await session.keepalived.state()).toMatchObject({ running: true });
    await announces(one);
  });

  test("another configuration is read by the same process; what is in both stays", async () => {
    const before = await session.process();
    await session.keepalived.use(configuration(one, other));
    await announces(one, other);
    await session.keepalived.use(configuration(other));
    await announces(other);
    expect(await session.process()).toBe(before);
  });

  test("a broken configuration is refused, and the last good one stays", async () => {
    const before = await session.process();
    await expect(session.keepalived.use(brokenConfiguration(session.readyFile))).rejects.toThrow(/\S/);
    await announces(other);
    expect(await session.process()).toBe(before);
  });

  test("readiness is what was said last", async () => {
    for (const ready of [true, false, false, true]) {
      await session.keepalived.setReady(ready);
      await expect.poll(() => session.isReady()).toBe(ready);
    }
  });

  test("a configuration without an address announces none, and the next one does again", async () => {
    const nothing = renderKeepalived(sampleDocument({ groups: [], forwardings: [] }), sampleLocal(), session);
    await session.keepalived.use(nothing);
    await announces();
    expect(await session.keepalived.state()).toMatchObject({ running: true });
    await session.keepalived.use(configuration(one));
    await announces(one);
  });

  test("after its end it does not run, and its addresses are gone; it can be started again", async () => {
    await session.keepalived.stop();
    expect(await session.keepalived.state()).toEqual({ running: false, roles: new Map() });
    expect(await session.announced()).toEqual([]);
    await session.keepalived.use(configuration(one));
    await announces(one);
    await session.keepalived.stop();
  });

  test("it has a version", async () => {
    expect(await session.keepalived.version()).toMatch(/^\d+\.\d+/);
  });
}
