import { expect, test } from "vitest";
import { OpenStackError, type OpenStackErrorCode } from "../../../../core/openstack/openstack-error.ts";
import type { Writer } from "../../../../engine/feature.ts";
import { executeCloud } from "./execute-cloud.ts";
import type { CloudExecution } from "./learn-from-cloud.ts";

const object = { namespace: "clusters", name: "blue" };
const id = "f1";

/** What the whole cloud is taken to lack after these answers. */
async function learnt(kind: "failover-load-balancer" | "tag-floating-ip", code: OpenStackErrorCode, there = true) {
  const lacking: string[] = [];
  const refused = async () => {
    throw new OpenStackError({ code, service: "octavia", operation: kind, message: "no" });
  };
  const project = {
    octavia: { failoverLoadBalancer: refused },
    neutron: { replaceTags: refused, listFloatingIps: async () => (there ? [{ id }] : []) },
  };
  const execution = {
    sessions: { of: () => ({ project, endpointKey: "cloud" }) },
    looks: { doubt: () => undefined, forget: () => undefined },
    floatingIps: { forget: () => undefined },
    failovers: { tried: () => undefined },
    capabilities: {
      refused: (_who: unknown, asked: readonly { feature: string }[]) =>
        lacking.push(...asked.map((one) => one.feature)),
      doubt: () => undefined,
    },
  } as unknown as CloudExecution;
  const action = { kind, id, name: "b", provider: "amphora", address: "203.0.113.9", tags: [], object };
  await expect(executeCloud(execution)[kind](action as never, {} as Writer)).rejects.toThrow("no");
  return lacking;
}

test.each(["Unsupported", "Forbidden"] as const)("%s is an answer about the cloud", async (code) => {
  expect(await learnt("failover-load-balancer", code)).toEqual(["failover"]);
  expect(await learnt("tag-floating-ip", code)).toEqual(["floating-ip-tags"]);
});

test("NotFound is an answer about one object, which has just gone", async () => {
  expect(await learnt("failover-load-balancer", "NotFound")).toEqual([]);
  expect(await learnt("tag-floating-ip", "NotFound", false)).toEqual([]);
});

test("NotFound about a floating IP that is there is Neutron's way to say that it has no tags", async () => {
  expect(await learnt("tag-floating-ip", "NotFound")).toEqual(["floating-ip-tags"]);
});
