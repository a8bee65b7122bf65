// Which Secrets an object uses or holds, and whether others need them.

import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../../apis/kube/kube-object.ts";
import { finalizerOf } from "../../../core/ownership.ts";
import type { Reader } from "../../../engine/feature.ts";
import { heldSecretAnnotation } from "../apis/annotations.ts";
import { apiEndpointDoor } from "../core/front-doors/api-endpoint-door.ts";
import { secretIndex, secretIndexOf, sharedSecrets } from "./observe-credentials.ts";

const door = { name: "api-endpoint", ...apiEndpointDoor } as const;

function object(
  uid: string,
  over: { readonly identityRef?: object; readonly held?: string; readonly isOurs?: boolean } = {},
) {
  const { identityRef = { name: "cloud" }, held, isOurs = true } = over;
  return {
    apiVersion: "x/v1",
    kind: "APIEndpoint",
    metadata: {
      name: uid,
      namespace: "ns",
      uid,
      annotations: held === undefined ? {} : { [heldSecretAnnotation]: held },
      finalizers: isOurs ? [finalizerOf(door.name)] : [],
    },
    spec: { identityRef },
  } as KubeObject;
}

test.each([
  [["ns/cloud"], object("a")],
  [["ns/cloud"], object("a", { held: "cloud" })],
  [["ns/cloud", "ns/old"], object("a", { held: "old" })],
  [["ns/cloud"], object("a", { identityRef: { type: "Secret", name: "cloud" } })],
  [[], object("a", { identityRef: { type: "ClusterIdentity", name: "shared" } })],
  [["ns/old"], object("a", { identityRef: { type: "ClusterIdentity", name: "shared" }, held: "old" })],
])("its Secrets are those beside it that it names or holds: %j", (secrets, one) => {
  expect(secretIndexOf(one)).toEqual(secrets);
});

describe("a Secret is shared", () => {
  const isShared = (...others: readonly KubeObject[]) => {
    const own = object("a");
    const byIndex = (index: string, value: string) =>
      [own, ...others].filter((one) => index === secretIndex && secretIndexOf(one).includes(value));
    const reader = { cached: () => ({ byIndex }) } as unknown as Reader;
    return sharedSecrets({ door, object: own, reader })("cloud");
  };

  test("while another object for which we act uses or holds it", () => {
    expect(isShared(object("b"))).toBe(true);
    expect(isShared(object("b", { identityRef: { name: "other" }, held: "cloud" }))).toBe(true);
  });

  test("not for itself alone, nor for those that use another or bear no finalizer of ours", () => {
    expect(isShared()).toBe(false);
    expect(isShared(object("b", { identityRef: { name: "other" } }), object("c", { isOurs: false }))).toBe(false);
  });
});
