// Clients of a cluster on the lab's OpenStack, where nothing listens on a VIP: forwarders play the data plane by what Octavia says, BIND
// answers with what `mainstay dns records` printed, and everything else is what users have.

import { afterAll, beforeAll } from "vitest";
import { describeLab, labClusterApi, labDns, labOpenStack, labParts } from "../../lab.ts";
import { type EndpointLab, openLab } from "../api-endpoint/endpoint-lab.ts";
import { testPatienceMs } from "../until.ts";
import { bindServer } from "./name-server.ts";
import { ReachWorld } from "./reach-world.ts";
import { realTarget } from "./real-target.ts";
import { reachabilityStory } from "./story.ts";

const parts = labParts({ clusterApi: labClusterApi, openStack: labOpenStack, dns: labDns });

describeLab(
  "a cluster on real Cluster API and real OpenStack is reachable",
  parts,
  ({ parts: { clusterApi, openStack, dns } }) => {
    let lab: EndpointLab;
    beforeAll(async () => {
      lab = await openLab(clusterApi, openStack);
    }, testPatienceMs);
    afterAll(() => lab?.close(), testPatienceMs);

    reachabilityStory(async () => await ReachWorld.open(realTarget(lab), bindServer(dns), dns.zone));
  },
);
