// A cloud that answers nobody is not asked for each object (engine/round/silent-services.ts). This holds for what a round waits for to the
// end: logging in, and the list of balancers. Everything else is waited for a moment only, and may be silent about one part alone.

import { isOpenStackError, type OpenStackService } from "../../../../core/openstack/openstack-error.ts";
import { type ServiceQuestion, SilentServices } from "../../../../engine/round/silent-services.ts";
import type { Octavia } from "../../../../ports/octavia.ts";

export type SilentCloud = Pick<SilentServices, "ask">;

/** `service`: whose silence is meant; another one that is asked on the way, such as for a token, says nothing of it. */
export function silentClouds(service: OpenStackService): SilentCloud {
  return new SilentServices((error) => {
    // A connection may break by itself, and is made anew.
    const failures = isOpenStackError(error, "Timeout") ? 1 : isOpenStackError(error, "Unreachable") ? 2 : undefined;
    const isOther = isOpenStackError(error) && error.service !== service;
    return isOther ? Number.POSITIVE_INFINITY : failures;
  });
}

export function withSilence(octavia: Octavia, silent: SilentCloud, question: ServiceQuestion): Octavia {
  return new Proxy(octavia, {
    get: (target, method) => {
      if (method !== "listLoadBalancers") return Reflect.get(target, method, target) as unknown;
      return (...given: Parameters<Octavia["listLoadBalancers"]>) =>
        silent.ask(question, () => target.listLoadBalancers(...given));
    },
  });
}
