// The answer to `mainstay migrate api-endpoint --check`, for people.

import type { MigrationCheck, MigrationRecords, ZoneChanges } from "../core/migration/migration-check.ts";
import type { MigrationFinding } from "../core/migration/migration-finding.ts";
import type { Door } from "../core/model/intent.ts";
import type { ClusterName } from "./cluster-name.ts";

export interface About {
  readonly cluster: ClusterName;
  readonly door: Door;
  /** Which configuration it was checked with, in words. */
  readonly configuration: string;
}

export function migrationText(check: MigrationCheck, about: About): string {
  const { findings, needs, records, steps } = check;
  return [
    answerSentence(check, about),
    "",
    ...findings.flatMap(findingLines),
    ...(needs === undefined || check.answer === "cannot"
      ? []
      : ["", `From the project's quota: ${quotaWords(needs)}.`]),
    ...(records === undefined || check.answer === "cannot" ? [] : ["", ...recordLines(records)]),
    ...(steps.length === 0 ? [] : ["", "What will happen:"]),
    ...steps.map(
      ({ by, zone, does }, index) =>
        `${String(index + 1).padStart(3)}. ${by}${zone === undefined ? "" : ` (${zone})`}: ${does}.`,
    ),
    "",
    about.configuration,
  ].join("\n");
}

function answerSentence({ answer, findings, changes }: MigrationCheck, { cluster, door }: About): string {
  const name = `${cluster.namespace}/${cluster.name}`;
  const through = `through its ${door}`;
  if (answer === "moved") return `${name} has one API balancer per zone already, ${through}${changeWords(changes)}`;
  if (answer === "can") return `${name} can move to one API balancer per zone ${through}.`;
  if (answer === "unknown")
    return `${name}: nobody can tell whether it can move ${through}; something could not be seen.`;
  const against = findings.filter(({ result }) => result === "no").length;
  return `${name} cannot move to one API balancer per zone ${through}: ${against} ${against === 1 ? "problem" : "problems"} must be fixed first.`;
}

function changeWords({ added, removed }: ZoneChanges = { added: [], removed: [] }): string {
  const words = [
    ...added.map((zone) => `zone ${zone} gets its balancer`),
    ...removed.map((zone) => `the balancer of zone ${zone} goes`),
  ];
  return words.length === 0 ? ": there is nothing to move." : `; ${words.join(", ")}.`;
}

const marks: Readonly<Record<MigrationFinding["result"], string>> = {
  ok: "ok  ",
  note: "note",
  no: "NO  ",
  unknown: "?   ",
};

function findingLines({ check, result, says, fix }: MigrationFinding): readonly string[] {
  return [`${marks[result]}  ${check}: ${says}`, ...(fix === undefined ? [] : [`      fix: ${fix}`])];
}

const quotaNames = {
  loadBalancers: ["load balancer", "load balancers"],
  listeners: ["listener", "listeners"],
  pools: ["pool", "pools"],
  healthMonitors: ["health monitor", "health monitors"],
  members: ["member", "members"],
  floatingIps: ["floating IP", "floating IPs"],
} as const;

function quotaWords(needs: NonNullable<MigrationCheck["needs"]>): string {
  const kinds = Object.keys(quotaNames) as readonly (keyof typeof quotaNames)[];
  const words = kinds
    .filter((kind) => needs[kind] > 0)
    .map((kind) => `${needs[kind]} ${quotaNames[kind][needs[kind] === 1 ? 0 : 1]}`);
  return words.length === 0 ? "nothing more than is there" : words.join(", ");
}

function recordLines({ host, before, after }: MigrationRecords): readonly string[] {
  const now = before.length === 0 ? [] : [`  before and during the move  ${before.join(", ")}`];
  const zones = after.map(
    ({ zone, address }) =>
      `  ${before.length === 0 ? "" : "then, "}for ${zone}: ${address ?? "its address, known when it is made"}`,
  );
  return [`DNS records of ${host}:`, ...now, ...zones];
}
