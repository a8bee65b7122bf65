// Whose a balancer or a floating IP is, and which tags it should have: what nothing speaks for is left alone.

import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  capoDescription,
  intent,
  legacyName,
  ownerId,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import type { FloatingIp } from "../../../../core/openstack/neutron-objects.ts";
import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import type { EndpointIntent } from "./intent.ts";
import { floatingIpDescription } from "./names.ts";
import type { EndpointObserved, RecordedBalancer } from "./observed.ts";
import { adoptionOf, isFloatingIpFor, isOursByStatus, retagged, zoneOfBalancer } from "./ownership.ts";

const agreed = { repair: false, removeLegacy: false, adoptLegacy: true, minZones: undefined };
const mark = [`mainstay-owner=${ownerId}`, "mainstay-zone=az1", "mainstay-role=zone"];

const inNodes: Pick<RecordedBalancer, "networkId" | "subnetId"> = { networkId: "net", subnetId: "sub-nodes" };

/** A world with one balancer that somebody made; and the same with status that knows it, for a zone or as the single one. */
function worldWith(asked: EndpointIntent, over: Partial<LoadBalancer>) {
  const world = new CloudModel(asked);
  const { lb: balancer } = world.addBalancer(over, 6443);
  const recordedAs = (zone?: string, place = inNodes): EndpointObserved => {
    const { id, name } = balancer;
    const entry = { id, name, address: undefined, internalAddress: undefined, ...place };
    const recorded = { zones: zone === undefined ? [] : [{ zone, ...entry }], networkId: undefined };
    return { ...world.observe(), recorded: { ...recorded, single: zone === undefined ? entry : undefined } };
  };
  return { world, balancer, recordedAs };
}

describe("an untagged balancer", () => {
  const legacy = { name: legacyName, description: capoDescription };
  const zoned = { name: zoneBalancerName("az1"), description: capoDescription };

  test("of CAPO's name and description is adopted where status knows it, or where somebody agrees", () => {
    const { world, balancer, recordedAs } = worldWith(intent(), legacy);
    expect(adoptionOf(balancer, world.observe())).toBeUndefined();
    world.intent = intent({ consents: agreed });
    expect(adoptionOf(balancer, world.observe())).toEqual({ as: "legacy" });
    world.intent = intent();
    expect(adoptionOf(balancer, recordedAs())).toEqual({ as: "legacy" });
  });

  test("of a mapped zone's name is adopted for that zone where status knows it there, or where somebody agrees", () => {
    const { world, balancer, recordedAs } = worldWith(zonesIntent(["az1", "az2"]), zoned);
    expect(adoptionOf(balancer, world.observe())).toBeUndefined();
    expect(adoptionOf(balancer, recordedAs("az2"))).toBeUndefined();
    expect(adoptionOf(balancer, recordedAs("az1"))).toEqual({ as: "zone", zone: "az1" });
    world.intent = zonesIntent(["az1"], { consents: agreed });
    expect(adoptionOf(balancer, world.observe())).toEqual({ as: "zone", zone: "az1" });
  });

  test.each<readonly [string, Partial<LoadBalancer>]>([
    ["whose description is not CAPO's", { ...legacy, description: "somebody's" }],
    ["of a zone whose description is not CAPO's", { ...zoned, description: "somebody's" }],
    ["of a zone that is not mapped", { ...zoned, name: zoneBalancerName("az9") }],
    ["that bears the tag of another owner", { ...legacy, tags: ["mainstay-owner=another"] }],
  ])("%s is left alone, whoever agrees", (_which, over) => {
    const { world, balancer } = worldWith(zonesIntent(["az1"], { consents: agreed }), over);
    expect(adoptionOf(balancer, world.observe())).toBeUndefined();
  });

  test("is left alone through the door of APIEndpoint: CAPO's are CAPO's", () => {
    const { world, balancer } = worldWith(intent({ door: "APIEndpoint", consents: agreed }), legacy);
    expect(adoptionOf(balancer, world.observe())).toBeUndefined();
  });
});

describe("a balancer whose tags somebody cleared", () => {
  const cleared = { name: zoneBalancerName("az1"), tags: [] };

  test("is ours where status knows its id, with its zone's name or the one of before the zones, and its place", () => {
    const { balancer, recordedAs } = worldWith(zonesIntent(["az1"]), cleared);
    expect(isOursByStatus(balancer, recordedAs("az1"))).toBe(true);
    expect(isOursByStatus({ ...balancer, name: legacyName }, recordedAs("az1"))).toBe(true);
    expect(zoneOfBalancer(balancer, recordedAs("az1"))).toBe("az1");
  });

  test("is not where anything of that differs, or where it bears somebody's tag", () => {
    const { balancer, recordedAs } = worldWith(zonesIntent(["az1"]), cleared);
    expect(isOursByStatus({ ...balancer, name: zoneBalancerName("az2") }, recordedAs("az1"))).toBe(false);
    expect(isOursByStatus(balancer, recordedAs())).toBe(false);
    expect(isOursByStatus({ ...balancer, id: "lb-another" }, recordedAs("az1"))).toBe(false);
    expect(isOursByStatus({ ...balancer, tags: ["mainstay-owner=another"] }, recordedAs("az1"))).toBe(false);
    expect(isOursByStatus(balancer, recordedAs("az1", { networkId: "net", subnetId: "sub-az9" }))).toBe(false);
    expect(isOursByStatus(balancer, recordedAs("az1", { networkId: "net-9", subnetId: undefined }))).toBe(false);
    expect(isOursByStatus(balancer, recordedAs("az1", { networkId: "net", subnetId: undefined }))).toBe(true);
  });

  test("stands for no zone where a tag says that it has none, or where it has another name", () => {
    const { balancer, recordedAs } = worldWith(zonesIntent(["az1"]), cleared);
    expect(zoneOfBalancer({ ...balancer, tags: ["mainstay-role=fallback"] }, recordedAs("az1"))).toBeUndefined();
    expect(zoneOfBalancer({ ...balancer, tags: ["mainstay-role=single"] }, recordedAs("az1"))).toBeUndefined();
    expect(zoneOfBalancer({ ...balancer, name: legacyName }, recordedAs("az1"))).toBeUndefined();
  });
});

describe("a floating IP", () => {
  const one: FloatingIp = {
    id: "fip-1",
    address: "203.0.113.9",
    floatingNetworkId: "public",
    projectId: "p",
    tags: [],
    description: "",
  };
  const isFor = (over: Partial<FloatingIp>, zone?: string) => isFloatingIpFor({ ...one, ...over }, ownerId, zone);

  test("is for the zone that its tags name, or its description where it has none of ours", () => {
    expect(isFor({ tags: mark }, "az1")).toBe(true);
    expect(isFor({ tags: mark }, "az2")).toBe(false);
    expect(isFor({ description: floatingIpDescription(ownerId, "az1") }, "az1")).toBe(true);
    expect(isFor({ description: floatingIpDescription(ownerId, "az1") }, "az2")).toBe(false);
    expect(isFor({ tags: mark, description: floatingIpDescription(ownerId, "az2") }, "az1")).toBe(true);
    expect(isFor({ description: "somebody's" }, "az1")).toBe(false);
  });

  test("with our owner tag alone is for the single balancer, unless its description says otherwise", () => {
    const tags = mark.slice(0, 1);
    expect(isFor({ tags })).toBe(true);
    expect(isFor({ tags, description: floatingIpDescription(ownerId, "az1") }, "az1")).toBe(true);
    expect(isFor({ tags, description: floatingIpDescription(ownerId, "az1") })).toBe(false);
  });
});

describe("the tags of what is ours", () => {
  test("are ours and the user's; those of others stay, and the user's former ones go", () => {
    expect(retagged([], mark, [])).toEqual(mark);
    expect(retagged(["theirs", "old", ...mark], [...mark, "new"], ["old"])).toEqual(["theirs", ...mark, "new"]);
    expect(retagged(["theirs", ...mark], mark, [])).toBeUndefined();
    expect(retagged(mark.toReversed(), mark, [])).toBeUndefined();
  });

  test("are put right where one of ours says something else", () => {
    expect(retagged(["mainstay-owner=another", ...mark.slice(1)], mark, [])).toEqual(mark);
  });

  test("do not name twice what the cloud takes for one: it would refuse the second for ever", () => {
    expect(retagged(["Team-A", ...mark], ["team-a", ...mark], [])).toBeUndefined();
    expect(retagged(["Team-A"], ["team-a", ...mark], [])).toEqual(["Team-A", ...mark]);
    expect(retagged(["Team-A", ...mark], mark, ["team-a"])).toEqual(mark);
  });
});
