// The fake cloud over HTTP on loopback, reached through the driver as the real one is. Its own time is virtual, the driver's is real.

import { listenForCloud } from "../../../../src/bin/fake-cloud-listener.ts";
import { openStackClient } from "../../../../src/drivers/openstack/openstack-client.ts";
import { undiciTransport } from "../../../../src/drivers/openstack/undici-transport.ts";
import { systemClock } from "../../../../src/drivers/system/system-clock.ts";
import { systemRandom } from "../../../../src/drivers/system/system-random.ts";
import { handleCloudRequest } from "../../../../src/sim/fakes/openstack/http-front.ts";
import { createLabShaped } from "../../../../src/sim/fakes/openstack/lab-shaped.ts";
import { seededRandom } from "../../../../src/sim/time/seeded-random.ts";
import { VirtualClock } from "../../../support/virtual-clock.ts";
import type { OpenStackTarget } from "../target.ts";
import { fakeOptions, fakeSession } from "./fake-session.ts";

export function fakeHttp(provider: "amphora" | "ovn"): OpenStackTarget {
  return {
    name: `the fake, over HTTP through the driver, provider ${provider}`,
    async open() {
      const listener = await listenForCloud();
      const clock = new VirtualClock({ startMs: systemClock.nowMs() });
      const authUrl = `${listener.url}/identity/v3`;
      // Pages of two, so that every longer list is one of several pages.
      const lab = createLabShaped({ clock, random: seededRandom(6), authUrl, pageLimit: 2, ...fakeOptions(provider) });
      listener.serve((request) => handleCloudRequest(lab.fake, request));
      const transport = undiciTransport({ environment: {} });
      const openStack = openStackClient({
        transport,
        clock: systemClock,
        random: systemRandom,
        userAgent: "mainstay-contract",
      });
      return {
        ...fakeSession(lab, provider),
        openStack,
        project: (kind) => openStack.project(lab.clouds[kind]),
        pass: (milliseconds) => clock.advance(milliseconds),
        async cleanUp() {
          lab.fake.close();
          await transport.close();
          await listener.close();
        },
      };
    },
  };
}
