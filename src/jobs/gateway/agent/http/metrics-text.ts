// The agent's metrics in Prometheus' text format. The reference's one metric keeps its name, for alerts that people have.

import type { MetricDefinition } from "../../../../core/job/metric.ts";
import type { AgentStatus } from "../../core/model/agent-answers.ts";
import { agentMetrics } from "../../core/model/agent-metrics.ts";
import type { AgentCounts } from "../gateway-agent.ts";
import type { ServiceTraffic } from "./service-traffic.ts";

export interface AgentFacts {
  readonly status: AgentStatus;
  readonly counts: AgentCounts;
  readonly v1Answers: ReadonlyMap<number, number>;
  /** Undefined: nobody could tell. */
  readonly traffic: { readonly services: readonly ServiceTraffic[]; readonly ageMs: number } | undefined;
}

interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Metric {
  readonly definition: MetricDefinition;
  readonly samples: readonly Sample[];
}

export function metricsText(facts: AgentFacts): string {
  const metrics = [...ofAgent(facts), ...ofServices(facts)];
  return [...metrics.flatMap(linesOf), ...histogramLines(facts.counts)].join("\n").concat("\n");
}

function ofAgent({ status, counts, v1Answers }: AgentFacts): readonly Metric[] {
  const { ready, carries, problems, keepalived, groups, machine } = status;
  const { applied, refused, failed, reloads, roleChanges } = counts;
  const one = (definition: MetricDefinition, value: number | undefined): Metric => ({
    definition,
    samples: value === undefined ? [] : [{ value }],
  });
  const outcomes = Object.entries({ applied, refused, failed });
  const answers = [...v1Answers].map(([code, value]) => ({ labels: { status: String(code) }, value }));
  return [
    one(agentMetrics.ready, ready ? 1 : 0),
    one(agentMetrics.epoch, carries?.epoch ?? 0),
    one(agentMetrics.generation, carries?.generation ?? 0),
    one(agentMetrics.problems, problems.length),
    one(agentMetrics.keepalived, keepalived === "running" ? 1 : 0),
    {
      definition: agentMetrics.role,
      samples: groups.map(({ name: group, role }) => ({ labels: { group, role }, value: 1 })),
    },
    one(agentMetrics.roleChanges, roleChanges),
    {
      definition: agentMetrics.documents,
      samples: outcomes.map(([outcome, value]) => ({ labels: { outcome }, value })),
    },
    one(agentMetrics.reloads, reloads),
    one(agentMetrics.tracked, machine?.connections?.tracked),
    one(agentMetrics.trackedLimit, machine?.connections?.limit),
    { definition: agentMetrics.lastUpdate, samples: answers },
  ];
}

function ofServices({ traffic }: AgentFacts): readonly Metric[] {
  if (traffic === undefined) return [];
  const { services, ageMs } = traffic;
  const both = (unit: "packets" | "bytes"): readonly Sample[] =>
    services.flatMap(({ service, received, sent }) => [
      { labels: { service, direction: "received" }, value: received[unit] },
      { labels: { service, direction: "sent" }, value: sent[unit] },
    ]);
  const connections = services.map(({ service, connections: value }) => ({ labels: { service }, value }));
  return [
    { definition: agentMetrics.trafficAge, samples: [{ value: ageMs / 1_000 }] },
    { definition: agentMetrics.serviceConnections, samples: connections },
    { definition: agentMetrics.servicePackets, samples: both("packets") },
    { definition: agentMetrics.serviceBytes, samples: both("bytes") },
  ];
}

function histogramLines({ applyDurations }: AgentCounts): readonly string[] {
  const { name, buckets } = agentMetrics.applyDuration;
  const { within, seconds, count } = applyDurations;
  const samples = [
    ...buckets.map((most, place) => `${name}_bucket{le="${most}"} ${within[place] ?? 0}`),
    `${name}_bucket{le="+Inf"} ${count}`,
    `${name}_sum ${seconds}`,
    `${name}_count ${count}`,
  ];
  return [...headOf(agentMetrics.applyDuration), ...samples];
}

function headOf({ name, type, help }: MetricDefinition): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function linesOf({ definition, samples }: Metric): readonly string[] {
  if (samples.length === 0) return [];
  const lines = samples.map(({ labels, value }) => `${definition.name}${labelText(labels)} ${value}`);
  return [...headOf(definition), ...lines];
}

function labelText(labels: Readonly<Record<string, string>> = {}): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replaceAll(/["\\\n]/g, (char) => (char === "\n" ? "\\n" : `\\${char}`))}"`,
  );
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
