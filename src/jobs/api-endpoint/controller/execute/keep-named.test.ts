import { beforeEach, expect, test } from "vitest";
import { EndpointWorld } from "../../../../../test/api-endpoint/world/endpoint-world.ts";
import { dnsEndpoints } from "../../../../apis/external-dns/dns-endpoint.ts";
import { markFor } from "../../../../core/ownership.ts";
import type { Executors, Writer } from "../../../../engine/feature.ts";
import { openCrd } from "../../../../sim/fakes/kube/open-crd.ts";
import { dnsEndpointSpec } from "../../core/dns/dns-endpoint.ts";
import type { CloudAction } from "../../core/model/lessons.ts";
import type { Addressed } from "../addressed.ts";
import { keepNamed } from "./keep-named.ts";

const object = { namespace: "default", name: "blue" };
const [floating, vip] = ["203.0.113.7", "10.0.1.9"];
let world: EndpointWorld;
let givenBack: string[];

beforeEach(() => {
  world = new EndpointWorld();
  givenBack = [];
});

/** As a backup brings it back: no cache has seen it. */
async function restored(addresses: readonly string[], owner = "u1"): Promise<void> {
  await world.define(openCrd(dnsEndpoints));
  const mark = markFor("api-endpoint", {
    apiVersion: "v1",
    kind: "APIEndpoint",
    metadata: { name: "blue", uid: owner },
  });
  await world.kube.create(dnsEndpoints, {
    apiVersion: "externaldns.k8s.io/v1alpha1",
    kind: "DNSEndpoint",
    metadata: { ...object, ...mark },
    spec: dnsEndpointSpec("api.example.com", addresses),
  });
}

async function giveBack(over: Partial<Addressed<CloudAction>>): Promise<void> {
  const note = async ({ kind }: { readonly kind: string }) => void givenBack.push(kind);
  const executors = { "delete-floating-ip": note, "delete-load-balancer": note } as unknown as Executors<
    Addressed<CloudAction>
  >;
  const action = { object, uid: "u1", because: "EndpointDeleted", ...over } as never;
  const kind = over.kind as "delete-floating-ip" | "delete-load-balancer";
  const writer = { kube: world.kube, signal: new AbortController().signal } as unknown as Writer;
  await keepNamed({ name: "api-endpoint" }, executors)[kind](action, writer);
}

const floatingIp = { kind: "delete-floating-ip", address: floating } as Partial<Addressed<CloudAction>>;
const balancer = { kind: "delete-load-balancer", vipAddress: vip } as Partial<Addressed<CloudAction>>;

test("an address goes where no DNSEndpoint is, and where it names others", async () => {
  await giveBack(floatingIp);
  await restored(["203.0.113.8"]);
  await giveBack(floatingIp);
  await giveBack(balancer);
  expect(givenBack).toEqual(["delete-floating-ip", "delete-floating-ip", "delete-load-balancer"]);
});

test("one that the DNSEndpoint names, whatever the cache shows, stays until it does not", async () => {
  await restored([floating, vip]);
  for (const action of [floatingIp, balancer])
    await expect(giveBack(action)).rejects.toMatchObject({ reason: "WriteConflict" });
  expect(givenBack).toEqual([]);
  await world.kube.delete(dnsEndpoints, object);
  await giveBack(floatingIp);
  await giveBack(balancer);
  expect(givenBack).toEqual(["delete-floating-ip", "delete-load-balancer"]);
});

test("one that somebody else's DNSEndpoint names stays, but not for a cluster that goes", async () => {
  await restored([floating], "u2");
  await expect(giveBack({ ...floatingIp, because: "ZoneRemoved" })).rejects.toMatchObject({ reason: "WriteConflict" });
  await giveBack(floatingIp);
  expect(givenBack).toEqual(["delete-floating-ip"]);
});

test("nothing goes while the records cannot be read", async () => {
  const kube = { get: async () => Promise.reject(new Error("no answer")) };
  const writer = { kube, signal: new AbortController().signal } as unknown as Writer;
  const executors = { "delete-floating-ip": async () => void givenBack.push("it") } as never;
  const action = { ...floatingIp, object, uid: "u1", because: "EndpointDeleted" } as never;
  await expect(keepNamed({ name: "api-endpoint" }, executors)["delete-floating-ip"](action, writer)).rejects.toThrow(
    "no answer",
  );
  expect(givenBack).toEqual([]);
});

test("a balancer that is made again keeps its VIP: nobody asks", async () => {
  await restored([vip]);
  await giveBack({ kind: "delete-load-balancer", because: "LoadBalancerInError" });
  expect(givenBack).toEqual(["delete-load-balancer"]);
});
