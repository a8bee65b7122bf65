import { describe, expect, test } from "vitest";
import { formatProblem } from "../../../../apis/text/problem.ts";
import { checkWrite } from "../../../../server/webhooks/admission-checks.ts";
import { apiEndpointJob } from "../../job.ts";

const zone = { availabilityZone: "az1", subnet: { id: "11111111-1111-1111-1111-111111111111" } };
const whole = { enabled: true, network: { filter: { name: "tenant" } }, availabilityZoneSubnets: [zone] };
const { availabilityZoneSubnets, ...rest } = whole;
const mistyped = { ...rest, availabiltyZoneSubnets: availabilityZoneSubnets };

const object = (block: object) => ({
  apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
  kind: "OpenStackCluster",
  metadata: { name: "blue", namespace: "default" },
  spec: {
    controlPlaneEndpoint: { host: "api.example.com", port: 6443 },
    identityRef: { name: "cloud", cloudName: "demo" },
    apiServerLoadBalancer: block,
  },
});
const write = (after: object, before?: object) => {
  const { problems = [], warnings = [] } =
    checkWrite(
      {
        resource: "openstackclusters.infrastructure.cluster.x-k8s.io",
        version: "v1beta1",
        after: object(after),
        before: before === undefined ? undefined : object(before),
      },
      apiEndpointJob.admission,
    ) ?? {};
  return { refused: problems.map(formatProblem).join("\n"), warnings: warnings.join("\n") };
};
const meant =
  "spec.apiServerLoadBalancer.availabiltyZoneSubnets: it is not known; did you mean availabilityZoneSubnets?";

describe("a field of the block that is close to a known one", () => {
  test("is refused when an object is made with it, and when a change adds it", () => {
    expect(write(mistyped).refused).toContain(meant);
    expect(write(mistyped, rest).refused).toContain(meant);
  });

  test("is warned of where it was there before, so that other fields can be changed", () => {
    const { refused, warnings } = write({ ...mistyped, additionalPorts: [9345] }, mistyped);
    expect(refused).not.toContain("did you mean");
    expect(warnings).toContain(meant);
  });
});

test("a field of the block that is close to nothing is warned of, and refuses nothing", () => {
  const { refused, warnings } = write({ ...whole, algorithm: "x" });
  expect(refused).toBe("");
  expect(warnings).toContain("spec.apiServerLoadBalancer.algorithm is not known and has no effect");
});
