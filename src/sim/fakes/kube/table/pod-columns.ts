// Pods in a table. The status column is one word for what the containers are up to, which the API has no field for.

import type { JsonObject } from "../json.ts";
import { objectsAt } from "../json-lists.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import { ageOf } from "./human-duration.ts";
import { ageColumn, column, nameColumn, type PrintedKind, wide } from "./printed-kind.ts";

export const podKind: PrintedKind = {
  columns: [
    nameColumn,
    column("Ready", "Ready containers of all containers."),
    column("Status", "What the containers are up to."),
    column("Restarts", "How often containers were restarted, and when last."),
    ageColumn,
    wide("IP", "Address of the Pod."),
    wide("Node", "Node it runs on."),
    wide("Nominated Node", "Node it will take over by preemption."),
    wide("Readiness Gates", "Readiness gates that are met, of all."),
  ],
  cells: (pod, nowMs) => {
    const [metadata, spec, status] = [objectAt(pod, "metadata"), objectAt(pod, "spec"), objectAt(pod, "status")];
    const containers = objectsAt(status, "containerStatuses");
    const ready = containers.filter((one) => one["ready"] === true && isIn(one, "running")).length;
    return [
      stringAt(metadata, "name"),
      `${ready}/${objectsAt(spec, "containers").length}`,
      statusOf(metadata, status, containers),
      restartsOf(containers, nowMs),
      ageOf(metadata["creationTimestamp"], nowMs),
      stringAt(objectsAt(status, "podIPs")[0], "ip") || stringAt(status, "podIP") || "<none>",
      stringAt(spec, "nodeName") || "<none>",
      stringAt(status, "nominatedNodeName") || "<none>",
      gatesOf(spec, status),
    ];
  },
};

function statusOf(metadata: JsonObject, status: JsonObject, containers: readonly JsonObject[]): string {
  const phase = stringAt(status, "phase");
  const starting = initWord(objectsAt(status, "initContainerStatuses"));
  const word = starting ?? containerWord(containers, stringAt(status, "reason") || phase, status);
  if (metadata["deletionTimestamp"] === undefined) return word;
  if (stringAt(status, "reason") === "NodeLost") return "Unknown";
  return phase === "Failed" || phase === "Succeeded" ? word : "Terminating";
}

function containerWord(containers: readonly JsonObject[], phase: string, status: JsonObject): string {
  const running = containers.some((one) => one["ready"] === true && isIn(one, "running"));
  // The first container has the last word.
  const word = containers.map(stateWord).find((one) => one !== undefined) ?? phase;
  if (word !== "Completed" || !running) return word;
  return hasCondition(status, "Ready") ? "Running" : "NotReady";
}

/** While init containers are at work: how far they are, or what keeps them. */
function initWord(containers: readonly JsonObject[]): string | undefined {
  const at = containers.findIndex(
    (one) => objectAt(objectAt(one, "state"), "terminated")["exitCode"] !== 0 && one["started"] !== true,
  );
  const current = containers[at];
  if (current === undefined) return undefined;
  const word = stateWord(current);
  return word === undefined || word === "PodInitializing" ? `Init:${at}/${containers.length}` : `Init:${word}`;
}

function stateWord(container: JsonObject): string | undefined {
  const state = objectAt(container, "state");
  const waiting = stringAt(objectAt(state, "waiting"), "reason");
  if (waiting !== "") return waiting;
  if (!isIn(container, "terminated")) return undefined;
  const terminated = objectAt(state, "terminated");
  const signal = Number(terminated["signal"] ?? 0);
  return (
    stringAt(terminated, "reason") ||
    (signal !== 0 ? `Signal:${signal}` : `ExitCode:${Number(terminated["exitCode"] ?? 0)}`)
  );
}

function restartsOf(containers: readonly JsonObject[], nowMs: number): string {
  const restarts = containers.reduce((sum, one) => sum + Number(one["restartCount"] ?? 0), 0);
  const ends = containers.map((one) => stringAt(objectAt(objectAt(one, "lastState"), "terminated"), "finishedAt"));
  const last = ends
    .filter((end) => end !== "")
    .sort()
    .at(-1);
  return restarts === 0 || last === undefined ? String(restarts) : `${restarts} (${ageOf(last, nowMs)} ago)`;
}

function gatesOf(spec: JsonObject, status: JsonObject): string {
  const gates = objectsAt(spec, "readinessGates").map((gate) => stringAt(gate, "conditionType"));
  const met = gates.filter((gate) => hasCondition(status, gate)).length;
  return gates.length === 0 ? "<none>" : `${met}/${gates.length}`;
}

function hasCondition(status: JsonObject, type: string): boolean {
  return objectsAt(status, "conditions").some(
    (one) => stringAt(one, "type") === type && stringAt(one, "status") === "True",
  );
}

function isIn(container: JsonObject, state: string): boolean {
  return objectAt(container, "state")[state] !== undefined;
}
