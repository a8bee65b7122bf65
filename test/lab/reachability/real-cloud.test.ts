// Clients of a cluster on the lab's OpenStack, where nothing listens on a VIP: forwarders play the data plane by what Octavia says, BIND
// answers with what `mainstay dns records` printed, and everything else is what users have.

import { afterAll, beforeAll } from "vitest";
import {
  type ClusterApiLab,
  type DnsLab,
  describeLab,
  type LabPart,
  labClusterApi,
  labDns,
  labOpenStack,
  type OpenStackLab,
} from "../../lab.ts";
import { type EndpointLab, openLab } from "../api-endpoint/endpoint-lab.ts";
import { bindServer } from "./name-server.ts";
import { ReachWorld } from "./reach-world.ts";
import { realTarget } from "./real-target.ts";
import { reachabilityStory } from "./story.ts";

interface Parts {
  readonly available: true;
  readonly clusterApi: ClusterApiLab;
  readonly openStack: OpenStackLab;
  readonly dns: DnsLab;
}

const parts: LabPart<Parts> = async () => {
  const [clusterApi, openStack, dns] = [await labClusterApi(), await labOpenStack(), await labDns()];
  if (!clusterApi.available) return clusterApi;
  if (!openStack.available) return openStack;
  return dns.available ? { available: true, clusterApi, openStack, dns } : dns;
};

describeLab(
  "a cluster on real Cluster API and real OpenStack is reachable",
  parts,
  ({ clusterApi, openStack, dns }) => {
    let lab: EndpointLab;
    beforeAll(async () => {
      lab = await openLab(clusterApi, openStack);
    }, 600_000);
    afterAll(() => lab?.close(), 600_000);

    reachabilityStory(async () => await ReachWorld.open(realTarget(lab), bindServer(dns), dns.zone));
  },
);
