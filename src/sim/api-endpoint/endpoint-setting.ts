// The settings of a world with API endpoints: how fast its cloud is, and two clusters whose names collide in it.

import type { Random } from "../../ports/random.ts";
import { between, chance, pick } from "../derive-seed.ts";
import type { Phase } from "../fakes/openstack/cloud-settings.ts";

export const zonesOfCloud = ["az1", "az2", "az3"] as const;

export type Door = "openstack-cluster" | "api-endpoint";

/** What stays as it is in the life of a world. */
export interface EndpointCluster {
  readonly namespace: string;
  readonly name: string;
  readonly door: Door;
  /** Of the object that stands for it. */
  readonly object: string;
  /** Tells the addresses of its machines from those of others. */
  readonly index: number;
  readonly floatingIps: boolean;
  /** Empty: nobody names one, and the balancer's own address becomes the endpoint. Then it can never have zones. */
  readonly host: string;
  /** CAPO made its balancer before we came. */
  readonly legacy: boolean;
  /** CAPO's OpenStackCluster waits for the endpoint. */
  readonly gate: boolean;
  readonly publishDns: boolean;
}

export interface EndpointSetting {
  readonly clusters: readonly EndpointCluster[];
  readonly phaseMs: (phase: Phase) => number;
  readonly healthMs: number;
  readonly relookMs: number;
  readonly provider: "amphora" | "ovn" | "plain";
}

/** In the first the namespace ends where in the second the name begins: what CAPO calls things is the same for both. */
const names = [
  { namespace: "a-b", name: "c" },
  { namespace: "a", name: "b-c" },
] as const;

export function drawSetting(random: Random): EndpointSetting {
  const pace = pick(random, [5, 5, 400, 1_500]) ?? 5;
  return {
    clusters: names.map((each, index) => drawCluster(random, each, index)),
    phaseMs: () => pace + between(random, 0, pace),
    healthMs: between(random, 50, 1_500),
    relookMs: pick(random, [4_000, 6_000, 30_000]) ?? 30_000,
    provider: pick(random, ["amphora", "amphora", "amphora", "ovn", "plain"]) ?? "amphora",
  };
}

function drawCluster(random: Random, names: { readonly namespace: string; readonly name: string }, index: number) {
  const door: Door = chance(random, 0.65) ? "openstack-cluster" : "api-endpoint";
  const ours = door === "openstack-cluster";
  return {
    ...names,
    door,
    object: `${names.name}-${ours ? "infra" : "api"}`,
    index,
    floatingIps: chance(random, 0.7),
    host: ours && chance(random, 0.2) ? "" : `api-${index}.example.com`,
    legacy: ours && chance(random, 0.4),
    gate: !ours && chance(random, 0.5),
    publishDns: chance(random, 0.3),
  };
}
