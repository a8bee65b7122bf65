import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import { conditionProblem, matchConditions } from "./match-conditions.ts";
import type { AdmissionRequest, AdmissionWorld } from "./webhooks.ts";

const request: AdmissionRequest = {
  operation: "CREATE",
  resource: {
    group: "x.test",
    kind: "Thing",
    listKind: "ThingList",
    plural: "things",
    singular: "thing",
    shortNames: [],
    categories: [],
    namespaced: true,
    versions: [],
    strategy: {},
  },
  version: "v1",
  namespace: "here",
  name: "abc",
  object: {
    metadata: { name: "abc", namespace: "here", labels: { app: "web" } },
    spec: { replicas: 1, ip: "192.0.2.1", ratio: 1.5 },
  },
  oldObject: undefined,
  options: {},
  dryRun: true,
  user: { username: "me", groups: ["us", "them"] },
};

const world: AdmissionWorld = {
  mutatingConfigurations: [],
  validatingConfigurations: [],
  namespace: (name) => ({ metadata: { name, labels: { tier: "one" } } }),
  callWebhook: () => Promise.reject(new Error("nobody is called here")),
  uuid: () => "",
};

function matches(expression: string): JsonObject {
  return { ...matchConditions({ matchConditions: [{ name: "c", expression }] }, request, world) };
}

describe("match conditions", () => {
  it.each([
    "object.spec.replicas == 1",
    "has(object.spec) && !has(object.spec.absent)",
    "object.?spec.?absent.orValue(7) == 7",
    "request.name.matches('^a')",
    "isIP(object.spec.ip) && ip(object.spec.ip).family() == 4",
    "object.metadata.labels.all(key, key != 'x')",
    "oldObject == null",
    "request.userInfo.groups.exists(group, group == 'them')",
    "string(object.spec.replicas) == '1'",
    "object.spec.ratio > 1.0",
    "request.dryRun && request.operation == 'CREATE' && request.kind.kind == 'Thing'",
    "request.resource.resource == 'things' && request.namespace == 'here'",
    "object.metadata.namespace == 'here' && object.metadata['namespace'] == 'here' && size(object.metadata) == 3",
    "namespaceObject.metadata.labels.tier == 'one'",
  ])("%s holds", (expression) => {
    expect(conditionProblem(expression)).toBeUndefined();
    expect(matches(expression)).toEqual({ match: true });
  });

  it.each(["object.spec.replicas == 2", "request.userInfo.username.startsWith('system:')"])(
    "%s does not hold",
    (expression) => {
      expect(matches(expression)).toEqual({ match: false });
    },
  );

  it.each([
    "object.spec +",
    "nonsense",
    "1",
    "dyn(true)",
    "object.spec.enabled",
    "request.nope == 1",
    "variables.x == 1",
    "authorizer.path('/').check('get').allowed()",
  ])("%s is refused before it is stored", (expression) => {
    expect(conditionProblem(expression)).toEqual(expect.any(String));
  });

  it("says when an expression fails on an object", () => {
    expect(matches("object.spec.absent == 2")).toEqual({ problem: expect.stringContaining("object.spec.absent == 2") });
  });
});
