// The job as the product takes it: one controller, made from its settings, that shows what it declares.

import { expect, test } from "vitest";
import { readConfiguration } from "../../src/cli/configuration/configuration.ts";
import { enabledFeatures } from "../../src/cli/configuration/enabled-features.ts";
import { gatewayFeatures } from "../../src/jobs/gateway/controller/features.ts";
import { gatewayJob } from "../../src/jobs/gateway/job.ts";
import { noOpenStack } from "../../src/sim/fakes/openstack/no-openstack.ts";

test("a configuration turns it on, under the name that it is declared by, and off", () => {
  const features = (text: string) => {
    const { configuration } = readConfiguration({ text, jobs: [gatewayJob] });
    return enabledFeatures(configuration, [gatewayFeatures], { openStack: noOpenStack }).map(({ name }) => name);
  };
  expect(features("gateway: { observeAgainSeconds: 5 }")).toEqual(Object.keys(gatewayJob.controllers));
  expect(features("controllers: { gateway: { enabled: false } }")).toEqual([]);
});
