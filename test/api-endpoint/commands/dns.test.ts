// mainstay dns records: what a person publishes, from the same function as the controller's own records.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { clusters, machines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { dnsEndpoints } from "../../../src/apis/external-dns/dns-endpoint.ts";
import { customResourceDefinitions } from "../../../src/apis/kube/builtin-kinds.ts";
import { apiEndpoints } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import { openStackClusters } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import { openCrd } from "../../../src/sim/fakes/kube/open-crd.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { mainstay } from "../world/endpoint-commands.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const host = "api.blue.example.com";
let world: EndpointWorld;
let working: TestManager;
let addresses: readonly string[];

async function build(asked: Readonly<Record<string, string>> = {}): Promise<void> {
  world = new EndpointWorld();
  await world.furnish();
  await world.kube.create(customResourceDefinitions, openCrd(dnsEndpoints));
  await world.clock.advance(100);
  working = world.work();
  const spec = { controlPlaneEndpoint: { host, port: 6443 }, apiServerLoadBalancer: world.zones() };
  await world.cluster("blue", { spec, annotations: asked });
  addresses = [];
  for (const zone of ["az1", "az2", "az3"]) addresses = [...addresses, await world.machine("blue", zone)];
  await world.clock.advance(120_000);
}

const records = (...more: readonly string[]) => mainstay(world, ["dns", "records", `${namespace}/blue`, ...more]);

async function published(): Promise<readonly (string | undefined)[]> {
  const { status } = await world.read("blue");
  return (status?.apiServerLoadBalancers ?? []).map(({ ip }) => ip);
}

async function take(zone: number, down: boolean): Promise<void> {
  world.lab.fake.faults.setMemberDown(`${addresses[zone]}:6443`, down);
  await world.clock.advance(5_000);
}

afterEach(async () => {
  await working.manager.stop();
});

describe("the records of a cluster with three zones", () => {
  beforeEach(() => build());

  test("are the addresses of all of them while all are healthy, and looking changes nothing", async () => {
    const before = await world.read("blue");
    const { code, out, err } = await records("-o", "json");
    expect([code, err]).toEqual([0, ""]);
    const answer = JSON.parse(out) as {
      readonly records: readonly { readonly address: string; readonly zones: readonly string[] }[];
    };
    expect(answer.records.map(({ address }) => address)).toEqual((await published()).toSorted());
    expect(answer.records.flatMap(({ zones }) => zones).toSorted()).toEqual(["az1", "az2", "az3"]);
    expect((await world.read("blue")).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  test("are those of the object that is served, also where an APIEndpoint names the same Cluster", async () => {
    const before = await records("-o", "bind");
    const spec = {
      clusterRef: { name: "blue" },
      identityRef: { name: "cloud", cloudName: "lab" },
      controlPlaneEndpoint: { host, port: 6443 },
      apiServerLoadBalancer: world.zones(),
    };
    const rival = { apiVersion: "mainstay.dev/v1alpha1", kind: "APIEndpoint", metadata: { name: "blue", namespace } };
    await world.kube.create(apiEndpoints, { ...rival, spec });
    await world.clock.advance(30_000);
    expect(await records("-o", "bind")).toEqual(before);
  });

  test("leave a zone out whose members do not answer, and say so beside them", async () => {
    const [, second] = await published();
    await take(1, true);
    const { code, out, err } = await records();
    expect(code).toBe(0);
    expect(out).toMatch(/az1 +203\.0\.113\.\d+ +1 of 1 machine answers\naz2 +left out +0 of 1 machine answers/);
    expect(err).toBe("zone az2 is left out: its machine does not answer");
    expect(out).not.toContain(second);
  });

  test("are never nothing: when every zone is bad, all of them stay", async () => {
    for (const zone of [0, 1, 2]) await take(zone, true);
    const { code, out, err } = await records("-o", "bind");
    expect(code).toBe(0);
    expect(out.match(/\tA\t/g)).toHaveLength(3);
    expect(err).toMatch(/zone az1 is in: its machine does not answer/);
  });

  test("lead to balancers that are to go as long as no other serves", async () => {
    const before = await published();
    await world.kube.delete(machines, { name: "blue-az3", namespace });
    await world.patch("blue", { spec: { apiServerLoadBalancer: world.zones(["az3"]) } });
    await world.clock.advance(120_000);
    const { code, out, err } = await records();
    expect(code).toBe(0);
    expect(out).toMatch(/az3 +left out +none\n/);
    const standIns = [...out.matchAll(/^- +(203\.0\.113\.\d+) +used while no zone serves$/gm)].map(
      ([, address = ""]) => address,
    );
    expect(standIns).toHaveLength(2);
    for (const address of standIns) {
      expect(before).toContain(address);
      expect(err).toContain(`${address} is in: its balancer is to go, but serves while no other does`);
    }
  });

  test("are lines that a name server takes", async ({ skip }) => {
    const { out } = await records("-o", "bind");
    expect(out).toContain(`${host}.\t30\tIN\tA\t203.0.113.`);
    const checked = checkZone("blue.example.com", out);
    if (checked === undefined) skip("named-checkzone is not installed; Debian's bind9-utils brings it");
    expect(checked?.said).toMatch(/OK/);
    expect(checked?.status).toBe(0);
    // It can say no.
    expect(checkZone("blue.example.com", out.replace("\tA\t", "\tAAAA\t"))?.status).not.toBe(0);
  });

  test("are not to be published while a zone cannot be seen", async () => {
    const id = (await world.balancers()).find(({ name }) => name.includes("az3"))?.id;
    const stop = world.lab.fake.addCallPlan(({ operation, target }) =>
      operation === "get status tree" && target === id ? { turnAway: { status: 503 } } : undefined,
    );
    const { code, out, err } = await records("-o", "json");
    stop();
    expect(code).toBe(3);
    expect(err).toMatch(/zone az3 is left out: its health could not be seen[^]*do not publish them/);
    expect(JSON.parse(out)).toMatchObject({ complete: false, leftOut: [{ zone: "az3" }] });
  });

  test.each(["octavia", "neutron"])("are not printed at all while %s is away", async (service) => {
    const stop = world.lab.fake.addCallPlan((call) =>
      call.service === service ? { turnAway: "unreachable" } : undefined,
    );
    const { code, out, err } = await records("-o", "bind");
    stop();
    expect([code, out]).toEqual([3, ""]);
    expect(err).toContain("leave the records as they are");
  });
});

describe("when the controller publishes the records itself", () => {
  beforeEach(() => build({ "mainstay.dev/publish-dns": "true" }));

  test("the command says the same", async () => {
    const { code, out } = await records("-o", "external-dns");
    const { metadata, spec } = parse(out) as { readonly metadata: object; readonly spec: object };
    expect([code, metadata]).toEqual([0, { name: "blue", namespace }]);
    expect(await world.kube.get(dnsEndpoints, { name: "blue", namespace })).toMatchObject({ spec });
  });

  test("a zone that has just turned bad stays in as long as the controller keeps it", async () => {
    const before = (await published()).toSorted();
    world.lab.fake.faults.setMemberDown(`${addresses[1]}:6443`, true);
    await world.clock.advance(2_000);
    const { out, err } = await records("-o", "json");
    expect(
      (JSON.parse(out) as { readonly records: readonly { readonly address: string }[] }).records.map(
        ({ address }) => address,
      ),
    ).toEqual(before);
    expect(err).toContain("zone az2 is in: its machine does not answer; its records stay for now");
    await world.clock.advance(120_000);
    const later = await records("-o", "external-dns");
    const { spec } = parse(later.out) as {
      readonly spec: { readonly endpoints: readonly { readonly targets: readonly string[] }[] };
    };
    expect(spec.endpoints[0]?.targets).toHaveLength(2);
    expect(await world.kube.get(dnsEndpoints, { name: "blue", namespace })).toMatchObject({ spec });
  });

  test("what cannot be seen is remembered", async () => {
    const before = (await published()).toSorted();
    const stop = world.lab.fake.addCallPlan(({ operation }) =>
      operation === "get status tree" ? { turnAway: { status: 503 } } : undefined,
    );
    const { code, out, err } = await records("-o", "json");
    stop();
    expect([
      code,
      (JSON.parse(out) as { readonly records: readonly { readonly address: string }[] }).records.map(
        ({ address }) => address,
      ),
    ]).toEqual([0, before]);
    expect(err).toContain("its records stay as they were");
  });
});

describe("there are no records", () => {
  beforeEach(() => build());

  test("for an object that nobody manages, or that asks for no balancers, or whose endpoint is an address", async () => {
    const said = async (change: object) => {
      await world.kube.patch(openStackClusters, { name: "blue", namespace }, { type: "merge", body: change });
      const { code, out, err } = await records();
      return [code, out, err];
    };
    await working.manager.stop();
    const agreed = { metadata: { annotations: { "mainstay.dev/remove-legacy": "true" } } };
    expect(await said({ ...agreed, spec: { apiServerLoadBalancer: { enabled: false } } })).toEqual([
      1,
      "",
      expect.stringContaining("it asks for no balancers"),
    ]);
    const single = { enabled: true, availabilityZoneSubnets: null };
    expect(
      await said({ spec: { apiServerLoadBalancer: single, controlPlaneEndpoint: { host: "203.0.113.9" } } }),
    ).toEqual([1, "", expect.stringContaining("its endpoint 203.0.113.9 is no DNS name")]);
    expect(await said({ metadata: { annotations: { "mainstay.dev/owner-id": null } } })).toEqual([
      1,
      "",
      expect.stringContaining("Mainstay does not manage it yet"),
    ]);
  });

  test("for an object that is being deleted: what is published stays until its machines are gone", async () => {
    await world.kube.delete(openStackClusters, { name: "blue", namespace });
    const { code, out, err } = await records();
    expect([code, out, err]).toEqual([1, "", expect.stringContaining("it is being deleted")]);
  });

  test("for a cluster that is not there, or has nothing to do with OpenStack", async () => {
    await world.put(clusters, "red", { infrastructureRef: { kind: "DockerCluster", name: "red" } });
    const red = await mainstay(world, ["dns", "records", "red", "-n", namespace]);
    expect([red.code, red.err]).toEqual([5, expect.stringContaining("its infrastructure is of kind DockerCluster")]);
    const green = await mainstay(world, ["dns", "records", "green"]);
    expect([green.code, green.err]).toEqual([5, expect.stringContaining("there is no Cluster default/green")]);
  });
});

/** Undefined where the tool is not installed. */
function checkZone(zone: string, lines: string): { readonly status: number | null; readonly said: string } | undefined {
  const folder = mkdtempSync(join(tmpdir(), "mainstay-zone-"));
  try {
    const file = join(folder, "zone");
    const head = `$TTL 300\n@ IN SOA ns.${zone}. hostmaster.${zone}. 1 3600 600 86400 30\n@ IN NS ns.${zone}.\nns IN A 192.0.2.1\n`;
    writeFileSync(file, `${head}${lines}\n`);
    const { status, stdout, error } = spawnSync("named-checkzone", [zone, file], { encoding: "utf8" });
    return error === undefined ? { status, said: stdout } : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
