// What a cloud refuses to show one object is asked for later and later; what is no answer is asked for at the next look.

import { expect, test } from "vitest";
import { OpenStackError, type OpenStackErrorCode } from "../../../../core/openstack/openstack-error.ts";
import type { OpenStackProject } from "../../../../ports/openstack.ts";
import { refusedReads, withRefusals } from "./refused-reads.ts";

/** A Neutron that fails so, and how often it was asked by looks at these times. */
async function asked(code: OpenStackErrorCode, ...looks: readonly (readonly [key: string, seconds: number])[]) {
  let count = 0;
  const neutron = {
    region: "RegionOne",
    listNetworks: async () => {
      count += 1;
      throw new OpenStackError({ code, service: "neutron", operation: "list networks", message: "no" });
    },
  };
  const project = { octavia: {}, neutron, nova: {} } as unknown as OpenStackProject;
  const refused = refusedReads();
  for (const [key, seconds] of looks) {
    const reading = { key, version: "1", monotonicMs: seconds * 1_000 };
    const { neutron: reader } = withRefusals(project, refused, reading);
    expect(Reflect.get(reader, "region")).toBe("RegionOne");
    await expect(reader.listNetworks({}, {})).rejects.toMatchObject({ code });
  }
  return count;
}

test("a refusal is said again without asking, and asked for again after a while", async () => {
  expect(await asked("Forbidden", ["a", 0], ["a", 1], ["a", 14])).toBe(1);
  expect(await asked("Forbidden", ["a", 0], ["a", 15])).toBe(2);
});

test("each object asks for itself", async () => {
  expect(await asked("Forbidden", ["a", 0], ["b", 1])).toBe(2);
});

test.each<OpenStackErrorCode>(["Timeout", "Unreachable", "TooManyRequests", "Unauthorized"])(
  "%s is no refusal of this read: the next look asks again",
  async (code) => {
    expect(await asked(code, ["a", 0], ["a", 1])).toBe(2);
  },
);
