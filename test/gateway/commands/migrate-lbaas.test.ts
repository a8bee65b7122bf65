// The switch from ch-k8s-lbaas, as a person prepares it: from the reference's own file, on a cluster that the reference looked after.

import { beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { referenceManagedAnnotation, referencePortAnnotation } from "../../../src/jobs/gateway/apis/annotations.ts";
import { gatewayPools } from "../../../src/jobs/gateway/apis/gateway-pool.ts";
import { gatewayPoolProblems } from "../../../src/jobs/gateway/apis/gateway-pool-validation.ts";
import { mainstay } from "../world/gateway-commands.ts";
import { GatewayWorld } from "../world/gateway-world.ts";

const secret = "YS1zZWNyZXQtb2YtYm90aC1zaWRlcw==";
const fixed = `
bind-address = "0.0.0.0"
port-manager = "static"
backend-layer = "Pod"
[static]
ipv4-addresses = ["192.0.2.10", "192.0.2.11"]
[agents]
shared-secret = "${secret}"
token-lifetime = 60
additional-address-pairs = ["10.9.9.9"]
[[agents.agent]]
url = "http://gw1"
[[agents.agent]]
url = "http://gw2/"
`;

let world: GatewayWorld;
beforeEach(async () => {
  world = new GatewayWorld();
  await world.furnish();
});

async function migrate(text: string, ...flags: readonly string[]) {
  return await mainstay(world, ["migrate", "lbaas", "--config", "c.toml", ...flags], { "c.toml": text });
}

async function served(name: string, port: string, spec: object = {}): Promise<void> {
  await world.service(name, {
    annotations: { [referenceManagedAnnotation]: "true", [referencePortAnnotation]: port },
    spec,
  });
}

const source = ["--source-address", "10.1.0.100", "--source-address", "10.1.0.101"];

test("prints a pool that the API server takes, with the same addresses, backends and gateways, and no secret", async () => {
  const { code, out, err } = await migrate(fixed, ...source, "--name", "public");
  expect([code, err]).toEqual([0, ""]);
  const pool = parse(out.slice(out.indexOf("apiVersion:")));
  expect(pool.spec).toMatchObject({
    gateways: [
      { name: "gw1", url: "http://gw1", credentialsRef: { namespace: "mainstay-system", name: "lbaas-agents" } },
      { name: "gw2", url: "http://gw2" },
    ],
    addresses: { static: { ipv4: ["192.0.2.10", "192.0.2.11"] } },
    backendLayer: "Pod",
    vrrp: { mode: "Compat", virtualRouterIDBase: 51, groups: [{ sourceAddresses: ["10.1.0.100", "10.1.0.101"] }] },
  });
  expect(gatewayPoolProblems(pool)).toEqual([]);
  await world.kube.create(gatewayPools, pool);
  expect(out).not.toContain(secret);
  expect(out).toContain("agents.additional-address-pairs (10.9.9.9)");
});

test("a pool for OpenStack names subnet, floating IPs and the ports of gateways; an agent by address gets a name", async () => {
  const cloud = `
[openstack.auth]
auth-url = "https://keystone.example.com"
password = "hunter2hunter2"
[openstack.network]
use-floating-ips = true
floating-ip-network-id = "net-1"
subnet-id = "subnet-1"
[agents]
shared-secret = "${secret}"
[[agents.agent]]
url = "http://192.0.2.1:15203"
port-id = "port-1"
`;
  const { out } = await migrate(cloud, ...source, "--offline", "-o", "json");
  const { pool } = JSON.parse(out);
  expect(pool.spec).toMatchObject({
    gateways: [{ name: "gateway-1", url: "http://192.0.2.1:15203", externalPortID: "port-1" }],
    addresses: { neutron: { subnets: { ipv4: { id: "subnet-1" } }, floatingIPs: { networkID: "net-1" } } },
    backendLayer: "NodePort",
  });
  expect(out).not.toContain("hunter2");
});

test("says what has to be corrected first, and ends with 1", async () => {
  await served("web", "192.0.2.10");
  await served("classy", "192.0.2.11", { loadBalancerClass: "example.com/other" });
  await served("lost", "203.0.113.1");
  const { code, out } = await migrate(fixed);
  expect(code).toBe(1);
  expect(out).toContain("3 are managed by ch-k8s-lbaas; 3 have an address on record, which stays");
  expect(out).toContain("NO    pool: no source address is chosen");
  expect(out).toContain("NO    Services: default/classy: they have a loadBalancerClass");
  expect(out).toContain("NO    Services: default/lost: the address on record is not in the pool's list");
});

test("asks agents what they are; one that does not answer is not known, and ends with 3", async () => {
  world.feed.agents.delete("http://gw2");
  const { code, out } = await migrate(fixed.replace("http://gw2/", "http://gw2"), ...source, "--agents");
  expect(out).toContain("ok    agent gw1: runs Mainstay's agent 1");
  expect(out).toContain("?     agent gw2: connection refused");
  expect(code).toBe(3);
});

test("says every step of the switch and of the way back", async () => {
  const { out } = await migrate(fixed, ...source, "--offline");
  const [, forth = "", back = ""] = out.split(/The switch:|The way back:/);
  const order = [
    "crds install",
    "create secret generic lbaas-agents",
    "mainstay agent --config",
    "--replicas=0",
    "apply -f pool.yaml",
    "VRRP3",
  ];
  expect(order.map((step) => forth.indexOf(step)).toSorted((a, b) => a - b)).toEqual(
    order.map((step) => forth.indexOf(step)),
  );
  for (const step of order) expect(forth).toContain(step);
  for (const step of ["Compat", "nft delete table ip mainstay", "--replicas=1", "delete gatewaypool lbaas"])
    expect(back).toContain(step);
});

// biome-ignore format: a table reads best as a table
test.each([
  ["no TOML", "a = = b", "is no TOML"],
  ["no agents", 'port-manager = "static"\n[static]\nipv4-addresses = ["192.0.2.1"]', "agents"],
  ["an unknown layer", fixed.replace('"Pod"', '"Pods"'), "backend-layer"],
  ["a short secret", fixed.replace(secret, "YWJj"), "agents.shared-secret"],
  ["no address", fixed.replace('["192.0.2.10", "192.0.2.11"]', "[]"), "static.ipv4-addresses"],
  ["no subnet", fixed.replace('port-manager = "static"', ""), "openstack.network.subnet-id"],
] as const)("a file with %s ends with 2, names the field and quotes no secret", async (_, text, field) => {
  const { code, err } = await migrate(text, "--offline");
  expect(code).toBe(2);
  expect(err).toContain(field);
  expect(err).not.toContain(secret);
});
