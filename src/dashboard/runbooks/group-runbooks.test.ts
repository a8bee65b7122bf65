import { expect, test } from "vitest";
import type { RunbookTitle } from "../../server/contract.ts";
import { groupRunbooks } from "./group-runbooks.ts";

const runbooks: readonly RunbookTitle[] = [
  { reason: "ApiUnreachable", summary: "Mainstay cannot connect to the API server.", severity: "error" },
  { reason: "LoadBalancerPending", summary: "It is busy.", severity: "info", job: "api-endpoint" },
  { reason: "TopologyDrift", summary: "It does not fit.", severity: "warning", job: "topology" },
  { reason: "MembersUnhealthy", summary: "API servers fail.", severity: "warning", job: "api-endpoint" },
  { reason: "EndpointMissing", summary: "No address.", severity: "error", job: "api-endpoint" },
];
const listed = (text?: string) =>
  groupRunbooks(runbooks, text).map(({ job, runbooks: own }) => [job, ...own.map(({ reason }) => reason)]);

test("runbooks stand by job, the most severe first, and those of every job last", () => {
  expect(listed()).toEqual([
    ["api-endpoint", "EndpointMissing", "MembersUnhealthy", "LoadBalancerPending"],
    ["topology", "TopologyDrift"],
    [undefined, "ApiUnreachable"],
  ]);
});

test("are found by words of the reason, its sentence, its job and its severity, in any case and order", () => {
  expect(listed("SERVER")).toEqual([
    ["api-endpoint", "MembersUnhealthy"],
    [undefined, "ApiUnreachable"],
  ]);
  expect(listed("warning topology")).toEqual([["topology", "TopologyDrift"]]);
  expect(listed("no such thing")).toEqual([]);
});
