// Listeners: duplicates, access lists and their families, idle timeouts, connection limits.

import { afterAll, beforeAll, expect, it } from "vitest";
import type { CreateListener, Listener } from "../../../src/core/openstack/octavia-objects.ts";
import { type GetStage, nobody, outcome, patienceMs } from "./stage.ts";

export function listenerBehaviours(get: GetStage): void {
  let balancerId = "";
  let made: Listener | undefined;
  const wanted = (fields: Partial<CreateListener> = {}): CreateListener => ({
    loadBalancerId: balancerId,
    name: "web",
    protocol: "TCP",
    port: 443,
    tags: [],
    ...fields,
  });

  beforeAll(async () => {
    balancerId = (await get().served()).balancer.id;
  }, patienceMs);

  afterAll(async () => {
    const { member, settled } = get();
    await settled(balancerId);
    if (made !== undefined) await member.octavia.deleteListener(made.id);
    await settled(balancerId);
  }, patienceMs);

  it("is made, and ACTIVE when its balancer is again", async () => {
    const { member, settled } = get();
    made = await member.octavia.createListener(wanted({ tags: ["one"] }));
    expect(made).toMatchObject({
      loadBalancerId: balancerId,
      port: 443,
      protocol: "TCP",
      provisioningStatus: "PENDING_CREATE",
    });
    await settled(balancerId);
    const [found] = (await member.octavia.listListeners({ loadBalancerId: balancerId })).filter(
      ({ port }) => port === 443,
    );
    expect(found).toMatchObject({ id: made.id, provisioningStatus: "ACTIVE", tags: ["one"], allowedCidrs: [] });
  });

  it("closes connections that are idle for 50 seconds, unless it is told otherwise", async () => {
    const { member, settled } = get();
    expect(made).toMatchObject({ clientTimeoutMs: 50_000, memberTimeoutMs: 50_000 });
    const change = { clientTimeoutMs: 1_800_000, memberTimeoutMs: 1_800_000 };
    expect(await member.octavia.updateListener(made?.id ?? "", change)).toMatchObject(change);
    await settled(balancerId);
  });

  it("lets in as many as come, unless it is told otherwise", async () => {
    const { member, settled } = get();
    expect(made).toMatchObject({ connectionLimit: -1 });
    for (const connectionLimit of [1, -1]) {
      expect(await member.octavia.updateListener(made?.id ?? "", { connectionLimit })).toMatchObject({
        connectionLimit,
      });
      await settled(balancerId);
      const listed = await member.octavia.listListeners({ loadBalancerId: balancerId });
      expect(listed.find(({ id }) => id === made?.id)).toMatchObject({ connectionLimit });
    }
    expect(await outcome(member.octavia.updateListener(made?.id ?? "", { connectionLimit: -2 }))).toBe("BadRequest");
  });

  it("is one to a port: a second is a Conflict, and the balancer stays ACTIVE", async () => {
    const { member } = get();
    expect(await outcome(member.octavia.createListener(wanted({ name: "again" })))).toBe("Conflict");
    expect((await member.octavia.getLoadBalancer(balancerId)).provisioningStatus).toBe("ACTIVE");
  });

  it("keeps an access list without host bits", async (context) => {
    const { member, settled, provider } = get();
    if (provider === "ovn") return context.skip("no access lists with ovn");
    const allowedCidrs = ["10.9.8.7/16", "192.0.2.1/32"];
    const changed = await member.octavia.updateListener(made?.id ?? "", { allowedCidrs });
    expect(changed.allowedCidrs.toSorted()).toEqual(["10.9.0.0/16", "192.0.2.1/32"]);
    await settled(balancerId);
  });

  it("refuses an access list of the other address family as a BadRequest", async (context) => {
    const { member, provider } = get();
    if (provider === "ovn") return context.skip("no access lists with ovn");
    const change = { allowedCidrs: ["2001:db8::/32"] };
    expect(await outcome(member.octavia.updateListener(made?.id ?? "", change))).toBe("BadRequest");
    expect(await outcome(member.octavia.createListener(wanted({ port: 445, ...change })))).toBe("BadRequest");
    const words = { allowedCidrs: ["everybody"] };
    expect(await outcome(member.octavia.updateListener(made?.id ?? "", words))).toBe("BadRequest");
    expect((await member.octavia.getLoadBalancer(balancerId)).provisioningStatus).toBe("ACTIVE");
  });

  it("clears an access list with an empty one", async (context) => {
    const { member, settled, provider } = get();
    if (provider === "ovn") return context.skip("no access lists with ovn");
    expect((await member.octavia.updateListener(made?.id ?? "", { allowedCidrs: [] })).allowedCidrs).toEqual([]);
    await settled(balancerId);
  });

  it("changes name and tags", async () => {
    const { member, settled } = get();
    const change = { name: "renamed", tags: ["two", "three"] };
    const changed = await member.octavia.updateListener(made?.id ?? "", change);
    expect({ name: changed.name, tags: changed.tags.toSorted() }).toEqual({ name: "renamed", tags: ["three", "two"] });
    await settled(balancerId);
  });

  it("refuses ports that are none, and balancers that are not there", async () => {
    const { member } = get();
    expect(await outcome(member.octavia.createListener(wanted({ port: 0 })))).toBe("BadRequest");
    expect(await outcome(member.octavia.createListener(wanted({ port: 65_536 })))).toBe("BadRequest");
    expect(await outcome(member.octavia.createListener(wanted({ loadBalancerId: nobody })))).toBe("NotFound");
    expect(await outcome(member.octavia.updateListener(nobody, { name: "x" }))).toBe("NotFound");
    expect(await outcome(member.octavia.deleteListener(nobody))).toBe("done");
  });
}
