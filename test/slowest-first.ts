// The order of test files: those that take minutes begin first, so that none of them runs alone at the end while the other worker has
// nothing left to do. Without it vitest begins with the largest files, and the longest suites are small: they only name contracts.

import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The longest first, as measured in a whole run on the lab. */
const slowest = [
  "test/simulation/mutations.test.ts",
  "test/contract/openstack/openstack.test.ts",
  "test/simulation/simulation.test.ts",
  "test/lab/api-endpoint/api-endpoint.test.ts",
  "test/e2e/dashboard.test.ts",
  "test/lab/api-endpoint/two-managers.test.ts",
  "test/lab/reachability/real-cloud.test.ts",
  "test/contract/kube.test.ts",
  "test/lab/openstack-api.test.ts",
  "test/lab/commands.test.ts",
  "test/lab/topology.test.ts",
];

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = slowest.findIndex((path) => moduleId.endsWith(`/${path}`));
  return rank < 0 ? slowest.length : rank;
}
