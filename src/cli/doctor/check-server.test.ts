import { expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/virtual-clock.ts";
import { KubeError } from "../../core/kube-error.ts";
import type { Kube } from "../../ports/kube.ts";
import { checkServer } from "./check-server.ts";

const answering = (request: () => Promise<unknown>) => ({ request }) as unknown as Kube;

test.each([
  ["has no such page", () => Promise.reject(new KubeError({ code: "NotFound", message: "404" }))],
  ["answers with something else", () => Promise.resolve({ hello: "world" })],
])("an address where something %s is said to be no API server", async (_, request) => {
  expect(await checkServer(answering(request), new VirtualClock())).toEqual([
    expect.objectContaining({
      check: "reachability",
      result: "fail",
      says: "something answers at the kubeconfig's server, but it is no Kubernetes API server",
    }),
  ]);
});
