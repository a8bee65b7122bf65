import { expect, test } from "vitest";
import { OpenStackError, type OpenStackErrorCode } from "../../../../core/openstack/openstack-error.ts";
import type { Writer } from "../../../../engine/feature.ts";
import { executeCloud } from "./execute-cloud.ts";
import type { CloudExecution } from "./learn-from-cloud.ts";

const object = { namespace: "clusters", name: "blue" };

/** Whether the looks are forgotten after a write that the cloud answers so. */
async function forgets(code: OpenStackErrorCode): Promise<boolean> {
  const told: string[] = [];
  const looks = {
    doubt: (key: string) => told.push(`doubt ${key}`),
    forget: (key: string) => told.push(`forget ${key}`),
  };
  const refused = async () => {
    throw new OpenStackError({ code, service: "octavia", operation: "update pool p", message: "no" });
  };
  const project = { octavia: { updatePool: refused } };
  const execution = { sessions: { of: () => ({ project, endpointKey: "cloud" }) }, looks } as unknown as CloudExecution;
  const action = { kind: "update-pool", id: "p", change: {}, object } as never;
  const attempt = executeCloud(execution)["update-pool"](action, {} as Writer);
  await expect(attempt).rejects.toMatchObject({ code });
  expect(told).toContain("doubt clusters/blue");
  return told.includes("forget clusters/blue");
}

test.each([
  ["Conflict", true],
  ["NotFound", true],
  ["Unreachable", false],
] as const)("after an answer %s everything is looked at anew: %s", async (code, anew) => {
  expect(await forgets(code)).toBe(anew);
});
