// The fake cloud without sockets, in virtual time.

import { createLabShaped } from "../../../../src/sim/fakes/openstack/lab-shaped.ts";
import { seededRandom } from "../../../../src/sim/time/seeded-random.ts";
import { VirtualClock } from "../../../support/virtual-clock.ts";
import type { OpenStackTarget } from "../target.ts";
import { fakeOptions, fakeSession } from "./fake-session.ts";

export function fakeInProcess(provider: "amphora" | "ovn"): OpenStackTarget {
  return {
    name: `the fake, in-process, provider ${provider}`,
    async open() {
      const clock = new VirtualClock();
      const lab = createLabShaped({ clock, random: seededRandom(5), ...fakeOptions(provider) });
      return {
        ...fakeSession(lab, provider),
        openStack: lab.fake,
        project: (kind) => lab.fake.project(lab.clouds[kind]),
        pass: (milliseconds) => clock.advance(milliseconds),
        cleanUp: async () => lab.fake.close(),
      };
    },
  };
}
