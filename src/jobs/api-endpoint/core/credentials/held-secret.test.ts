// Row by row: when the Secret with the credentials is held, let go, or exchanged for another.

import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import { intent } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import type { CredentialsObserved } from "../model/observed.ts";
import { planHeldSecret, planLastSteps, planRelease } from "./held-secret.ts";

type Secret = NonNullable<CredentialsObserved["secret"]>;
const whole: Secret = { hasFinalizer: true, deleting: false, isNamespaceStaying: true };

function observed(over: Partial<CredentialsObserved>, deleting = false) {
  const credentials: CredentialsObserved = { name: "cloud", held: "cloud", shared: [], secret: whole, ...over };
  return { ...new CloudModel(intent({ deleting })).observe(), credentials };
}

const steps = (over: Partial<CredentialsObserved>, deleting = false) =>
  planHeldSecret(observed(over, deleting)).actions.map(({ lane: _, because: __, ...action }) => action);

describe("the Secret of an object", () => {
  test("is held once its name is written down and it has the finalizer", () => {
    expect(steps({})).toEqual([]);
    const hold = [{ kind: "hold-secret", secret: "cloud" }];
    expect(steps({ held: undefined })).toEqual(hold);
    expect(steps({ secret: { ...whole, hasFinalizer: false } })).toEqual(hold);
  });

  test("takes the place of another, which is let go unless others use it", () => {
    expect(steps({ held: "old" })).toEqual([{ kind: "hold-secret", secret: "cloud", instead: "old" }]);
    expect(steps({ held: "old", shared: ["old"] })).toEqual([{ kind: "hold-secret", secret: "cloud" }]);
    expect(steps({ held: "old", shared: ["cloud"] })).toEqual([
      { kind: "hold-secret", secret: "cloud", instead: "old" },
    ]);
  });

  test("is let go when people replace it by deleting it, and kept when its namespace or the object goes", () => {
    const going = { ...whole, deleting: true };
    expect(steps({ secret: going })).toEqual([{ kind: "release-secret", secret: "cloud" }]);
    expect(steps({ secret: { ...going, isNamespaceStaying: false } })).toEqual([]);
    expect(steps({ secret: going }, true)).toEqual([]);
    expect(steps({ secret: { ...going, hasFinalizer: false } })).toEqual([]);
  });

  test("is left alone where there is none, or nobody has read it", () => {
    const { secret: _, ...unread } = observed({}).credentials;
    expect(planHeldSecret({ ...observed({}), credentials: unread }).actions).toEqual([]);
    const { credentials: __, ...without } = observed({});
    expect(planHeldSecret(without).actions).toEqual([]);
  });
});

describe("at the end", () => {
  const kinds = (over: Partial<CredentialsObserved>, isCleanedUp = false) => {
    const all = observed(over, true);
    return planLastSteps({ ...all, object: { ...all.object, isCleanedUp } }).actions.map(({ kind }) => kind);
  };

  test("that nothing is left is written down before a Secret is let go, and nowhere else", () => {
    expect(kinds({})).toEqual(["record-clean-up"]);
    expect(kinds({ held: undefined })).toEqual(["record-clean-up"]);
    expect(kinds({}, true)).toEqual(["remove-finalizer"]);
    expect(kinds({ held: undefined, secret: { ...whole, hasFinalizer: false } })).toEqual(["remove-finalizer"]);
  });

  test("the Secret that was held is let go with the object, unless others use it", () => {
    const released = (over: Partial<CredentialsObserved>) => planRelease(observed(over, true)).actions;
    expect(released({})).toMatchObject([{ kind: "remove-finalizer", releases: "cloud" }]);
    expect(released({ held: "old" })).toMatchObject([{ releases: "old" }]);
    expect(released({ held: undefined })).toMatchObject([{ releases: "cloud" }]);
    expect(released({ shared: ["cloud"] })[0]).not.toHaveProperty("releases");
  });
});
