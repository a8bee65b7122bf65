import { expect, test } from "vitest";
import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { parseKubePath } from "../network/kube-path.ts";
import type { Actor, PortCall } from "../network/port-call.ts";
import type { SimProcess } from "../processes/sim-process.ts";
import type { WorldView } from "./checker.ts";
import { ownOrLeave } from "./own-or-leave.ts";
import { createSimEvents, type SimEventTypes } from "./sim-events.ts";

const process = { name: "mgr-1" } as SimProcess;
const actor: Actor = { feature: "topology", root: "g/roots", key: { name: "a" }, uid: "uid-a" };

/** What is said of a write, when it changes or takes away the object that it names. */
function said(call: Partial<PortCall>, rest: Partial<SimEventTypes["arrived"]>, after?: KubeObject): string {
  const events = createSimEvents();
  const broken: string[] = [];
  const view: Pick<WorldView, "on" | "objectAt" | "writesByContract"> = {
    on: (type, listener) => events.on(type, listener),
    objectAt: () => after,
    writesByContract: new Set(["publish"]),
  };
  ownOrLeave.watch(view as WorldView, (how) => broken.push(how));
  const whole = { process, port: "kube", verb: "PATCH", purpose: "x", write: true, body: "", actor, ...call };
  events.emit("arrived", { call: whole as PortCall, status: 200, before: undefined, ...rest });
  return broken.join();
}

function object(plural: string, metadata: Partial<KubeObject["metadata"]>) {
  const before: KubeObject = {
    apiVersion: "g/v1",
    kind: "X",
    metadata: { name: "a", resourceVersion: "1", ...metadata },
  };
  const path = `/apis/g/v1/${plural}/${before.metadata.name}`;
  return { call: { target: `${plural}/a`, path, inCluster: parseKubePath(path) }, before };
}

const marked = (feature: string, owner?: string) => ({
  labels: { "mainstay.dev/made-by": feature },
  ...(owner === undefined ? {} : { annotations: { "mainstay.dev/owner-uid": owner } }),
});

test.each([
  ["no mark", {}, "bears no mark"],
  ["another feature's mark", marked("gateway", "uid-a"), "the mark of gateway"],
  ["our mark for another owner", marked("topology", "uid-b"), "made for somebody else"],
  ["our mark for nobody, under another name", { ...marked("topology"), name: "b" }, "names no owner"],
  ["our mark for this owner", marked("topology", "uid-a"), ""],
  ["our mark for nobody, under the owner's name", marked("topology"), ""],
])("of any kind, with %s", (_mark, metadata, expected) => {
  const { call, before } = object("things", metadata);
  for (const verb of ["PATCH", "PUT", "DELETE"]) {
    const how = said({ ...call, verb }, { before });
    expect(how).toMatch(expected === "" ? /^$/ : new RegExp(expected));
  }
});

test("the object of the round itself is changed and never deleted, and another of its kind not even changed", () => {
  const { call, before } = object("roots", { uid: "uid-a" });
  expect(said(call, { before })).toBe("");
  expect(said({ ...call, verb: "DELETE" }, { before })).toContain("look after");
  const successor = object("roots", { uid: "uid-b" });
  expect(said(successor.call, { before: successor.before })).toContain("bears no mark");
});

test("what belongs to nobody's round is a fault, and so is an event that others reported", () => {
  const { call, before } = object("things", marked("topology", "uid-a"));
  expect(said({ ...call, actor: undefined }, { before })).toContain("nobody's round");
  const event = { ...before, reportingComponent: "kubelet" } as KubeObject;
  expect(said({ ...call, purpose: "event" }, { before: event })).toContain("others reported");
});

test("what a job changes by its contract may belong to others", () => {
  const { call, before } = object("things", {});
  expect(said({ ...call, purpose: "publish" }, { before })).toBe("");
});

test("a write that changed nothing, or that was refused, is none", () => {
  const { call, before } = object("things", {});
  expect(said(call, { before }, before)).toBe("");
  expect(said(call, { before, status: 409 })).toBe("");
});

test.each(["update", "delete"])("outside the same holds for every %s", (verb) => {
  const call = { port: "cloud", verb, target: "location-a", path: "" };
  expect(said(call, { markBefore: "" })).toContain("bears no mark");
  expect(said(call, { markBefore: "uid-b" })).toContain("made for somebody else");
  expect(said({ ...call, actor: undefined }, { markBefore: "uid-a" })).toContain("made for somebody else");
  expect(said(call, { markBefore: "uid-a" })).toBe("");
});
