// A manager begins, and a role no longer lets it list a kind. What it cannot read is unknown, and never absent: nothing is taken away
// because of it, and people are told which right is missing.

import { afterEach, beforeEach, expect, test } from "vitest";
import { clusters } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { dnsEndpoints } from "../../../src/apis/external-dns/dns-endpoint.ts";
import { customResourceDefinitions } from "../../../src/apis/kube/builtin-kinds.ts";
import type { Kind } from "../../../src/apis/kube/kube-object.ts";
import { KubeError } from "../../../src/core/kube-error.ts";
import type { Kube } from "../../../src/ports/kube.ts";
import { openCrd } from "../../../src/sim/fakes/kube/open-crd.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNames, countsByKind, floatingIps } from "../world/cloud-contents.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const minuteMs = 60_000;
let world: EndpointWorld;
let running: TestManager;
let forbidden: Kind | undefined;

function forbidding(kube: Kube): Kube {
  const guarded = <K extends "get" | "list" | "watch" | "patch" | "apply" | "create" | "delete">(verb: K): Kube[K] =>
    ((kind: Kind, ...rest: readonly unknown[]) => {
      if (forbidden !== undefined && kind.plural === forbidden.plural)
        throw new KubeError({ code: "Forbidden", message: "no role allows it" });
      return Reflect.apply(kube[verb], kube, [kind, ...rest]);
    }) as Kube[K];
  const reads = { get: guarded("get"), list: guarded("list"), watch: guarded("watch") };
  const writes = { patch: guarded("patch"), apply: guarded("apply"), create: guarded("create") };
  return { ...kube, ...reads, ...writes, delete: guarded("delete") };
}

async function restarted(): Promise<void> {
  const stopping = running.manager.stop();
  await world.clock.advance(5_000);
  await stopping;
  running = world.manager({ through: forbidding });
  await world.clock.advance(2 * minuteMs);
}

const told = async (type: string) =>
  ((await world.read("blue")).status?.conditions ?? []).find((one: { readonly type: string }) => one.type === type);

const published = async () =>
  ((await world.kube.get(dnsEndpoints, { name: "blue", namespace })).spec?.endpoints ?? []).flatMap(
    ({ targets }) => targets,
  );

beforeEach(async () => {
  forbidden = undefined;
  world = new EndpointWorld();
  await world.furnish();
  await world.define(openCrd(dnsEndpoints));
  running = world.manager({ through: forbidding });
  const controlPlaneEndpoint = { host: "api.blue.example.com", port: 6443 };
  const spec = { controlPlaneEndpoint, apiServerLoadBalancer: world.zones(["az1", "az2"]) };
  await world.cluster("blue", { spec, annotations: { "mainstay.dev/publish-dns": "true" } });
  for (const zone of ["az1", "az2"]) await world.machine("blue", zone);
  await world.clock.advance(5 * minuteMs);
});

afterEach(async () => {
  const stopping = running.manager.stop();
  await world.clock.advance(minuteMs);
  await stopping;
});

test("no address that a DNSEndpoint may name is given away while DNSEndpoints may not be listed", async () => {
  expect(await published()).toHaveLength(2);
  forbidden = dnsEndpoints;
  await restarted();
  await world.patch("blue", { spec: { apiServerLoadBalancer: world.zones(["az2"]) } });
  await world.clock.advance(10 * minuteMs);
  const attached = floatingIps(world).flatMap(({ address, portId }) => (portId === undefined ? [] : [address]));
  expect(attached.toSorted()).toEqual((await published()).toSorted());
  const unknown = { status: "Unknown", reason: "PermissionDenied", message: expect.stringContaining("dnsendpoints") };
  expect(await told("APIEndpointReady")).toMatchObject(unknown);
  expect(await told("Ready")).toMatchObject(unknown);
  forbidden = undefined;
  await world.clock.advance(10 * minuteMs);
  expect([balancerNames(world).length, floatingIps(world).length, (await published()).length]).toEqual([1, 1, 1]);
  expect(await told("Ready")).toMatchObject({ status: "True" });
});

test("where the definition of DNSEndpoints is not installed there are none, and a zone's address is given back", async () => {
  await world.patch("blue", { metadata: { annotations: { "mainstay.dev/publish-dns": null } } });
  await world.clock.advance(minuteMs);
  await world.kube.delete(customResourceDefinitions, { name: "dnsendpoints.externaldns.k8s.io" });
  await restarted();
  await world.patch("blue", { spec: { apiServerLoadBalancer: world.zones(["az2"]) } });
  await world.clock.advance(10 * minuteMs);
  expect([balancerNames(world).length, floatingIps(world).length]).toEqual([1, 1]);
});

test("a cluster whose Cluster may not be read says so, changes nothing, and goes on when it may", async () => {
  forbidden = clusters;
  await restarted();
  const before = countsByKind(world);
  await world.remove("blue");
  for (const zone of ["az1", "az2"]) await world.removeMachine(`blue-${zone}`);
  await world.clock.advance(10 * minuteMs);
  expect(countsByKind(world)).toEqual(before);
  expect(await told("RoundFailed")).toMatchObject({
    status: "True",
    reason: "PermissionDenied",
    message: expect.stringContaining("clusters.cluster.x-k8s.io"),
  });
  forbidden = undefined;
  await world.clock.advance(15 * minuteMs);
  await expect(world.read("blue")).rejects.toMatchObject({ code: "NotFound" });
  expect(countsByKind(world)).toMatchObject({ loadbalancers: 0, floatingips: 0 });
});
