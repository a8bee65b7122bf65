// What Octavia says it can do.

import { expect, it } from "vitest";
import type { GetStage } from "./stage.ts";

export function capabilityBehaviours(get: GetStage): void {
  it("names its newest version", async () => {
    const [major, minor] = await get().member.octavia.version();
    expect(major).toBe(2);
    expect(minor).toBeGreaterThanOrEqual(14);
  });

  it("lists versions in ascending order, the last one current", async () => {
    const { body } = await get().raw("password", { service: "octavia", method: "GET", path: "/" });
    const { versions } = body as { versions: { id: string; status: string }[] };
    const minors = versions.map(({ id }) => Number(id.replace("v2.", "")));
    expect(minors).toEqual(minors.toSorted((a, b) => a - b));
    expect(versions.at(-1)?.status).toBe("CURRENT");
  });

  it("names its providers", async () => {
    const { member, provider } = get();
    expect(await member.octavia.listProviders()).toContain(provider);
  });

  it("names its flavors to members", async () => {
    const { member, made } = get();
    if (made.flavor === undefined) return;
    expect(await member.octavia.listFlavors()).toContainEqual({ ...made.flavor, enabled: true });
  });

  it("names its own availability zones to members", async () => {
    const { member, made } = get();
    const zones = await member.octavia.listAvailabilityZones();
    expect(zones.filter(({ enabled }) => enabled).map(({ name }) => name)).toEqual(
      expect.arrayContaining([...made.balancerZones]),
    );
  });

  it("keeps administrators' matters from members", async () => {
    const path = "/v2.0/lbaas/flavorprofiles";
    expect((await get().raw("password", { service: "octavia", method: "GET", path })).status).toBe(403);
  });
}
