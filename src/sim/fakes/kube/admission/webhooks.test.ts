import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../json.ts";
import type { ResourceDefinition } from "../resource.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import type { WebhookCall } from "./webhook-call.ts";
import { type AdmissionRequest, type AdmissionWorld, mutate, validate } from "./webhooks.ts";

const things: ResourceDefinition = {
  group: "x.test",
  kind: "Thing",
  listKind: "ThingList",
  plural: "things",
  singular: "thing",
  shortNames: [],
  categories: [],
  namespaced: false,
  versions: [{ name: "v1", served: true, storage: true, schema: {}, columns: [], hasStatus: false }],
  strategy: {},
};

function request(object: JsonObject): AdmissionRequest {
  const user = { username: "me", groups: [] };
  return {
    operation: "CREATE",
    resource: things,
    version: "v1",
    name: "one",
    object,
    oldObject: undefined,
    options: {},
    dryRun: false,
    user,
  };
}

function webhook(name: string, rest: JsonObject = {}): JsonObject {
  const rules = [{ apiGroups: ["x.test"], apiVersions: ["v1"], resources: ["things"], operations: ["*"] }];
  return { name, clientConfig: { url: `https://${name}` }, failurePolicy: "Fail", rules, ...rest };
}

type Answer = (request: JsonObject) => JsonObject;

/** Webhooks by the name they are called by; what they were asked is kept. */
function world(
  answers: Readonly<Record<string, Answer>>,
  configurations: readonly JsonObject[],
): AdmissionWorld & { readonly asked: string[] } {
  const asked: string[] = [];
  const callWebhook = async ({ clientConfig, body }: WebhookCall): Promise<Json> => {
    const name = stringAt(clientConfig, "url").replace("https://", "");
    asked.push(name);
    const asking = objectAt(body, "request");
    return { kind: "AdmissionReview", response: { uid: stringAt(asking, "uid"), ...answers[name]?.(asking) } };
  };
  return {
    mutatingConfigurations: configurations,
    validatingConfigurations: configurations,
    namespace: () => undefined,
    callWebhook,
    uuid: () => "u-1",
    asked,
  };
}

const append =
  (letter: string): Answer =>
  (asked) => {
    const value = stringAt(objectAt(asked, "object"), "word") + letter;
    return {
      allowed: true,
      patchType: "JSONPatch",
      patch: btoa(JSON.stringify([{ op: "replace", path: "/word", value }])),
    };
  };

const configuration = (name: string, ...webhooks: readonly JsonObject[]) => ({ metadata: { name }, webhooks });

describe("mutating webhooks", () => {
  it("run by the names of their configurations, each on what the one before made", async () => {
    const all = world({ a: append("a"), b: append("b"), c: append("c") }, [
      configuration("second", webhook("c")),
      configuration("first", webhook("b"), webhook("a")),
    ]);
    expect(await mutate(request({ word: "" }), all)).toMatchObject({ object: { word: "bac" } });
  });

  it("look a second time when they want to and somebody else changed the object", async () => {
    const twice = webhook("a", { reinvocationPolicy: "IfNeeded" });
    const changed = world({ a: append("a"), b: append("b") }, [configuration("all", twice, webhook("b"))]);
    expect(await mutate(request({ word: "" }), changed)).toMatchObject({ object: { word: "aba" } });
    const alone = world({ a: append("a") }, [configuration("all", twice)]);
    expect(await mutate(request({ word: "" }), alone)).toMatchObject({ object: { word: "a" } });
  });

  it("stop at the first that says no, with the warnings so far", async () => {
    const all = world(
      { a: () => ({ allowed: true, warnings: ["hm"] }), b: () => ({ allowed: false }), c: append("c") },
      [configuration("all", webhook("a"), webhook("b"), webhook("c"))],
    );
    expect(await mutate(request({ word: "" }), all)).toMatchObject({ refused: { code: 400 }, warnings: ["hm"] });
    expect(all.asked).toEqual(["a", "b"]);
  });
});

describe("validating webhooks", () => {
  it("are all asked, and one refusal is enough", async () => {
    const all = world(
      { a: () => ({ allowed: false, status: { message: "no" } }), b: () => ({ allowed: true, warnings: ["hm"] }) },
      [configuration("all", webhook("a"), webhook("b"))],
    );
    expect(await validate(request({ word: "" }), all)).toMatchObject({
      refused: { message: 'admission webhook "a" denied the request: no' },
      warnings: ["hm"],
    });
    expect(all.asked).toEqual(["a", "b"]);
  });

  it("spare an object that their conditions leave out, even when another condition fails", async () => {
    const matchConditions = [
      { name: "broken", expression: "object.absent == 1" },
      { name: "other", expression: "object.word == 'else'" },
    ];
    const all = world({ a: () => ({ allowed: false }) }, [configuration("all", webhook("a", { matchConditions }))]);
    expect(await validate(request({ word: "" }), all)).toEqual({ object: { word: "" }, warnings: [] });
  });
});
