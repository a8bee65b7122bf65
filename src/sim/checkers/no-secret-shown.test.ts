import { expect, test } from "vitest";
import type { PortCall } from "../network/port-call.ts";
import type { SimProcess } from "../processes/sim-process.ts";
import { createTrace } from "../run/trace.ts";
import type { WorldView } from "./checker.ts";
import { noSecretShown } from "./no-secret-shown.ts";
import { secretMarkerOf } from "./secret-marker.ts";
import { createSimEvents, type SimEvents, type SimEventType, type SimEventTypes } from "./sim-events.ts";

const secret = secretMarkerOf("x");
const process = { name: "mgr-1" } as SimProcess;

function watched(): { readonly events: SimEvents; readonly broken: readonly string[] } {
  const events = createSimEvents();
  const broken: string[] = [];
  noSecretShown.watch({ on: (type, listener) => events.on(type, listener) } as WorldView, (how) => broken.push(how));
  return { events, broken };
}

function call(part: Partial<PortCall>): PortCall {
  return { process, port: "kube", verb: "GET", target: "pods", path: "/api/v1/pods", body: "", ...part } as PortCall;
}

const shown: readonly { readonly [T in SimEventType]?: SimEventTypes[T] }[] = [
  { logged: { process, text: secret } },
  { left: { call: call({ body: secret }) } },
  { left: { call: call({ path: `/api/v1/pods?labelSelector=${secret}` }) } },
  { left: { call: call({ target: `pods/${secret}` }) } },
  { failed: { process, where: "kube get", error: new Error("x", { cause: { token: secret } }) } },
  { traced: { line: secret } },
  { shown: { where: "metrics of mgr-1", text: secret } },
];

test.each(shown.flatMap((each) => Object.entries(each)))("a secret is seen in what was %s", (type, evidence) => {
  const { events, broken } = watched();
  events.emit(type as SimEventType, evidence);
  expect(broken).toEqual([expect.stringContaining("a secret (plain)")]);
  expect(broken.join()).not.toContain(secret);
});

test("a line of the trace is searched when it is written, however few lines are kept", () => {
  const { events, broken } = watched();
  const trace = createTrace({
    now: () => ({ step: 1, ms: 0 }),
    keep: 1,
    onLine: (line) => events.emit("traced", { line }),
  });
  trace.write("mgr-1", `logs in as ${secret}`);
  for (let i = 0; i < 10; i += 1) trace.write("mgr-1", "goes on");
  expect(trace.lines.join()).not.toContain(secret);
  expect(broken).toEqual(["the trace shows a secret (plain)"]);
});
