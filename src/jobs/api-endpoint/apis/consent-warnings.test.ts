import { describe, expect, test } from "vitest";
import { apiEndpointWarnings } from "./api-endpoint/api-endpoint-validation.ts";
import { openStackClusterWarnings } from "./openstack-cluster/openstack-cluster-validation.ts";

const zone = { availabilityZone: "az1", subnet: { id: "s" } };
const on = { enabled: true, availabilityZoneSubnets: [zone] };
const off = { enabled: false };
const condition = (type: string, status: "True" | "False") => ({
  type,
  status,
  reason: "AsExpected",
  message: "",
  lastTransitionTime: "",
});
const healthy = { conditions: [condition("LoadBalancersReady", "True")], apiServerLoadBalancers: [zone] };
const removal = { "mainstay.dev/remove-legacy": "true" };
const repair = { "mainstay.dev/repair": "true" };

const both = (annotations: Readonly<Record<string, string>>, block: object, status: object | undefined) =>
  [openStackClusterWarnings, apiEndpointWarnings].map((warnings) =>
    warnings({
      apiVersion: "",
      kind: "",
      metadata: { name: "blue", annotations },
      spec: { apiServerLoadBalancer: block },
      ...(status === undefined ? {} : { status }),
    }),
  );
const twice = (...warnings: readonly string[]) => [warnings, warnings];

describe("a consent that agrees to nothing now is warned of through both doors", () => {
  const unused =
    "metadata.annotations[mainstay.dev/remove-legacy]: nothing is to be removed now; left in place it agrees to later removals; take it off";

  test.each([
    ["a new object", undefined],
    ["a healthy one", healthy],
  ])("on %s", (_what, status) => {
    expect(both(removal, on, status)).toEqual(twice(unused));
  });

  test.each(["LegacyLoadBalancerPresent", "LoadBalancerKept"])("and is in its place where %s asks for it", (type) => {
    const block = type === "LoadBalancerKept" ? off : on;
    expect(both(removal, block, { ...healthy, conditions: [condition(type, "True")] })).toEqual(twice());
  });

  test("and is in its place while what it agreed to goes on", () => {
    const leavingLoadBalancers = [{ id: "x", name: "x", since: "2026-01-01T00:00:00Z" }];
    expect(both(removal, on, { ...healthy, leavingLoadBalancers })).toEqual(twice());
  });

  test("and left over when balancers are switched off it is said to take the last one", () => {
    const [said = []] = both(removal, off, healthy);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain("this agrees that the last one goes at once, too");
  });

  test("and a repair is asked for only while balancers are not ready", () => {
    const unneeded =
      "metadata.annotations[mainstay.dev/repair]: nothing is to be repaired now; left in place it agrees to later repairs; take it off";
    expect(both(repair, on, healthy)).toEqual(twice(unneeded));
    expect(both(repair, on, { conditions: [condition("LoadBalancersReady", "False")] })).toEqual(twice());
  });

  test("and what agrees to nothing is not said to agree to later repairs", () => {
    for (const said of both({ "mainstay.dev/repair": "yes" }, on, healthy)) {
      expect(said).toHaveLength(1);
      expect(said[0]).toContain('"yes" is neither "true" nor a zone, and agrees to nothing');
    }
  });

  test("and no consent is none", () => {
    expect(both({ "mainstay.dev/remove-legacy": "false" }, on, healthy)).toEqual(twice());
  });
});

test.each([
  ["cluster.x-k8s.io/pause", "cluster.x-k8s.io/paused"],
  ["cluster.x-k8s.io/Paused", "cluster.x-k8s.io/paused"],
  ["cluster.x-k8s.io/manged-by", "cluster.x-k8s.io/managed-by"],
])("%s is said, with %s", (name, meant) => {
  expect(both({ [name]: "true" }, on, undefined)).toEqual(
    twice(`metadata.annotations[${name}] is not known and has no effect; did you mean ${meant}?`),
  );
});

test("Cluster API's other annotations are its own", () => {
  expect(both({ "cluster.x-k8s.io/cloned-from-name": "x", "cluster.x-k8s.io/paused": "" }, on, undefined)).toEqual(
    twice(),
  );
});
