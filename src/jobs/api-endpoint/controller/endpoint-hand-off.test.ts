// What CAPO's object says of a hand-off and of a bastion.

import { describe, expect, test } from "vitest";
import { placesOf } from "../../../../test/api-endpoint/model/endpoint-builders.ts";
import type { KubeObject } from "../../../apis/kube/kube-object.ts";
import { known } from "../../../core/known.ts";
import { type EndpointHandOff, stateOf, withBastion } from "./endpoint-hand-off.ts";

const unread = { known: false, reason: "PermissionDenied", message: "forbidden" } as const;
const target = (over: object = {}) =>
  known({
    root: {},
    ref: { name: "blue" },
    hasEndpoint: false,
    bastionAddresses: [],
    ...over,
  }) as unknown as EndpointHandOff["target"];

test.each<readonly [string, boolean, EndpointHandOff["target"]]>([
  ["none", false, target()],
  ["none", true, unread],
  ["none", true, known(undefined)],
  ["waiting", true, target()],
  ["done", true, target({ hasEndpoint: true })],
])("a hand-off is %s where it is asked for (%s) of %j", (state, isAsked, found) => {
  expect(stateOf({ isAsked, target: found })).toBe(state);
});

describe("the addresses of a bastion", () => {
  const object = (bastion?: object) =>
    ({ apiVersion: "v1", kind: "OpenStackCluster", metadata: { name: "blue" }, status: { bastion } }) as KubeObject;
  const places = known(placesOf([]));
  const found = (of: KubeObject, there: EndpointHandOff["target"]) => {
    const all = withBastion(places, of, there);
    return all.known ? [all.value.bastionAddresses, all.value.clusterUnresolved] : all.reason;
  };

  test("are the object's own and those of CAPO's, each once; what is no address is left out", () => {
    expect(found(object(), known(undefined))).toEqual([undefined, []]);
    expect(found(object({ ip: "10.6.0.250", floatingIP: "203.0.113.9" }), known(undefined))).toEqual([
      ["10.6.0.250", "203.0.113.9"],
      [],
    ]);
    expect(
      found(object({ ip: "10.6.0.250", floatingIP: 7 }), target({ bastionAddresses: ["10.6.0.250", "10.6.0.1"] })),
    ).toEqual([["10.6.0.1", "10.6.0.250"], []]);
    expect(found(object({ ip: "nonsense" }), target())).toEqual([undefined, []]);
  });

  test("are not known where CAPO's object cannot be read, and nothing is where places are not", () => {
    expect(found(object(), unread)).toEqual([undefined, ["the bastion: forbidden"]]);
    expect(withBastion(unread, object(), target())).toBe(unread);
  });
});
