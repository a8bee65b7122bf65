import { expect, test } from "vitest";
import { OpenStackError, type OpenStackErrorCode } from "../../../../core/openstack/openstack-error.ts";
import type { Writer } from "../../../../engine/feature.ts";
import { CloudMemory } from "../memory.ts";
import { executeCloud } from "./execute-cloud.ts";

const object = { namespace: "clusters", name: "blue" };
const id = "f1";
const writer = {} as Writer;

function refusing(code: OpenStackErrorCode) {
  return async () => {
    throw new OpenStackError({ code, service: "octavia", operation: "o", message: "no" });
  };
}

/** A memory that has observed the object in a cloud with these answers; and what it asked for since. */
async function observedIn(answers: { readonly octavia?: object; readonly neutron?: object }) {
  const calls: string[] = [];
  const answering = (given: object): object =>
    new Proxy(given, {
      get:
        (target, name) =>
        async (...rest: unknown[]) => {
          calls.push(String(name));
          const answer: unknown = Reflect.get(target, name);
          if (typeof answer === "function") return answer(...rest) as unknown;
          return name === "version" ? [2, 26] : [];
        },
    });
  const project = {
    timeMs: async () => undefined,
    octavia: answering(answers.octavia ?? {}),
    neutron: answering(answers.neutron ?? {}),
    nova: answering({}),
  };
  const session = { project, endpointKey: "cloud", sharingKey: "cloud token", location: "p/r", hasOctavia: true };
  const memory = new CloudMemory();
  const intent = {
    object,
    ownerId: "o",
    cluster: object,
    mode: "zones",
    zones: [],
    consents: {},
    additionalPorts: [],
    clusterSubnets: [],
    subnets: [],
    floatingIp: { enabled: false },
  };
  const observe = async (monotonicMs = 0) => {
    calls.length = 0;
    const recorded = { zones: [], single: undefined, networkId: undefined };
    const observation = { intent, recorded, session, monotonicMs, call: {} } as unknown as Parameters<
      CloudMemory["observe"]
    >[0];
    const { capabilities } = await memory.observe(observation);
    return { lacking: capabilities.known ? capabilities.value.refused.map(({ feature }) => feature) : [], calls };
  };
  await observe();
  return { memory, observe, executors: executeCloud(memory) };
}

type Learnable = "failover-load-balancer" | "tag-floating-ip";

/** What the whole cloud is taken to lack after these answers. */
async function learnt(kind: Learnable, code: OpenStackErrorCode, there = true) {
  const { executors, observe } = await observedIn({
    octavia: { failoverLoadBalancer: refusing(code) },
    neutron: {
      replaceTags: refusing(code),
      listFloatingIps: async () => (there ? [{ id, tags: [], description: "", address: "203.0.113.9" }] : []),
    },
  });
  const action = { kind, id, name: "b", provider: "amphora", address: "203.0.113.9", tags: [], object };
  await expect(executors[kind](action as never, writer)).rejects.toThrow("no");
  return (await observe()).lacking;
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

test("a batch of members that is refused is sent one by one, and so is the next", async () => {
  const { executors, observe } = await observedIn({ octavia: { mergeMembers: refusing("Unsupported") } });
  const action = { kind: "merge-members", poolId: "p", members: [], batch: true, provider: "amphora", object };
  await executors["merge-members"](action as never, writer);
  expect((await observe()).lacking).toEqual(["batch-members"]);
});

const balancer = { id: "lb", tags: [], provisioningStatus: "ACTIVE", operatingStatus: "ONLINE", updatedAt: "now" };

test.each([
  ["done", ["listLoadBalancers"]],
  ["Unreachable", ["listLoadBalancers"]],
  ["Conflict", ["listLoadBalancers", "statusTree"]],
  ["NotFound", ["listLoadBalancers", "statusTree"]],
] as const)("after a change that is answered %s, however soon, the cloud is asked for: %j", async (answer, asked) => {
  const updatePool = answer === "done" ? async () => undefined : refusing(answer);
  const { executors, observe } = await observedIn({
    octavia: {
      updatePool,
      listLoadBalancers: async () => [balancer],
      statusTree: async () => ({ listeners: [], pools: [] }),
    },
  });
  // Only what was seen longer than Octavia's grain after its stamp is kept.
  await observe(5_000);
  expect((await observe(5_001)).calls).not.toContain("listLoadBalancers");
  const action = { kind: "update-pool", id: "p", change: {}, object } as never;
  const ending = await executors["update-pool"](action, writer).then(
    () => "done",
    (error: OpenStackError) => error.code,
  );
  expect(ending).toBe(answer);
  const { calls } = await observe(5_002);
  expect(["listLoadBalancers", "statusTree"].filter((call) => calls.includes(call))).toEqual(asked);
});

test("an object that is gone is forgotten whole: nothing is sent for it, and everything is asked for when it comes again", async () => {
  const { memory, executors, observe } = await observedIn({
    octavia: {
      listLoadBalancers: async () => [balancer],
      statusTree: async () => ({ listeners: [], pools: [] }),
    },
  });
  expect((await observe(1)).calls).toEqual([]);
  memory.forget(object);
  const action = { kind: "update-pool", id: "p", change: {}, object } as never;
  await expect(executors["update-pool"](action, writer)).rejects.toMatchObject({ reason: "OpenStackNotAuthenticated" });
  expect((await observe(2)).calls).toEqual(
    expect.arrayContaining(["listLoadBalancers", "statusTree", "listFloatingIps"]),
  );
});
