// Clouds for commands, whose drivers are loaded when the first call is made: most commands make none. Wiring only.

import type { OpenStack, OpenStackProject } from "../ports/openstack.ts";

export function openStackWhenUsed(load: () => Promise<OpenStack>): OpenStack {
  let loaded: Promise<OpenStack> | undefined;
  return {
    project: (config) => {
      const project = async (): Promise<OpenStackProject> => (await (loaded ??= load())).project(config);
      return {
        identify: async (options) => await (await project()).identify(options),
        timeMs: async () => await (await project()).timeMs(),
        octavia: portWhenUsed(async () => (await project()).octavia),
        neutron: portWhenUsed(async () => (await project()).neutron),
        nova: portWhenUsed(async () => (await project()).nova),
      };
    },
  };
}

/** Every method of these ports returns a promise, so that loading the driver first makes no difference to callers. */
function portWhenUsed<P extends object>(port: () => Promise<P>): P {
  const call =
    (method: PropertyKey) =>
    async (...args: readonly unknown[]): Promise<unknown> => {
      const there = await port();
      const found: unknown = Reflect.get(there, method);
      if (typeof found !== "function") throw new TypeError(`the port has no method ${String(method)}`);
      return await Reflect.apply(found, there, args);
    };
  // Whatever is asked of it is asked of the port.
  return new Proxy({}, { get: (_, method) => call(method) }) as P;
}
