// Members are counted on every port: the API's decides about DNS, and each of them about MembersHealthy.

import { beforeEach, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  machine,
  tcpPorts,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";

let world: CloudModel;

beforeEach(() => {
  world = new CloudModel(zonesIntent(["az1", "az2"], { additionalPorts: tcpPorts(9345), publishDns: true }));
  world.join(machine("az1", 1), machine("az2", 1));
  world.converge();
  world.nowMs += 600_000;
});

const condition = (type: string) => world.status?.conditions.find((one) => one.type === type);
const sidePool = () => {
  const { listeners, pools } = world.row(zoneBalancerName("az2"));
  const id = listeners.find(({ port }) => port === 9345)?.defaultPoolId;
  return pools.find((pool) => pool.id === id);
};

/** Nobody answers on port 9345 of zone az2; on the API port everybody does. */
function killSidePort(): void {
  for (const member of sidePool()?.members ?? []) member.provisioningStatus = "PENDING_DELETE";
}

test("a dead additional port is shown, said, and changes no records", () => {
  const before = world.object.dnsEndpoint?.addresses;
  killSidePort();
  const plan = world.plan();
  world.report(plan);
  expect(world.status?.zones.map(({ health, members, ports }) => ({ health, members, ports }))).toEqual([
    {
      health: "Healthy",
      members: { total: 1, healthy: 1 },
      ports: [
        { port: 6443, protocol: "TCP", total: 1, healthy: 1 },
        { port: 9345, protocol: "TCP", total: 1, healthy: 1 },
      ],
    },
    {
      health: "Degraded",
      members: { total: 1, healthy: 1 },
      ports: [
        { port: 6443, protocol: "TCP", total: 1, healthy: 1 },
        { port: 9345, protocol: "TCP", total: 1, healthy: 0 },
      ],
    },
  ]);
  expect(condition("MembersHealthy")).toMatchObject({
    status: "False",
    reason: "MembersUnhealthy",
    message: "az2: port 9345: 0 of 1 machine answers",
  });
  expect(plan.refusals.map(({ message }) => message)).toContain(
    `${zoneBalancerName("az2")}: port 9345: 1 of 1 machine does not answer: cp-az2-1 (10.6.2.1)`,
  );
  world.nowMs += 60_000;
  world.round();
  expect(world.object.dnsEndpoint?.addresses).toEqual(before);
});

test("an additional port that nobody watches leaves MembersHealthy unknown", () => {
  const { monitors, lb } = world.row(zoneBalancerName("az2"));
  for (const monitor of monitors) if (monitor.poolId === sidePool()?.id) monitor.provisioningStatus = "ERROR";
  lb.updatedAt = new Date(world.nowMs).toISOString();
  world.report();
  expect(condition("MembersHealthy")).toMatchObject({
    status: "Unknown",
    message: expect.stringContaining("no health monitor checks the machines of port 9345 of az2"),
  });
});

test("an additional port whose listener is in ERROR, and has no pool, leaves MembersHealthy unknown", () => {
  const row = world.row(zoneBalancerName("az2"));
  const listener = row.listeners.find(({ port }) => port === 9345);
  row.pools = row.pools.filter(({ id }) => id !== listener?.defaultPoolId);
  Object.assign(listener ?? {}, { provisioningStatus: "ERROR", defaultPoolId: undefined });
  world.report();
  expect(condition("MembersHealthy")).toMatchObject({
    status: "Unknown",
    reason: "LoadBalancerInError",
    message: expect.stringMatching(/^nobody knows who answers: port 9345 of az2 \(listener .* in ERROR\)/),
  });
});

test("with the API port alone, status says nothing of ports", () => {
  world.intent = { ...world.intent, additionalPorts: [] };
  world.converge();
  expect(world.status?.zones.map(({ ports }) => ports)).toEqual([undefined, undefined]);
});
