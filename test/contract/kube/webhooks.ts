// Admission and conversion webhooks: a listener on loopback that the server calls over TLS.

import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { configMaps, namespaces, services } from "../../../src/apis/kube/builtin-kinds.ts";
import type { Kind, KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { isKubeError } from "../../../src/core/kube-error.ts";
import type { ContractContext, GetContext } from "../kube-target.ts";
import { conversionBehaviours } from "./conversion.ts";
import { type Gadget, gadget, gadgetCrd, gadgetVersion, serveGadgets } from "./gadget-kind.ts";
import { eventually, rawRequest } from "./raw-request.ts";
import { configMap, refusal } from "./samples.ts";
import { type Answer, listenForWebhooks, type WebhookListener } from "./webhook-listener.ts";

const group = "admissionregistration.k8s.io";
const validating: Kind = {
  group,
  version: "v1",
  kind: "ValidatingWebhookConfiguration",
  plural: "validatingwebhookconfigurations",
  namespaced: false,
};
const mutating: Kind = {
  group,
  version: "v1",
  kind: "MutatingWebhookConfiguration",
  plural: "mutatingwebhookconfigurations",
  namespaced: false,
};
const hookName = "check.mainstay.test";

export function webhookBehaviours(get: GetContext): void {
  it("asks a validating webhook about a creation, an update and a deletion, with all it needs to judge", async () => {
    const context = get();
    const { admin, namespace } = context;
    const kind = await serveGadgets(context);
    const { listener } = await registered(context, kind, validating, () => ({ allowed: true }));
    const before = listener.calls.length;
    const ref = { namespace, name: "one" };
    await admin.create(kind, gadget(kind, namespace, "one", { spec: { replicas: 2 } }), { fieldManager: "tester" });
    await admin.patch(kind, ref, { type: "merge", body: { spec: { replicas: 3 } } });
    await admin.patch(kind, ref, { type: "merge", body: { status: { replicas: 3 } } }, { subresource: "status" });
    await admin.delete(kind, ref);
    const calls = listener.calls.slice(before);
    expect(calls.map(({ path }) => path)).toEqual(Array(3).fill("/check?timeout=10s"));
    expect(calls.map(({ review }) => [review.apiVersion, review.kind])).toEqual(
      Array.from({ length: 3 }, () => ["admission.k8s.io/v1", "AdmissionReview"]),
    );
    const gvk = { group: kind.group, version: "v1", kind: "Gadget" };
    const resource = { group: kind.group, version: "v1", resource: "gadgets" };
    const common = {
      kind: gvk,
      resource,
      requestKind: gvk,
      requestResource: resource,
      name: "one",
      namespace,
      dryRun: false,
    };
    const userInfo = { groups: expect.arrayContaining(["system:masters"]) };
    const [create, update, remove] = calls.map(({ review }) => review.request);
    expect(create).toMatchObject({
      ...common,
      operation: "CREATE",
      userInfo,
      object: { spec: { replicas: 2 } },
      oldObject: null,
      options: { kind: "CreateOptions", fieldManager: "tester" },
    });
    expect(create).toMatchObject({
      object: { metadata: { uid: expect.any(String), creationTimestamp: expect.any(String) } },
    });
    expect(update).toMatchObject({
      ...common,
      operation: "UPDATE",
      object: { spec: { replicas: 3 } },
      oldObject: { spec: { replicas: 2 } },
      options: { kind: "UpdateOptions" },
    });
    expect(remove).toMatchObject({
      ...common,
      operation: "DELETE",
      object: null,
      oldObject: { spec: { replicas: 3 } },
      options: { kind: "DeleteOptions" },
    });
  });

  it("refuses in the webhook's words and with its code, 400 when it has none", async () => {
    const context = get();
    const kind = await serveGadgets(context);
    const { say } = await registered(context, kind, validating);
    const start = `admission webhook "${hookName}" denied the request`;
    const cases = [
      [{ allowed: false }, 400, `${start} without explanation`],
      [{ allowed: false, status: { message: "not today" } }, 400, `${start}: not today`],
      [{ allowed: false, status: { reason: "Because" } }, 400, `${start}: Because`],
      [{ allowed: false, status: { message: "odd", code: 200 } }, 400, `${start}: odd`],
      [{ allowed: false, status: { message: "no", code: 403, reason: "Forbidden" } }, 403, `${start}: no`],
    ] as const;
    for (const [answer, status, message] of cases) {
      say(() => answer);
      const error = await refusal(attempt(context, kind));
      expect([error.status, error.message]).toEqual([status, expect.stringContaining(message)]);
    }
    const causes = [{ field: "spec.replicas", reason: "FieldValueInvalid", message: "too many" }];
    say(() => ({ allowed: false, status: { message: "bad", code: 422, reason: "Invalid", details: { causes } } }));
    expect(await refusal(attempt(context, kind))).toMatchObject({ code: "Invalid", causes });
  });

  it("passes warnings on to the client", async () => {
    const context = get();
    const kind = await serveGadgets(context);
    const { say } = await registered(context, kind, validating);
    say(() => ({ allowed: true, warnings: ["mind the gap"] }));
    const path = `/apis/${kind.group}/v1/namespaces/${context.namespace}/gadgets?dryRun=All`;
    const answer = await rawRequest(
      context.transport,
      path,
      {},
      { method: "POST", body: gadget(kind, context.namespace, "warned") },
    );
    expect([answer.status, answer.headers["warning"]]).toEqual([201, '299 - "mind the gap"']);
  });

  it("fails the write when the webhook gives no usable answer, unless its policy is Ignore", async () => {
    const context = get();
    const kind = await serveGadgets(context);
    const answers: readonly Answer[] = [
      () => ({ allowed: true, uid: "another" }),
      () => ({ allowed: true, patchType: "JSONPatch", patch: btoa("[]") }),
      () => Promise.reject(new Error("broken")),
    ];
    const strict = await registered(context, kind, validating);
    for (const answer of answers) {
      strict.say(answer);
      const error = await refusal(attempt(context, kind));
      expect([error.status, error.statusReason]).toEqual([500, "InternalError"]);
      expect(error.message).toContain(`failed calling webhook "${hookName}"`);
    }
    await strict.remove();
    const lenient = await registered(context, kind, validating, undefined, { failurePolicy: "Ignore" });
    for (const answer of answers) {
      lenient.say(answer);
      expect(await attempt(context, kind)).toMatchObject({ spec: { replicas: 1 } });
    }
    lenient.say(() => ({ allowed: false }));
    expect(await refusal(attempt(context, kind))).toMatchObject({ status: 400 });
  });

  it("waits for a webhook as long as its timeout says", async () => {
    const context = get();
    const kind = await serveGadgets(context);
    const { say } = await registered(context, kind, validating, undefined, { timeoutSeconds: 1 });
    say(() => new Promise((resolve) => setTimeout(resolve, 2500, { allowed: true }).unref()));
    const error = await refusal(attempt(context, kind));
    expect(error).toMatchObject({ status: 500, statusReason: "InternalError" });
    expect(error.message).toContain("?timeout=1s");
  });

  it("leaves webhooks alone whose rules, scope or selectors do not match", async () => {
    const context = get();
    const kind = await serveGadgets(context);
    const never: readonly [object, object][] = [
      [{ operations: ["UPDATE"] }, {}],
      [{ resources: ["gadgets/status"] }, {}],
      [{ resources: ["others"] }, {}],
      [{ scope: "Cluster" }, {}],
      [{ apiVersions: ["v9"] }, {}],
      [{}, { objectSelector: { matchLabels: { checked: "yes" } } }],
      [{}, { objectSelector: { matchExpressions: [{ key: "checked", operator: "Exists" }] } }],
      [
        {},
        {
          namespaceSelector: {
            matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "NotIn", values: [context.namespace] }],
          },
        },
      ],
      [{}, { matchConditions: [{ name: "big", expression: "object.spec.replicas > 5" }] }],
      [{}, { matchConditions: [{ name: "others", expression: "!('system:masters' in request.userInfo.groups)" }] }],
    ];
    // One configuration for all, with a webhook at the end that does match, to know when the server has seen it.
    const { say } = await registered(context, kind, validating, undefined, {}, {}, never);
    say((request) => ({ allowed: !JSON.stringify(request["name"]).includes("probe") }));
    expect(await attempt(context, kind)).toMatchObject({ spec: { replicas: 1 } });
  });

  it("sends writes to webhooks whose wildcards, parts and selectors match", async () => {
    const context = get();
    const { admin, namespace } = context;
    const kind = await serveGadgets(context);
    // Other suites may use the same server: a rule for every group stays in our namespace.
    const namespaceSelector = { matchLabels: { "kubernetes.io/metadata.name": namespace } };
    const always: readonly [object, object][] = [
      [
        { apiGroups: ["*"], apiVersions: ["*"], resources: ["gadgets/*"], operations: ["*"], scope: "Namespaced" },
        { namespaceSelector },
      ],
      [{ resources: ["*"] }, { namespaceSelector }],
      [{}, { objectSelector: { matchExpressions: [{ key: "checked", operator: "DoesNotExist" }] } }],
      [
        {},
        {
          matchConditions: [{ name: "one", expression: "object.spec.replicas == 1 && request.operation == 'CREATE'" }],
        },
      ],
      [{ resources: ["*/status"] }, {}],
    ];
    const { listener, say } = await registered(context, kind, validating, undefined, {}, {}, always);
    say(() => ({ allowed: true }));
    const created = async (action: () => Promise<unknown>) => {
      const before = listener.calls.length;
      await action();
      return listener.calls
        .slice(before)
        .map(({ path }) => path.split("?")[0])
        .toSorted();
    };
    const ref = { namespace, name: "matched" };
    expect(await created(() => admin.create(kind, gadget(kind, namespace, "matched")))).toEqual([
      "/0",
      "/1",
      "/2",
      "/3",
      "/check",
    ]);
    const status = { type: "merge", body: { status: { replicas: 1 } } } as const;
    expect(await created(() => admin.patch(kind, ref, status, { subresource: "status" }))).toEqual(["/0", "/4"]);
    expect(listener.calls.at(-1)?.review.request).toMatchObject({
      subResource: "status",
      requestSubResource: "status",
      operation: "UPDATE",
    });
  });

  it("refuses a write when a match condition cannot be evaluated, and a configuration when one cannot be compiled", async () => {
    const context = get();
    const kind = await serveGadgets(context);
    const condition = (expression: string) => ({ matchConditions: [{ name: "c", expression }] });
    const { say } = await registered(context, kind, validating, undefined, {}, {}, [
      [{}, condition("object.spec.absent == 2")],
    ]);
    say(() => ({ allowed: true }));
    expect(await refusal(attempt(context, kind))).toMatchObject({ code: "Forbidden", status: 403 });
    for (const expression of [
      "object.spec +",
      "nonsense",
      "1",
      "object.spec.enabled",
      "request.nope == 1",
      "authorizer.foo().bar()",
    ]) {
      const configuration = webhookConfiguration(validating, context.unique("bad"), [
        { ...hook(kind, "https://127.0.0.1:1/x"), ...condition(expression) },
      ]);
      const error = await refusal(context.admin.create(validating, configuration));
      expect(error.causes.map(({ field }) => field)).toEqual(["webhooks[0].matchConditions[0].expression"]);
    }
  });

  it("asks also about dry runs, and says that they are", async () => {
    const context = get();
    const kind = await serveGadgets(context);
    const { say } = await registered(context, kind, validating, undefined, { sideEffects: "NoneOnDryRun" });
    say(({ dryRun }) => ({ allowed: false, status: { message: `dry run ${String(dryRun)}` } }));
    expect((await refusal(attempt(context, kind))).message).toContain("dry run true");
    const real = context.admin.create(kind, gadget(kind, context.namespace, "wet"));
    expect((await refusal(real)).message).toContain("dry run false");
  });

  it("applies the JSON patch of a mutating webhook before it validates and stores", async () => {
    const context = get();
    const { admin, namespace } = context;
    const kind = await serveGadgets(context);
    const { say } = await registered(context, kind, mutating);
    const patch = (steps: unknown) => ({ allowed: true, patchType: "JSONPatch", patch: btoa(JSON.stringify(steps)) });
    say(() =>
      patch([
        { op: "add", path: "/metadata/labels", value: { touched: "yes" } },
        { op: "replace", path: "/spec/replicas", value: 7 },
        { op: "add", path: "/spec/unknown", value: 1 },
      ]),
    );
    const created = await admin.create(kind, gadget(kind, namespace, "patched"));
    expect(created).toMatchObject({ metadata: { labels: { touched: "yes" } }, spec: { replicas: 7 } });
    expect(await admin.get(kind, { namespace, name: "patched" })).toEqual(created);
    expect(created.spec).not.toHaveProperty("unknown");
    say(() => patch([{ op: "replace", path: "/spec/replicas", value: "many" }]));
    expect(await refusal(attempt(context, kind))).toMatchObject({ code: "Invalid" });
    for (const steps of [[{ op: "remove", path: "/absent" }], "no list"]) {
      say(() => patch(steps));
      expect(await refusal(attempt(context, kind))).toMatchObject({ status: 500, statusReason: "InternalError" });
    }
    say(() => ({ allowed: true, patch: btoa("[]") }));
    expect(await refusal(attempt(context, kind))).toMatchObject({ status: 500 });
  });

  it("shows a webhook the version its rules name when the request came in another", async () => {
    const context = get();
    const kind = await serveGadgets(context, (name) =>
      gadgetCrd(name, [gadgetVersion("v1", true), gadgetVersion("v2", false)]),
    );
    const { listener, say } = await registered(context, kind, validating, undefined, {}, { apiVersions: ["v2"] });
    say(() => ({ allowed: true }));
    await attempt(context, kind);
    expect(listener.calls.at(-1)?.review.request).toMatchObject({
      kind: { version: "v2" },
      requestKind: { version: "v1" },
      resource: { version: "v2" },
      requestResource: { version: "v1" },
      object: { apiVersion: `${kind.group}/v2` },
    });
  });

  it("gives a node port to one of two Services that ask for it while a webhook thinks", async () => {
    const context = get();
    const { admin, namespace, unique } = context;
    let asked = 0;
    let together = () => {};
    const both = new Promise<void>((resolve) => {
      together = resolve;
    });
    const settings = { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } } };
    const { say, remove } = await registered(context, services, validating, undefined, settings);
    say(async () => {
      asked += 1;
      if (asked === 2) together();
      // A server that hands out ports before it asks refuses the second one at once.
      await Promise.race([both, sleep(500)]);
      return { allowed: true };
    });
    const spec = { type: "NodePort", ports: [{ port: 80, nodePort: 31_999 }] };
    const create = (name: string) =>
      admin.create(services, { apiVersion: "v1", kind: "Service", metadata: { name, namespace }, spec } as KubeObject);
    const outcomes = await Promise.allSettled([create(unique("port")), create(unique("port"))]);
    await remove();
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    expect(failed?.reason).toMatchObject({ code: "Invalid", causes: [{ field: "spec.ports[0].nodePort" }] });
  });

  it("asks about built-in kinds too", async () => {
    const context = get();
    const { admin, unique, cleanup } = context;
    const name = unique("hooked");
    await admin.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
    cleanup(() => admin.delete(namespaces, { name }));
    const namespaceSelector = { matchLabels: { "kubernetes.io/metadata.name": name } };
    const webhook = { ...hook(configMaps, ""), namespaceSelector };
    const { say } = await registered({ ...context, namespace: name }, configMaps, validating, undefined, webhook);
    say(({ object }) => ({ allowed: Object(object).data?.fine === "yes", status: { message: "not fine" } }));
    expect((await refusal(admin.create(configMaps, configMap({ name: "bad", namespace: name })))).message).toContain(
      "not fine",
    );
    expect(await admin.create(configMaps, configMap({ name: "good", namespace: name }, { fine: "yes" }))).toMatchObject(
      { data: { fine: "yes" } },
    );
  });

  it("fills in what a configuration leaves out and refuses what makes no sense", async () => {
    const { admin, unique, cleanup } = get();
    const kind: Kind = { group: "nobody.example.test", version: "v1", kind: "No", plural: "nos", namespaced: true };
    const name = unique("defaults");
    const created = await admin.create(
      validating,
      webhookConfiguration(validating, name, [hook(kind, "https://127.0.0.1:1/x")]),
    );
    cleanup(() => admin.delete(validating, { name }));
    expect(created).toMatchObject({
      metadata: { generation: 1 },
      webhooks: [
        {
          failurePolicy: "Fail",
          matchPolicy: "Equivalent",
          timeoutSeconds: 10,
          namespaceSelector: {},
          objectSelector: {},
          rules: [{ scope: "*" }],
        },
      ],
    });
    const bad = {
      name: "short",
      clientConfig: { url: "http://host/x?y" },
      sideEffects: "Some",
      failurePolicy: "Perhaps",
      timeoutSeconds: 40,
      admissionReviewVersions: ["v3"],
      rules: [{ apiGroups: ["*", ""], resources: ["*", "pods"], operations: ["FOO"], scope: "x" }],
    };
    const error = await refusal(admin.create(validating, webhookConfiguration(validating, unique("bad"), [bad])));
    expect(error.causes.map(({ field, reason }) => `${field} ${reason}`)).toEqual([
      "webhooks[0].name FieldValueInvalid",
      "webhooks[0].rules[0].operations[0] FieldValueNotSupported",
      "webhooks[0].rules[0].apiGroups FieldValueInvalid",
      "webhooks[0].rules[0].apiVersions FieldValueRequired",
      "webhooks[0].rules[0].resources FieldValueInvalid",
      "webhooks[0].rules[0].scope FieldValueNotSupported",
      "webhooks[0].failurePolicy FieldValueNotSupported",
      "webhooks[0].sideEffects FieldValueNotSupported",
      "webhooks[0].timeoutSeconds FieldValueInvalid",
      "webhooks[0].clientConfig.url FieldValueInvalid",
      "webhooks[0].clientConfig.url FieldValueInvalid",
      "webhooks[0].admissionReviewVersions FieldValueInvalid",
    ]);
  });

  conversionBehaviours(get);
}

/** A creation that stores nothing. */
function attempt({ admin, namespace, unique }: ContractContext, kind: Kind<Gadget>): Promise<Gadget> {
  return admin.create(kind, gadget(kind, namespace, unique("attempt")), { dryRun: true });
}

interface Registered {
  readonly listener: WebhookListener;
  /** What the webhook answers from now on. */
  readonly say: (answer: Answer) => void;
  readonly remove: () => Promise<void>;
}

/**
 * Registers a webhook for a kind and waits until the server asks it. `others` are webhooks before it, each with its own
 * rule and settings, called at `/0`, `/1` and so on.
 */
async function registered(
  context: ContractContext,
  kind: Kind,
  configurations: Kind,
  answer: Answer = () => ({ allowed: true }),
  settings: object = {},
  rule: object = {},
  others: readonly (readonly [object, object])[] = [],
): Promise<Registered> {
  const { admin, unique, cleanup, namespace } = context;
  let current: Answer = () => ({ allowed: false, status: { message: "registered" } });
  const listener = await listenForWebhooks((request) => current(request));
  const name = unique("hooks");
  const caBundle = { clientConfig: { url: `${listener.url}/check`, caBundle: listener.caBundle } };
  const webhooks = others.map(([rules, more], i) => {
    const clientConfig = { url: `${listener.url}/${i}`, caBundle: listener.caBundle };
    return { ...hook(kind, "", rules), ...more, clientConfig, name: `other${i}.mainstay.test` };
  });
  await admin.create(
    configurations,
    webhookConfiguration(configurations, name, [...webhooks, { ...hook(kind, "", rule), ...settings, ...caBundle }]),
  );
  const remove = async () => {
    await admin.delete(configurations, { name }).catch(() => undefined);
    await listener.close();
  };
  cleanup(remove);
  await eventually("the server to call the webhook", async () => {
    const probe = {
      apiVersion: `${kind.group === "" ? "" : `${kind.group}/`}${kind.version}`,
      kind: kind.kind,
      metadata: { name: unique("probe"), namespace },
      // Valid for every kind that is probed, so that only the webhook can refuse it; a ConfigMap drops what it does not know.
      spec: kind.group === "" ? { clusterIP: "None" } : { replicas: 1 },
    };
    try {
      await admin.create(kind, probe, { dryRun: true });
      return undefined;
    } catch (error) {
      return isKubeError(error) ? true : undefined;
    }
  });
  current = answer;
  return { listener, remove, say: (next) => void (current = next) };
}

function hook(kind: Kind, url: string, rule: object = {}): object {
  const rules = [
    { apiGroups: [kind.group], apiVersions: [kind.version], resources: [kind.plural], operations: ["*"], ...rule },
  ];
  return { name: hookName, clientConfig: { url }, sideEffects: "None", admissionReviewVersions: ["v1"], rules };
}

function webhookConfiguration({ kind }: Kind, name: string, webhooks: readonly object[]): KubeObject {
  return { apiVersion: `${group}/v1`, kind, metadata: { name }, webhooks } as KubeObject;
}
