// Every sample of the gateway job is taken as it stands: pools with admission and without a warning, the agent's file by the agent, and the
// Service gets an address.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { parseAgentConfiguration } from "../../src/jobs/gateway/agent/configuration/agent-configuration.ts";
import { type GatewayPool, gatewayPools } from "../../src/jobs/gateway/apis/gateway-pool.ts";
import { gatewayPoolProblems } from "../../src/jobs/gateway/apis/gateway-pool-validation.ts";
import type { Service } from "../../src/jobs/gateway/apis/kube-objects.ts";
import { serviceKind } from "../../src/jobs/gateway/controller/observe.ts";
import { poolRangeProblems } from "../../src/jobs/gateway/core/pools/pool-problems.ts";
import type { TestManager } from "../support/test-manager.ts";
import { GatewayWorld } from "./world/gateway-world.ts";

const folder = join(import.meta.dirname, "..", "..", "deploy", "samples");
const textOf = (file: string) => readFileSync(join(folder, file), "utf8");

let world: GatewayWorld;
let running: TestManager | undefined;
beforeEach(async () => {
  world = new GatewayWorld();
  await world.furnish();
});
afterEach(async () => {
  const stopped = running?.manager.stop();
  await world.clock.advance(40_000);
  await stopped;
});

test.each(["gatewaypool-static.yaml", "gatewaypool-openstack.yaml"])("%s", async (file) => {
  const pool = parse(textOf(file)) as GatewayPool;
  expect([...gatewayPoolProblems(pool), ...poolRangeProblems(pool)]).toEqual([]);
  const created = await world.kube.create(gatewayPools, pool);
  // Nothing was dropped or filled in.
  expect(created.spec).toMatchObject({ ...pool.spec });
});

test("the agent's configuration", () => {
  const checked = parseAgentConfiguration(textOf("../agent/agent.yaml"), "agent.yaml");
  expect(checked).toMatchObject({ ok: true, configuration: { name: "gw1", listen: { port: 15_203 } } });
});

test("gateway-service.yaml is served by the default pool, and by the names of the sample's gateways", async () => {
  const { metadata, spec } = parse(textOf("gatewaypool-static.yaml")) as GatewayPool;
  const gateways = (spec?.gateways ?? []).map(({ name }) => world.gateway(name));
  await world.pool(metadata.name, { ...spec, gateways });
  await world.kube.create(serviceKind, parse(textOf("gateway-service.yaml")) as Service);
  running = world.work();
  await world.clock.advance(30_000);
  expect(await world.addresses("web")).toEqual(["192.0.2.10"]);
});
