// Bugs of the api-endpoint job on the way to the cloud: calls repeated, unmarked, unfenced, forgotten.

import type { Octavia } from "../../../src/ports/octavia.ts";
import type { CloudWriteOptions } from "../../../src/ports/openstack.ts";
import { neutronBug, octaviaBug, projectBug, writingWith } from "./endpoint-overrides.ts";
import type { Mutation } from "./mutation.ts";

export const endpointCloud: readonly Mutation[] = [
  {
    name: "floating-ip-taken",
    bug: "instead of a new floating IP a balancer gets the one of its neighbour",
    checker: "floating-ip-stays",
    caughtAt: 5,
    ...neutronBug((neutron) => ({
      createFloatingIp: async (wanted, options) => {
        const [mark = ""] = wanted.description.split(", zone");
        const all = await neutron.listFloatingIps({}, options);
        const taken = all.find(({ description, portId }) => description.startsWith(mark) && portId !== undefined);
        if (taken === undefined || wanted.portId === undefined) return await neutron.createFloatingIp(wanted, options);
        return await neutron.updateFloatingIp(taken.id, { portId: wanted.portId }, options);
      },
    })),
  },
  {
    name: "floating-ip-made-twice",
    bug: "a floating IP is made without its port, and another one when something goes wrong",
    checker: "one-floating-ip-per-zone",
    caughtAt: 669,
    ...neutronBug((neutron) => ({
      createFloatingIp: async ({ portId, ...wanted }, options) => {
        const make = async () => {
          const made = await neutron.createFloatingIp(wanted, options);
          return portId === undefined ? made : await neutron.updateFloatingIp(made.id, { portId }, options);
        };
        return await make().catch(make);
      },
    })),
  },
  {
    name: "floating-ip-known-by-memory",
    bug: "a floating IP that its balancer left behind is known to the process that saw it there: after a crash it leaks",
    checker: "nothing-left",
    sees: /floating IP/,
    caughtAt: 85,
    ...neutronBug((neutron) => {
      const attached = new Set<string>();
      return {
        listFloatingIps: async (query, options) => {
          const found = await neutron.listFloatingIps(query, options);
          for (const { id, portId } of found) if (portId !== undefined) attached.add(id);
          return found.filter(({ id }) => attached.has(id));
        },
      };
    }),
  },
  {
    name: "balancer-made-again-blindly",
    bug: "when the answer to its creation is lost, a balancer is asked for once more without a look",
    checker: "one-balancer-per-zone",
    sees: /2 balancers/,
    caughtAt: 45,
    ...octaviaBug((octavia) => ({
      createLoadBalancer: (wanted, options) =>
        octavia.createLoadBalancer(wanted, options).catch(() => octavia.createLoadBalancer(wanted, options)),
    })),
  },
  {
    name: "balancers-known-by-memory",
    bug: "what was made is remembered by the process, not found by its mark: a successor makes it again",
    checker: "one-balancer-per-zone",
    sees: /2 balancers/,
    caughtAt: 45,
    ...octaviaBug((octavia) => {
      const made = new Set<string>();
      return {
        listLoadBalancers: async (query, options) =>
          (await octavia.listLoadBalancers(query, options)).filter(({ id, tags }) => made.has(id) || tags.length === 0),
        createLoadBalancer: async (wanted, options) => {
          const balancer = await octavia.createLoadBalancer(wanted, options);
          made.add(balancer.id);
          return balancer;
        },
      };
    }),
  },
  {
    name: "balancer-without-mark",
    bug: "balancers are made without tags",
    checker: "one-balancer-per-zone",
    sees: /without a mark/,
    caughtAt: 5,
    ...octaviaBug((octavia) => ({
      createLoadBalancer: (wanted, options) => octavia.createLoadBalancer({ ...wanted, tags: [] }, options),
    })),
  },
  {
    name: "vip-not-asked-for",
    bug: "a balancer that is made again gets whatever address comes next",
    checker: "addresses-stay",
    sees: /came back with VIP/,
    caughtAt: 149,
    ...octaviaBug((octavia) => ({
      createLoadBalancer: ({ vipAddress: _wanted, ...wanted }, options) => octavia.createLoadBalancer(wanted, options),
    })),
  },
  {
    name: "prepared-floating-ip-overlooked",
    bug: "a floating IP that waits for its zone is not looked for",
    checker: "addresses-stay",
    sees: /was free for it/,
    caughtAt: 101,
    ...neutronBug((neutron) => ({
      listFloatingIps: async (query, options) =>
        (await neutron.listFloatingIps(query, options)).filter(
          ({ portId, description }) => portId !== undefined || !description.startsWith("prepared"),
        ),
    })),
  },
  {
    name: "every-look-is-a-full-one",
    bug: "when a balancer last changed is not read, so each look asks for everything",
    checker: "few-calls-when-quiet",
    caughtAt: 21,
    ...octaviaBug((octavia) => ({
      listLoadBalancers: async (query, options) =>
        (await octavia.listLoadBalancers(query, options)).map(({ updatedAt: _unread, ...balancer }) => balancer),
    })),
  },
  {
    name: "password-in-error",
    bug: "an error of the cloud repeats the password",
    checker: "no-secret-shown",
    sees: /octavia/,
    caughtAt: 149,
    endpoint: () => ({
      openStack: (openStack) => ({
        project: (config) => {
          const project = openStack.project(config);
          const { auth } = config;
          const secret = auth.type === "password" ? auth.password : "";
          const createListener: Octavia["createListener"] = (wanted, options) =>
            project.octavia.createListener(wanted, options).catch((error: unknown) => {
              throw Object.assign(new Error(`refused for demo:${secret}`), { cause: error });
            });
          return { ...project, octavia: { ...project.octavia, createListener } };
        },
      }),
    }),
  },
  {
    name: "openstack-without-fence",
    bug: "calls to OpenStack leave whether or not this manager still leads",
    checker: "one-leader-writes",
    sees: /cloud/,
    caughtAt: 205,
    ...projectBug((project) => ({
      ...project,
      octavia: writingWith(project.octavia, bare),
      neutron: writingWith(project.neutron, bare),
    })),
  },
  {
    name: "openstack-deadline-past-the-fence",
    bug: "calls to OpenStack have a minute to arrive, however their round ended and whoever leads by then",
    checker: "late-writes-harmless",
    sees: /cloud .* arrived/,
    caughtAt: 117,
    ...projectBug((project) => ({
      ...project,
      octavia: writingWith(project.octavia, patient),
      neutron: writingWith(project.neutron, patient),
    })),
  },
];

function bare({ fence: _fence, deadlineMs: _deadline, ...rest }: CloudWriteOptions): CloudWriteOptions {
  return rest;
}

function patient({ fence: _fence, signal: _signal, ...rest }: CloudWriteOptions): CloudWriteOptions {
  return { ...rest, deadlineMs: 60_000 };
}
