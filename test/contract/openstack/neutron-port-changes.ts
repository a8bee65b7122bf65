// Allowed address pairs, and changes of a port that several may want to change: nobody's change is lost.

import { afterAll, expect, it } from "vitest";
import type { AddressPair, CreatePort, Port, PortChange } from "../../../src/core/openstack/neutron-objects.ts";
import { plainPort } from "./neutron-ports.ts";
import { type GetStage, nobody, outcome, refusal } from "./stage.ts";

const addresses = (...hosts: readonly number[]): readonly AddressPair[] =>
  hosts.map((host) => ({ address: `10.0.1.${host}` }));

export function portChangeBehaviours(get: GetStage): void {
  const leftovers: string[] = [];
  const make = async (fields: Partial<CreatePort> = {}) => {
    const port = await get().member.neutron.createPort(plainPort(get(), fields));
    leftovers.push(port.id);
    return port;
  };
  const now = (id: string) => get().member.neutron.getPort(id);
  const change = (id: string, fields: PortChange, seen?: Port) =>
    get().member.neutron.updatePort(id, fields, seen === undefined ? {} : { seen });
  const pairsOf = async (id: string) =>
    (await now(id)).allowedAddressPairs.map(({ address, macAddress }) => `${address} ${macAddress}`).toSorted();
  afterAll(async () => {
    for (const id of leftovers) await get().member.neutron.deletePort(id);
  });

  it("has the address pairs that it was given last, with its own MAC address where none was said", async () => {
    const { id, macAddress } = await make();
    await change(id, { allowedAddressPairs: addresses(200) });
    expect(await pairsOf(id)).toEqual([`10.0.1.200 ${macAddress}`]);
    const theirs = "fa:16:3e:00:00:01";
    const mixed = [...addresses(201), { address: "10.0.9.0/24" }, { address: "fd00::5", macAddress: theirs }];
    const answer = await change(id, { allowedAddressPairs: mixed });
    const kept = [`10.0.1.201 ${macAddress}`, `10.0.9.0/24 ${macAddress}`, `fd00::5 ${theirs}`];
    expect(await pairsOf(id)).toEqual(kept);
    expect(answer.allowedAddressPairs).toHaveLength(3);
    await change(id, { description: "unrelated" });
    expect(await pairsOf(id)).toEqual(kept);
    await change(id, { allowedAddressPairs: [] });
    expect(await pairsOf(id)).toEqual([]);
  });

  it("has ten address pairs at most, unless an operator allows more", async () => {
    const { id } = await make();
    const ten = Array.from({ length: 10 }, (_, index) => 100 + index);
    await change(id, { allowedAddressPairs: addresses(...ten) });
    const eleven = change(id, { allowedAddressPairs: addresses(...ten, 110) });
    expect(await refusal(eleven)).toBe("QuotaExceeded AllowedAddressPairExhausted");
    expect(await pairsOf(id)).toHaveLength(10);
  });

  it("takes no pair twice, also where its own MAC address is said once, and none that is no address", async () => {
    const { id, macAddress } = await make();
    const attempt = (pairs: readonly AddressPair[]) => refusal(change(id, { allowedAddressPairs: pairs }));
    expect(await attempt(addresses(5, 5))).toBe("BadRequest DuplicateAddressPairInRequest");
    const again = { address: "10.0.1.5", macAddress };
    expect(await attempt([...addresses(5), again])).toBe("BadRequest DuplicateAddressPairInRequest");
    expect(await attempt([{ address: "nonsense" }])).toBe("BadRequest HTTPBadRequest");
    expect(await attempt([{ address: "10.0.1.5", macAddress: "nonsense" }])).toBe("BadRequest HTTPBadRequest");
    expect(await pairsOf(id)).toEqual([]);
  });

  it("takes no pairs without port security, as it needs none", async () => {
    const { id } = await make({ hasPortSecurity: false });
    const pairs = change(id, { allowedAddressPairs: addresses(5) });
    expect(await refusal(pairs)).toBe("Conflict AddressPairAndPortSecurityRequired");
    expect(await outcome(change(id, { allowedAddressPairs: [] }))).toBe("done");
  });

  it("is changed by one of two who saw the same, and the other one is told", async () => {
    const { id } = await make();
    const seen = await now(id);
    const first = await change(id, { allowedAddressPairs: addresses(1) }, seen);
    expect(await refusal(change(id, { allowedAddressPairs: addresses(2) }, seen))).toMatch(/^Changed /);
    expect((await pairsOf(id)).map((pair) => pair.split(" ")[0])).toEqual(["10.0.1.1"]);
    const merged = [...first.allowedAddressPairs, ...addresses(2)];
    const second = await change(id, { allowedAddressPairs: merged }, first);
    expect(second.allowedAddressPairs).toHaveLength(2);
    for (const wanted of [addresses(), addresses(1), addresses(1, 2, 3)])
      expect(await outcome(change(id, { allowedAddressPairs: wanted }, first))).toBe("Changed");
    expect(await pairsOf(id)).toHaveLength(2);
  });

  it("is not changed or deleted once anybody has changed anything else of it", async () => {
    const { member, unique } = get();
    const { id } = await make();
    const disturbances: readonly (() => Promise<unknown>)[] = [
      () => member.neutron.replaceTags("ports", id, [unique("theirs")]),
      () => change(id, { description: unique("theirs") }),
      () => change(id, { name: unique("theirs") }),
      () => change(id, { allowedAddressPairs: addresses(7) }),
    ];
    for (const disturb of disturbances) {
      const seen = await now(id);
      await disturb();
      const after = await now(id);
      expect(await outcome(change(id, { allowedAddressPairs: addresses(8) }, seen))).toBe("Changed");
      expect(await outcome(change(id, { description: "ours" }, seen))).toBe("Changed");
      expect(await outcome(member.neutron.deletePort(id, { seen }))).toBe("Changed");
      expect(await now(id)).toEqual(after);
    }
    const seen = await now(id);
    expect(await outcome(member.neutron.deletePort(id, { seen }))).toBe("done");
    expect(await outcome(member.neutron.deletePort(id, { seen }))).toBe("done");
    expect(await refusal(change(id, { description: "" }, seen))).toBe("NotFound PortNotFound");
  });

  it("is changed to what it is already whatever was seen", async () => {
    const { id } = await make();
    const seen = await now(id);
    await change(id, { allowedAddressPairs: addresses(9) });
    const { allowedAddressPairs } = await now(id);
    expect(await outcome(change(id, { allowedAddressPairs }, seen))).toBe("done");
    expect((await now(id)).allowedAddressPairs).toEqual(allowedAddressPairs);
  });

  it("is refused for what is asked before anything is said of what it was like", async () => {
    const { id } = await make({ hasPortSecurity: false });
    const stale = { ...(await now(id)), revisionNumber: 4_711 };
    const eleven = Array.from({ length: 11 }, (_, index) => 100 + index);
    const tooMany = change(id, { allowedAddressPairs: addresses(...eleven) }, stale);
    expect(await refusal(tooMany)).toBe("QuotaExceeded AllowedAddressPairExhausted");
    expect(await outcome(change(id, { name: "x".repeat(256) }, stale))).toBe("BadRequest");
    const unsafe = change(id, { allowedAddressPairs: addresses(1) }, stale);
    expect(await refusal(unsafe)).toBe("Conflict AddressPairAndPortSecurityRequired");
    expect(await refusal(change(nobody, { name: "" }, stale))).toBe("NotFound PortNotFound");
  });

  it("counts every change, some of them only after they were answered, but not to set the tags that it has", async () => {
    const { member } = get();
    const { id } = await make();
    const tag = (tags: readonly string[]) => () => member.neutron.replaceTags("ports", id, tags);
    const set = (fields: PortChange) => () => change(id, fields);
    const steps: readonly (readonly [step: () => Promise<unknown>, more: number, answered: number])[] = [
      [set({ allowedAddressPairs: addresses(1) }), 1, 1],
      [set({ allowedAddressPairs: addresses(1) }), 1, 1],
      [async () => change(id, { allowedAddressPairs: (await now(id)).allowedAddressPairs }), 1, 0],
      [set({ allowedAddressPairs: addresses(1, 2) }), 1, 1],
      [set({ allowedAddressPairs: [] }), 1, 1],
      [set({ allowedAddressPairs: [] }), 1, 0],
      [set({ name: "n" }), 1, 1],
      [set({ description: "d" }), 2, 1],
      [set({ name: "m", description: "e" }), 1, 1],
      [set({ allowedAddressPairs: addresses(3), description: "f" }), 2, 2],
      [set({}), 0, 0],
      [tag(["a", "b"]), 1, 0],
      [tag(["a", "b"]), 0, 0],
    ];
    for (const [index, [step, more, answered]] of steps.entries()) {
      const { revisionNumber: before = 0 } = await now(id);
      const answer = (await step()) as Port | undefined;
      const { revisionNumber: after } = await now(id);
      expect([index, answer?.revisionNumber ?? before, after]).toEqual([index, before + answered, before + more]);
    }
  });
}
