// What somebody reads who meets the job for the first time: commands say what is so, name the thing, and say what to do.

import { afterEach, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { clusters, machines, openStackMachines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { dnsEndpoints } from "../../../src/apis/external-dns/dns-endpoint.ts";
import { customResourceDefinitions } from "../../../src/apis/kube/builtin-kinds.ts";
import { apiEndpoints } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import { openCrd } from "../../../src/sim/fakes/kube/open-crd.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { floatingIps } from "../world/cloud-contents.ts";
import { mainstay } from "../world/endpoint-commands.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const host = "api.blue.example.com";
const blue = `openstackcluster/${namespace}/blue`;
const publish = "mainstay.dev/publish-dns";
let world: EndpointWorld;
let working: TestManager | undefined;

async function build(
  block: (made: EndpointWorld) => object = (made) => made.zones(),
  annotations: Readonly<Record<string, string>> = {},
): Promise<void> {
  world = new EndpointWorld();
  await world.furnish();
  await world.kube.create(customResourceDefinitions, openCrd(dnsEndpoints));
  await world.clock.advance(100);
  working = world.work();
  const spec = { controlPlaneEndpoint: { host, port: 6443 }, apiServerLoadBalancer: block(world) };
  await world.cluster("blue", { spec, annotations });
  for (const zone of ["az1", "az2", "az3"]) await world.machine("blue", zone);
  await world.clock.advance(120_000);
}

const one = () => ({ enabled: true });

async function change(block: object): Promise<void> {
  await world.patch("blue", { spec: { apiServerLoadBalancer: block } });
  await world.clock.advance(200_000);
}

const say = (...args: readonly string[]) => mainstay(world, args);

async function statusLine(): Promise<string> {
  const { out } = await say("status");
  return out.split("\n").find((line) => line.includes("/blue")) ?? "";
}

async function data<T>(...args: readonly string[]): Promise<T> {
  return JSON.parse((await say(...args, "-o", "json")).out) as T;
}

afterEach(async () => {
  await working?.manager.stop();
  working = undefined;
});

describe("balancers that are switched off", () => {
  const off = { enabled: false, availabilityZoneSubnets: null, network: null };
  const kept = "balancers are switched off, and it is kept because it is the last way in";
  const agree = "annotate mainstay.dev/remove-legacy=true";

  test.each([
    ["one balancer", one],
    ["zones", undefined],
  ])(
    "of a cluster with %s: the last one is kept, and status says so, and what would let it go",
    async (_was, block) => {
      await build(block);
      await change(off);
      expect(await world.balancers()).toHaveLength(1);
      const line = await statusLine();
      expect(line).toMatch(/ refused /);
      expect(line).toContain(kept);
      expect(line).toContain(agree);
      expect((await say("plan", blue)).out).toContain(kept);
      const { conditions = [] } = (await world.read("blue")).status ?? {};
      expect(conditions.find(({ type }) => type === "Ready")?.status).toBe("True");
      expect(conditions).toContainEqual(
        expect.objectContaining({ type: "LoadBalancerKept", status: "True", reason: "LastLoadBalancerKept" }),
      );
    },
  );

  test("leave the record of the one that is kept, printed and published, until it is agreed that it goes", async () => {
    await build(undefined, { [publish]: "true" });
    await change(off);
    const [left] = await world.balancers();
    const address = floatingIps(world).find(({ portId }) => portId === left?.vipPortId)?.address ?? "none";
    const { code, out, err } = await say("dns", "records", `${namespace}/blue`);
    expect([code, out]).toEqual([0, expect.stringContaining(address)]);
    expect(err).toContain(`${address} is in: ${kept.replace(", and it is", ", and its balancer is")}`);
    expect(await data("dns", "records", `${namespace}/blue`)).toMatchObject({ records: [{ address, zones: [] }] });
    const { spec } = await world.kube.get(dnsEndpoints, { name: "blue", namespace });
    expect(spec?.endpoints).toMatchObject([{ targets: [address] }]);
    await world.patch("blue", { metadata: { annotations: { "mainstay.dev/remove-legacy": "true" } } });
    await world.clock.advance(200_000);
    expect(await world.balancers()).toHaveLength(0);
    await expect(world.kube.get(dnsEndpoints, { name: "blue", namespace })).rejects.toMatchObject({ code: "NotFound" });
    const gone = await say("dns", "records", `${namespace}/blue`);
    expect([gone.code, gone.err]).toEqual([1, expect.stringContaining("it asks for no balancers, and has none")]);
  });

  test("keep the last one fit: machines that come stand behind it, and those that go leave it", async () => {
    await build(one);
    await change(off);
    for (const zone of ["az1", "az2", "az3"]) {
      await world.machine("blue", zone, `new-${zone}`);
      await world.clock.advance(60_000);
      await world.kube.delete(machines, { name: `blue-${zone}`, namespace });
      await world.clock.advance(60_000);
    }
    const [left] = await world.balancers();
    expect(left?.operatingStatus).toBe("ONLINE");
    expect((await world.read("blue")).status?.apiServerLoadBalancer).toMatchObject({
      health: "Healthy",
      members: { healthy: 3, total: 3 },
    });
  });
});

describe("a plan", () => {
  test("says that somebody else's DNSEndpoint is in the way, and does not say that it would publish", async () => {
    await build();
    await world.put(dnsEndpoints, "blue", { endpoints: [] });
    await world.patch("blue", { metadata: { annotations: { [publish]: "true" } } });
    await world.clock.advance(60_000);
    const { out } = await say("plan", blue);
    expect(out).not.toContain("would publish");
    expect(out).toContain("refuses (DnsEndpointForeign): DNSEndpoint clusters/blue: it does not bear our mark");
    expect(await statusLine()).toMatch(/ refused .*DNSEndpoint clusters\/blue: it does not bear our mark/);
    await world.kube.delete(dnsEndpoints, { name: "blue", namespace });
    await world.clock.advance(60_000);
    expect(await statusLine()).toContain("Everything is as it should be.");
  });

  test("of a paused object says that it is paused, and by what", async () => {
    await build();
    await world.patch("blue", { metadata: { annotations: { "cluster.x-k8s.io/paused": "" } } });
    await world.clock.advance(60_000);
    const byAnnotation =
      "OpenStackCluster clusters/blue is paused by its annotation cluster.x-k8s.io/paused; Mainstay reads and changes nothing until that is removed";
    for (const command of ["plan", "explain"]) {
      const { out } = await say(command, blue);
      expect(out).toContain(`notes (EndpointPaused): ${byAnnotation}`);
      expect(out).not.toContain("nothing to do");
    }
    expect(await statusLine()).toContain(`Paused: ${byAnnotation}`);
    const body = { spec: { paused: true } };
    await world.kube.patch(clusters, { name: "blue", namespace }, { type: "merge", body });
    expect((await say("plan", blue)).out).toContain(
      "paused by its annotation cluster.x-k8s.io/paused and by spec.paused of Cluster clusters/blue; Mainstay reads and changes nothing until both are removed",
    );
    await world.patch("blue", { metadata: { annotations: { "cluster.x-k8s.io/paused": null } } });
    await world.clock.advance(60_000);
    expect(await statusLine()).toContain("paused by spec.paused of Cluster clusters/blue");
    const { conditions = [] } = (await world.read("blue")).status ?? {};
    expect(conditions.find(({ type }) => type === "Ready")?.status).toBe("Unknown");
  });
});

test("explain says what is written without effect, and which consent was left behind, long after admission did", async () => {
  const annotations = { "mainstay.dev/remove-legacy": "true", "mainstay.dev/repare": "true" };
  await build((made) => ({ ...made.zones(), allowCrossAZMembers: true }), annotations);
  const { out } = await say("explain", blue);
  expect(out).toContain("How it is written:\n");
  expect(out).toContain("spec.apiServerLoadBalancer.allowCrossAZMembers is not known and has no effect");
  expect(out).toContain("did you mean mainstay.dev/repair?");
  expect(out).toContain("metadata.annotations[mainstay.dev/remove-legacy]: nothing is to be removed now");
  const { warnings } = await data<{ readonly warnings: readonly string[] }>("explain", blue);
  expect(warnings).toHaveLength(3);
});

test("nothing is built while a field of the block is misspelt, also without webhooks, and plan says which one", async () => {
  await build((made) => {
    const { availabilityZoneSubnets, ...rest } = made.zones();
    return { ...rest, availabiltyZoneSubnets: availabilityZoneSubnets };
  });
  const { out } = await say("plan", blue);
  expect(out).toContain("availabiltyZoneSubnets: it is not known; did you mean availabilityZoneSubnets?");
  expect(await world.balancers()).toEqual([]);
});

describe("an object is named", () => {
  test.each(["osc", "OSC", "OpenStackClusters", "openstackclusters.infrastructure.cluster.x-k8s.io"])(
    "by the word %s",
    async (word) => {
      await build();
      for (const command of ["plan", "explain"])
        expect(await say(command, `${word}/${namespace}/blue`)).toMatchObject({ code: 0, err: "" });
    },
  );

  test("by the short name of the other door", async () => {
    await build();
    await world.kube.create(apiEndpoints, world.apiEndpoint("blue"));
    await world.clock.advance(5_000);
    expect(await say("explain", `apie/${namespace}/blue`)).toMatchObject({ code: 0, err: "" });
  });

  test.each([
    ["ocs/clusters/blue", '"ocs" is no kind', "Did you mean osc? Mainstay manages infrastructure"],
    ["pod/clusters/blue", '"pod" is no kind', "openstackcluster (osc), apiendpoint (apie)"],
    ["blue", '"blue" does not name an object', "Write <kind>/<name> or <kind>/<namespace>/<name>."],
    ["osc", '"osc" does not name an object', "Write osc/<namespace>/<name>."],
    ["osc/blue", "there is no OpenStackCluster default/blue", "Did you mean clusters/blue?"],
    ["osc/clusters/bleu", "there is no OpenStackCluster clusters/bleu", "Did you mean clusters/blue?"],
    ["osc/clusters/violet", "there is no OpenStackCluster clusters/violet", "mainstay status lists what is there."],
  ])("wrongly as %s: it says what is wrong and what was meant", async (name, error, hint) => {
    await build();
    for (const command of ["plan", "explain"]) {
      const { code, err } = await say(command, name);
      expect(code).toBe(error.startsWith("there is no") ? 5 : 2);
      expect(err).toContain(error);
      expect(err).toContain(hint);
    }
  });

  test.each([
    ["osc/clusters/blue", '"osc/clusters/blue" does not name a cluster', "Write clusters/blue."],
    ["blue", "there is no Cluster default/blue", "Did you mean clusters/blue?"],
    ["clusters/bleu", "there is no Cluster clusters/bleu", "Did you mean clusters/blue?"],
    ["osc/blue", "there is no Cluster osc/blue", "Did you mean clusters/blue?"],
    ["clusters/violet", "there is no Cluster clusters/violet", "kubectl get clusters -A lists what is there."],
  ])("wrongly as the cluster %s, likewise", async (name, error, hint) => {
    await build();
    for (const command of [
      ["dns", "records"],
      ["migrate", "api-endpoint", "--check"],
    ]) {
      const { code, err } = await say(...command, name);
      expect(code).toBe(error.startsWith("there is no") ? 5 : 2);
      expect(err).toContain(error);
      expect(err).toContain(hint);
    }
  });
});

describe("machines that stand behind no balancer", () => {
  const labels = { "cluster.x-k8s.io/cluster-name": "blue", "cluster.x-k8s.io/control-plane": "" };

  test("because they have no address yet are named, with what is waited for", async () => {
    await build();
    await world.put(openStackMachines, "bare", {}, { labels });
    const infrastructureRef = { kind: "OpenStackMachine", name: "bare" };
    await world.put(machines, "bare", { clusterName: "blue", failureDomain: "az1", infrastructureRef }, { labels });
    await world.clock.advance(60_000);
    const words = "machine bare: it has no address yet, so it is behind no balancer";
    expect(await statusLine()).toMatch(new RegExp(` in progress .*${words}`));
    const { out } = await say("explain", blue);
    expect(out).toContain(`waits (MachineWithoutAddress): ${words}`);
    expect(out).toContain("status.addresses of OpenStackMachine or Machine bare");
  });

  test("because their addresses are elsewhere are named, with the addresses and the subnets", async () => {
    await build();
    await world.machineAt("blue", "az2", "192.168.7.7", "away");
    await world.clock.advance(60_000);
    const words =
      "machine away: its address 192.168.7.7 is in none of the node subnets 10.0.1.0/24, 10.0.2.0/24, 10.0.3.0/24";
    expect(await statusLine()).toContain(words);
    expect((await say("explain", blue)).out).toContain(`notes (MemberAddressUnknown): ${words}`);
  });
});

describe("a balancer that is leaving", () => {
  interface Explained {
    readonly partsTable: {
      readonly rows: readonly { readonly name: string; readonly cells: readonly { text: string }[] }[];
    };
  }

  test("is marked in the zone table, with how long it still serves", async () => {
    await build();
    await world.patch("blue", { spec: { apiServerLoadBalancer: world.zones(["az1", "az2"]) } });
    await world.clock.advance(5_000);
    const { out } = await say("explain", blue);
    expect(out).toMatch(/^az2 +healthy +1 of 1 answers .* ACTIVE, ONLINE \(\S+, id \S+\)$/m);
    const [, goesAt = ""] =
      /^az3 +healthy +1 of 1 answers .* ACTIVE, ONLINE, leaving, goes at (\S+) \(\S+, id \S+\)$/m.exec(out) ?? [];
    const inMs = Date.parse(goesAt) - world.clock.nowMs();
    expect(Math.round(inMs / 10_000)).toBe(4);
    const { partsTable } = await data<Explained>("explain", blue);
    expect(partsTable.rows.map(({ name, cells }) => [name, cells[2]?.text])).toEqual([
      ["az1", "ACTIVE, ONLINE"],
      ["az2", "ACTIVE, ONLINE"],
      ["az3", `ACTIVE, ONLINE, leaving, goes at ${goesAt}`],
    ]);
  });
});

describe("asking whether a cluster can move", () => {
  const check = ["migrate", "api-endpoint", "--check", `${namespace}/blue`];
  const already = "clusters/blue has one API balancer per zone already, through its OpenStackCluster";

  test("says of one that has moved that there is nothing to move", async () => {
    await build();
    const { code, out } = await say(...check);
    expect([code, out.split("\n")[0]]).toEqual([0, `${already}: there is nothing to move.`]);
    expect(out).toContain("legacy balancer: there is none: every zone has its own already");
    expect(out).toContain("floating IPs: every zone has its own already");
    expect(out).not.toMatch(/gets a new one|What will happen|then, for/);
    expect(await data(...check)).toMatchObject({ answer: "moved", changes: { added: [], removed: [] }, steps: [] });
  });

  test("says what differs where zones come and go, and what is done then", async () => {
    await build((made) => made.zones(["az1", "az2"]));
    const spec = { ...(await world.read("blue")).spec, apiServerLoadBalancer: world.zones(["az1", "az3"]) };
    const object = { apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1", kind: "OpenStackCluster", spec };
    const files = { "/blue.yaml": stringify({ ...object, metadata: { name: "blue" } }) };
    const { code, out } = await mainstay(world, [...check, "-f", "/blue.yaml"], files);
    expect([code, out.split("\n")[0]]).toEqual([
      0,
      `${already}; zone az3 gets its balancer, the balancer of zone az2 goes.`,
    ]);
    expect(out).toContain(
      "note  zone az2: it is mapped no longer: k8s-clusterapi-cluster-clusters-blue-az2-kubeapi leaves",
    );
    expect(out).toContain("legacy balancer: there is none: a new one is made for az3");
    expect(out).toContain("you: apply the OpenStackCluster as proposed.");
  });

  test.each([
    ["v1beta1", "apiServerLoadBalancer", "spec.apiServerLoadBalancer"],
    ["v1beta2", "apiServer.managedLoadBalancer", "spec.apiServer.managedLoadBalancer"],
  ])("repeats what admission would warn of, in the words of %s", async (version, path, named) => {
    await build(one);
    const { apiServerLoadBalancer: _, ...rest } = (await world.read("blue")).spec ?? {};
    const block = { ...world.zones(), subnets: [{ id: world.lab.subnetIds[0] }], availabilityZone: "az1" };
    const spec = {
      ...rest,
      ...(path.includes(".") ? { apiServer: { managedLoadBalancer: block } } : { [path]: block }),
    };
    const metadata = { name: "blue", annotations: { "mainstay.dev/adopt-legcy": "true" } };
    const apiVersion = `infrastructure.cluster.x-k8s.io/${version}`;
    const files = { "/blue.yaml": stringify({ apiVersion, kind: "OpenStackCluster", metadata, spec }) };
    const { out } = await mainstay(world, [...check, "-f", "/blue.yaml"], files);
    expect(out).toContain(`note  spec: ${named}.subnets is ignored`);
    expect(out).toContain(`note  spec: ${named}.availabilityZone is ignored`);
    expect(out).toContain("did you mean mainstay.dev/adopt-legacy?");
  });

  test("says of one whose balancers are switched off that they are", async () => {
    await build((made) => ({ ...made.zones(), enabled: false }));
    const { code, out } = await say(...check);
    expect(code).toBe(1);
    expect(out).toContain("NO    proposal: the OpenStackCluster asks for no balancers: its enabled is false");
  });

  const own = "apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: OpenStackCluster\nmetadata: {name: blue}\n";
  test.each([
    ["hello", '/blue.yaml: "hello" is not an OpenStackCluster or an APIEndpoint.'],
    ["kind: List\napiVersion: v1", 'kind: "List" is not an OpenStackCluster or an APIEndpoint.'],
    ["metadata: {name: blue}", "kind: it is not set."],
    [
      own.replace("v1beta1", "v1beta3"),
      'apiVersion: "infrastructure.cluster.x-k8s.io/v1beta3" is not a version of OpenStackCluster that is known here. Write infrastructure.cluster.x-k8s.io/v1beta1 or infrastructure.cluster.x-k8s.io/v1beta2.',
    ],
    [own, "spec: it is not set."],
    [`${own}spec: {tags: blue}`, 'spec.tags: "blue" is not a list.'],
    [
      `${own}spec: {apiServerLoadBalancer: {additionalPorts: [80, x]}}`,
      'spec.apiServerLoadBalancer.additionalPorts.1: "x" is not a number.',
    ],
    [
      `${own}spec: {apiServerLoadBalancer: {monitor: {delay: soon}}}`,
      'spec.apiServerLoadBalancer.monitor.delay: "soon" is not a number.',
    ],
    [
      `${own}spec: {apiServerLoadBalancer: {availabilityZoneSubnets: [{availabilityZone: az1}]}}`,
      "spec.apiServerLoadBalancer.availabilityZoneSubnets.0.subnet: it is not set.",
    ],
  ])("with the file %j says what is wrong with it, and nothing else", async (file, problem) => {
    await build();
    const { code, err } = await mainstay(world, [...check, "-f", "/blue.yaml"], { "/blue.yaml": file });
    expect(code).toBe(2);
    const [error, ...problems] = err.split("\n");
    expect(error).toBe("error: /blue.yaml cannot be used");
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`  - ${problem}`);
  });
});
