// Zones of the compute service, where there is one.

import { expect, it } from "vitest";
import { type GetStage, nobody, outcome } from "./stage.ts";

export function novaBehaviours(get: GetStage): void {
  it("is missing where the catalogue has no compute service", async (context) => {
    const { made, member } = get();
    if (made.compute !== undefined) return context.skip("there is one here");
    expect(await outcome(member.nova.listAvailabilityZones())).toBe("NoSuchService");
    expect(await outcome(member.nova.getServer(nobody))).toBe("NoSuchService");
  });

  it("names its zones", async (context) => {
    const { made, member } = get();
    if (made.compute === undefined) return context.skip("no compute service here");
    const zones = await member.nova.listAvailabilityZones();
    expect(zones.filter(({ available }) => available).map(({ name }) => name)).toEqual(
      expect.arrayContaining([...made.compute.zones]),
    );
  });

  it("knows a server's zone", async (context) => {
    const { made, member } = get();
    if (made.compute === undefined) return context.skip("no compute service here");
    expect((await member.nova.getServer(made.compute.serverId)).availabilityZone).toBe(made.compute.serverZone);
    expect(await outcome(member.nova.getServer(nobody))).toBe("NotFound");
  });
}
