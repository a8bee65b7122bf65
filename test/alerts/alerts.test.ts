// The recommended alerts, tried by promtool on samples that our own registry printed: with a hundred clusters, one that is sick fires, by
// name, and its healthy neighbours neither fire nor hide it.

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { CurrentReasons } from "../../src/engine/report/current-reasons.ts";
import { metricDefinitions } from "../../src/engine/report/metric-definitions.ts";
import { createMetrics, type Metrics } from "../../src/engine/report/metrics.ts";
import { ObjectGauges } from "../../src/engine/report/object-gauges.ts";
import { allJobs } from "../../src/jobs/all.ts";
import { endpointGauges } from "../../src/jobs/api-endpoint/core/status/gauges.ts";
import type { GatewayPool, GatewayStatus } from "../../src/jobs/gateway/apis/gateway-pool.ts";
import { agentMetrics } from "../../src/jobs/gateway/core/model/agent-metrics.ts";
import { poolGauges } from "../../src/jobs/gateway/core/status/pool-gauges.ts";
import { gatewayJob } from "../../src/jobs/gateway/job.ts";
import { CloudModel } from "../api-endpoint/model/cloud-model.ts";
import { machine, zoneBalancerName, zonesIntent } from "../api-endpoint/model/endpoint-builders.ts";
import { describeLab, labPromtool, type PromtoolLab } from "../lab.ts";

const rulesFile = join(import.meta.dirname, "..", "..", "deploy", "alerts", "mainstay.rules.yaml");
const zones = ["az1", "az2", "az3"];

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<"summary" | "description", string>>;
}
const rules = (
  parse(readFileSync(rulesFile, "utf8")) as { groups: readonly { rules: readonly Rule[] }[] }
).groups.flatMap((group) => group.rules);

/** A hundred clusters in three zones each, of which one may be sick. */
function fleet({ size = 100, sick = () => {}, objectLimit = 500 }: Fleet = {}): Metrics {
  const metrics = createMetrics(
    allJobs.map((job) => job.metrics),
    objectLimit,
  );
  metrics.leading.set(1);
  const gauges = new ObjectGauges(metrics);
  const healthy = endpointGauges(serving().observe());
  for (let n = 0; n < size; n += 1) gauges.set(`clusters/c${n}`, healthy);
  const world = serving();
  sick(world);
  gauges.set("clusters/c42", endpointGauges(world.observe()));
  return metrics;
}

interface Fleet {
  readonly size?: number;
  readonly sick?: (world: CloudModel) => void;
  readonly objectLimit?: number;
}

function serving(): CloudModel {
  const world = new CloudModel(zonesIntent(zones));
  world.join(...zones.map((zone) => machine(zone, 1)));
  world.converge();
  world.report();
  return world;
}

function zoneDark(world: CloudModel, ...numbers: readonly number[]): void {
  for (const number of numbers) world.up.delete(`10.6.${number}.1`);
  world.settle();
}

test("every alert says what is and what to do, and no two have one name", () => {
  expect(rules.length).toBeGreaterThan(7);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { labels, annotations } of rules) {
    expect(["critical", "warning", "info"]).toContain(labels["severity"]);
    expect(annotations.summary).toMatch(/\.$/);
    expect(annotations.description).toContain("mainstay ");
  }
});

test("alerts ask for metrics and labels that exist", () => {
  // Of gateways also what their agents print, which Prometheus gives an instance.
  const tables = [metricDefinitions, agentMetrics, gatewayJob.metrics, ...allJobs.map((job) => job.metrics)];
  const known = new Map(tables.flatMap((table) => Object.values(table)).map(({ name, labels }) => [name, labels]));
  for (const { expr } of rules) {
    const [, metric = "", matched = ""] = /\b(mainstay_\w+)(?:\{([^}]*)\})?/.exec(expr) ?? [];
    const by = /\bby \(([^)]*)\)/.exec(expr)?.[1]?.split(", ") ?? [];
    const ofAgent = Object.values<{ readonly name: string }>(agentMetrics).some(({ name }) => name === metric);
    const used = [
      ...by.filter((label) => !(ofAgent && label === "instance")),
      ...[...matched.matchAll(/(\w+)[=!]/g)].map(([, label = ""]) => label),
    ];
    expect([metric, known.get(metric)]).toEqual([metric, expect.arrayContaining(used)]);
  }
});

describeLab("promtool", labPromtool, (lab) => {
  const firing = async (metrics: Metrics) => await firingAfterAnHour(lab, await seriesOf(metrics));

  test("accepts the rules", async () => {
    await promisify(execFile)(lab.program, ["check", "rules", rulesFile]);
  });

  test("a hundred healthy clusters fire nothing", async () => {
    expect(await firing(fleet())).toEqual([]);
  });

  test("one sick zone among a hundred clusters fires, by cluster and zone", async () => {
    expect(await firing(fleet({ sick: (world) => zoneDark(world, 2) }))).toEqual([
      "MainstayZoneUnhealthy clusters/c42 az2",
    ]);
  });

  test("so it does among three thousand, of which most have no name in metrics", async () => {
    expect(await firing(fleet({ size: 3_000, sick: (world) => zoneDark(world, 2) }))).toEqual([
      "MainstayZoneUnhealthy clusters/c42 az2",
    ]);
  });

  test("where no object has a name, it fires as well", async () => {
    expect(await firing(fleet({ sick: (world) => zoneDark(world, 2), objectLimit: 0 }))).toEqual([
      "MainstayZoneUnhealthy (other) az2",
    ]);
  });

  test("a cluster that nobody reaches fires for itself and for each zone", async () => {
    expect(await firing(fleet({ sick: (world) => zoneDark(world, 1, 2, 3) }))).toEqual([
      "MainstayApiUnreachable clusters/c42",
      ...zones.map((zone) => `MainstayZoneUnhealthy clusters/c42 ${zone}`),
    ]);
  });

  test("a balancer in ERROR, a cloud that is away and a failed probe fire", async () => {
    const inError = (world: CloudModel) => {
      const { lb } = world.row(zoneBalancerName("az3"));
      world.row(zoneBalancerName("az3")).lb = { ...lb, provisioningStatus: "ERROR" };
    };
    expect(await firing(fleet({ sick: inError }))).toEqual(["MainstayLoadBalancerInError clusters/c42 az3"]);
    const away = (world: CloudModel) => {
      world.octaviaAway = true;
    };
    expect(await firing(fleet({ sick: away }))).toEqual(
      zones.map((zone) => `MainstayLoadBalancersUnknown clusters/c42 ${zone}`),
    );
    const silent = (world: CloudModel) => {
      world.probes = new Map(world.rows.map(({ lb }, index) => [lb.id, { failuresInARow: index === 1 ? 2 : 0 }]));
    };
    expect(await firing(fleet({ sick: silent }))).toEqual(["MainstayLoadBalancerSilent clusters/c42 az2"]);
  });

  test("an object that is held up fires with its reason; one that only waits for news does not", async () => {
    const metrics = fleet();
    const reasons = new CurrentReasons("openstack-cluster", metrics);
    reasons.set("clusters/c7", ["OpenStackQuotaExceeded", "EndpointPaused"]);
    expect(await firing(metrics)).toEqual([
      "MainstayObjectHeldUp clusters/c7 openstack-cluster OpenStackQuotaExceeded",
    ]);
  });

  test("a gateway that died, one that is behind, and a group that nobody leads fire, by pool and name; healthy pools do not", async () => {
    expect(await firing(pools(ready("gw1", "master"), ready("gw2", "backup")))).toEqual([]);
    const { ready: _, ...dead } = ready("gw2", "backup");
    expect(await firing(pools(ready("gw1", "master"), { ...dead, reachable: false }))).toEqual([
      "MainstayGatewayUnreachable public gw2",
    ]);
    const late = { ...ready("gw2", "backup"), carries: { epoch: 1, generation: 4 } };
    expect(await firing(pools(ready("gw1", "master"), late))).toEqual(["MainstayGatewayBehind public gw2"]);
    expect(await firing(pools(ready("gw1", "fault"), { ...ready("gw2", "fault"), ready: false }))).toEqual([
      "MainstayAddressesUnled public a",
      "MainstayGatewayNotReady public gw2",
    ]);
  });

  test("refused Services, roles that flap and a full table of connections fire", async () => {
    expect(await firing(pools(ready("gw1", "master"), ready("gw2", "backup"), 2))).toEqual([
      "MainstayServicesRefused public",
    ]);
    const of = (series: string, values: string) => ({ series: `${series}{instance="gw1:15203"}`, values });
    const agent = [
      of("mainstay_leader_state", "1x60"),
      of("mainstay_gateway_role_changes_total", "0+1x60"),
      of("mainstay_gateway_connections", "95x60"),
      of("mainstay_gateway_connections_limit", "100x60"),
    ];
    expect(await firingAfterAnHour(lab, agent)).toEqual([
      "MainstayGatewayConnectionsFull gw1:15203",
      "MainstayGatewayRolesFlap gw1:15203",
    ]);
  });

  test("a manager that nobody leads, or that is not there at all, fires", async () => {
    const metrics = fleet();
    metrics.leading.set(0);
    expect(await firing(metrics)).toEqual(["MainstayNoLeader"]);
    expect(await firingAfterAnHour(lab, [])).toEqual(["MainstayNoLeader"]);
  });

  test("counters that keep growing fire: refusals of OpenStack, Events that could not be written", async () => {
    const growing = [
      { series: 'mainstay_leader_state{instance="a"}', values: "1x60" },
      {
        series: 'mainstay_openstack_requests_total{service="octavia",operation="create",code="409"}',
        values: "0+12x60",
      },
      { series: 'mainstay_events_dropped_total{reason="forbidden"}', values: "0+1x60" },
    ];
    expect(await firingAfterAnHour(lab, growing)).toEqual([
      "MainstayEventsMissing forbidden",
      "MainstayOpenStackRefuses 409 create octavia",
    ]);
  });
});

function ready(name: string, role: string): GatewayStatus {
  return { name, reachable: true, ready: true, carries: { epoch: 1, generation: 7 }, groups: [{ name: "a", role }] };
}

/** A hundred healthy pools, and one with these gateways. */
function pools(one: GatewayStatus, other: GatewayStatus, refused = 0): Metrics {
  const metrics = createMetrics([gatewayJob.metrics], 500);
  metrics.leading.set(1);
  const gauges = new ObjectGauges(metrics);
  const pool = (gateways: readonly GatewayStatus[], services: { served: number; refused: number }): GatewayPool => ({
    apiVersion: "mainstay.dev/v1alpha1",
    kind: "GatewayPool",
    metadata: { name: "public" },
    status: { version: { epoch: 1, generation: 7 }, gateways, services },
  });
  const well = poolGauges(pool([ready("gw1", "master"), ready("gw2", "backup")], { served: 3, refused: 0 }));
  for (let n = 0; n < 100; n += 1) gauges.set(`p${n}`, well);
  gauges.set("public", poolGauges(pool([one, other], { served: 3, refused })));
  return metrics;
}

interface Series {
  readonly series: string;
  readonly values: string;
}

/** What the registry prints now, for an hour. */
async function seriesOf(metrics: Metrics): Promise<readonly Series[]> {
  const lines = (await metrics.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => {
    const [, series = "", value = ""] = /^(.+) (\S+)$/.exec(line) ?? [];
    return { series, values: `${value}x60` };
  });
}

/** promtool compares with what is expected: told to expect nothing, it lists what fires. */
async function firingAfterAnHour(
  { program }: PromtoolLab,
  input_series: readonly Series[],
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "mainstay-alerts-"));
  const alert_rule_test = rules.map(({ alert }) => ({ eval_time: "60m", alertname: alert, exp_alerts: [] }));
  const file = {
    rule_files: [rulesFile],
    evaluation_interval: "1m",
    tests: [{ interval: "1m", input_series, alert_rule_test }],
  };
  writeFileSync(join(folder, "test.yaml"), JSON.stringify(file));
  try {
    return alertsIn(await printedByPromtool(program, join(folder, "test.yaml")));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** promtool has a limit of its own for a query, of wall-clock time: on a machine that stood still it says nothing about the rules. */
async function printedByPromtool(program: string, file: string): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const { stdout, stderr } = await promisify(execFile)(program, ["test", "rules", file]).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    const printed = stdout + stderr;
    if (attempt === 10 || !printed.includes("query timed out")) return printed;
  }
}

/** `Labels:{alertname="A", object="o", severity="warning"}` → `A o`: the name, then the values of its own labels. */
function alertsIn(printed: string): readonly string[] {
  const found = [...printed.matchAll(/Labels:\{([^}]*)\}/g)].map(([, labels = ""]) => {
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value] as const);
    const own = pairs.filter(([name]) => name !== "alertname" && name !== "severity");
    const ordered = own.toSorted(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
    return [Object.fromEntries(pairs)["alertname"], ...ordered.map(([, value]) => value)].join(" ");
  });
  if (found.length === 0 && !printed.includes("SUCCESS")) throw new Error(printed);
  return found.toSorted();
}

/** The object first. */
function rank(label: string): number {
  return label === "object" ? 0 : 1;
}
