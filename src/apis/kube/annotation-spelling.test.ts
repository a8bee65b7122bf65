import { describe, expect, test } from "vitest";
import { annotationWarnings } from "../../jobs/api-endpoint/apis/annotation-checks.ts";
import { apiEndpointWarnings } from "../../jobs/api-endpoint/apis/api-endpoint/api-endpoint-validation.ts";
import { openStackClusterWarnings } from "../../jobs/api-endpoint/apis/openstack-cluster/openstack-cluster-validation.ts";

const said = (annotations: Readonly<Record<string, string>>, door: "OpenStackCluster" | "APIEndpoint") =>
  annotationWarnings({ name: "blue", annotations }, door, ["az1", "az2"]);
const unknown = (name: string, advice: string) =>
  `metadata.annotations[${name}] is not known and has no effect; ${advice}`;

describe("an annotation that nobody reads", () => {
  test.each([
    ["mainstay.dev/adopt-legcy", "mainstay.dev/adopt-legacy"],
    ["mainstay.dev/adoptLegacy", "mainstay.dev/adopt-legacy"],
    ["mainstay.dev/Repair", "mainstay.dev/repair"],
    ["mainstay.io/remove-legacy", "mainstay.dev/remove-legacy"],
    ["mainstays.dev/min-zone", "mainstay.dev/min-zones"],
  ])("%s is said, with %s", (name, meant) => {
    expect(said({ [name]: "true" }, "OpenStackCluster")).toEqual([unknown(name, `did you mean ${meant}?`)]);
  });

  test("and is near to none is said with those that are read", () => {
    const [warning = ""] = said({ "mainstay.dev/colour": "blue" }, "APIEndpoint");
    expect(warning).toContain("mainstay.dev/idle-timeout, mainstay.dev/min-zones, ");
    expect(warning).not.toContain("mainstay.dev/adopt-legacy");
  });

  test("is said by admission of both kinds", () => {
    const metadata = { name: "blue", annotations: { "mainstay.dev/repare": "true" } };
    for (const warnings of [openStackClusterWarnings, apiEndpointWarnings])
      expect(warnings({ apiVersion: "", kind: "", metadata })).toEqual([
        unknown("mainstay.dev/repare", "did you mean mainstay.dev/repair?"),
      ]);
  });

  test("is not one of ours when it begins otherwise, and programs' own are theirs", () => {
    const others = { "topology.mainstay.dev/declared": "x", "example.com/mainstay": "x", mainstay: "x" };
    expect(said(others, "OpenStackCluster")).toEqual([]);
    expect(said({ "mainstay.dev/conversion-v1beta2": "[]" }, "OpenStackCluster")).toEqual([]);
  });
});

test("what only the other kind reads says what to do instead", () => {
  expect(said({ "mainstay.dev/publish-dns": "yes", "mainstay.dev/adopt-legacy": "true" }, "APIEndpoint")).toEqual([
    "metadata.annotations[mainstay.dev/publish-dns] has no effect here: set spec.publishDNS instead",
    "metadata.annotations[mainstay.dev/adopt-legacy] has no effect here: through an APIEndpoint a balancer of CAPO's is never adopted",
  ]);
});

test.each(["yes", "True", "1", ""])("the value %j of a consent is said to mean no", (value) => {
  expect(said({ "mainstay.dev/remove-legacy": value }, "APIEndpoint")).toEqual([
    `metadata.annotations[mainstay.dev/remove-legacy]: ${JSON.stringify(value)} means no; only "true" means yes`,
  ]);
});

test.each([
  ["yes", "yes"],
  ["True", "True"],
  ["", ""],
  ["az1,az3", "az3"],
])("the consent to repairs %j is said to agree to nothing by %j", (value, unknown) => {
  expect(said({ "mainstay.dev/repair": value }, "APIEndpoint")).toEqual([
    `metadata.annotations[mainstay.dev/repair]: ${JSON.stringify(unknown)} is neither "true" nor a zone, and agrees to nothing; mapped are az1, az2`,
  ]);
});

test.each(["true", "false", "az2", "az1, az2"])("of the consent to repairs %j nothing is said", (value) => {
  expect(said({ "mainstay.dev/repair": value }, "APIEndpoint")).toEqual([]);
});

test.each(["yes", "True", "1", ""])("the value %j of what keeps records or balancers is said to mean yes", (value) => {
  const means = `${JSON.stringify(value)} means yes; only "false" means no`;
  expect(said({ "mainstay.dev/publish-dns": value }, "OpenStackCluster")).toEqual([
    `metadata.annotations[mainstay.dev/publish-dns]: ${means}`,
  ]);
  expect(said({ "mainstay.dev/outlives-cluster": value }, "APIEndpoint")).toEqual([
    `metadata.annotations[mainstay.dev/outlives-cluster]: ${means}`,
  ]);
});

test("an annotation that was put among the labels is said", () => {
  const labels = { "mainstay.dev/repair": "true", "mainstay.dev/team": "blue" };
  expect(annotationWarnings({ name: "blue", labels }, "OpenStackCluster", [])).toEqual([
    "metadata.labels[mainstay.dev/repair] has no effect: it is read as an annotation",
  ]);
});
