// The settings of a world with API endpoints: how fast its cloud is, and two clusters whose names collide in it, each of its own sort.

import type { Random } from "../../../ports/random.ts";
import type { Phase } from "../../../sim/fakes/openstack/cloud-settings.ts";
import { between, chance, pick } from "../../../sim/time/derive-seed.ts";

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
  /** Of its VIPs, and so of the members behind them. */
  readonly family: 4 | 6;
  /** Empty: nobody names one, and the balancer's own address becomes the endpoint. Then it can never have zones. */
  readonly host: string;
  /** The user's own choice of a VIP, or of an endpoint where there is no balancer. */
  readonly fixedIp: string | undefined;
  /** CAPO made a balancer for it before we came: to be taken over, or, beside an APIEndpoint, to be left alone. */
  readonly legacy: boolean;
  /** CAPO's OpenStackCluster waits for the endpoint. */
  readonly capoWaits: boolean;
  /** Networks and subnets are described, not named by id. */
  readonly byFilter: boolean;
  /** In which version people write the object. */
  readonly authoring: "v1beta1" | "v1beta2";
  /** Who knows the zone of a machine: its Machine's spec or status, or Nova alone. */
  readonly zoneFrom: "spec" | "status" | "nova";
  /** Its records are published from the beginning: where addresses are probed, that is what the probes are for. */
  readonly publishes: boolean;
}

export interface EndpointSetting {
  readonly clusters: readonly EndpointCluster[];
  readonly phaseMs: (phase: Phase) => number;
  readonly healthMs: number;
  readonly observeAgainMs: number;
  readonly provider: "amphora" | "ovn" | "plain";
  readonly nova: boolean;
  /** The managers ask the balancers' addresses themselves. */
  readonly probing: boolean;
  /** VIP ports outlive their balancers. */
  readonly leavesPorts: boolean;
  readonly cloudBehaviour: CloudBehaviour;
  /** Many processes crash as they write to the cloud. */
  readonly crashesOnWrite: boolean;
}

/**
 * Until faults end, now and then: the cloud's answer about a new thing gets lost, who writes to the cloud is stopped before sending or while the
 * call is slow on its way, or the cloud answers nothing and makes a balancer when nobody waits for it any more.
 */
export type CloudBehaviour = "calm" | "loses-answers" | "stops-writers" | "makes-late";

/** In the first the namespace ends where in the second the name begins: what CAPO calls things is the same for both. */
const names = [
  { namespace: "a-b", name: "c" },
  { namespace: "a", name: "b-c" },
] as const;

export function drawSetting(random: Random, isSlow: boolean): EndpointSetting {
  const pace = pick(random, [5, 5, 400, 1_500]) ?? 5;
  const nova = chance(random, 0.5);
  const drawn = names.map((each, index) => drawCluster(random, each, { index, nova }));
  const healthMs = between(random, 50, 1_500);
  const drawnAgainMs = pick(random, [4_000, 6_000, 30_000]) ?? 30_000;
  const provider = pick(random, ["amphora", "amphora", "amphora", "ovn", "plain"] as const) ?? "amphora";
  const probing = provider === "plain";
  return {
    clusters: drawn.map((cluster) => ({ ...cluster, publishes: probing })),
    phaseMs: () => pace + between(random, 0, pace),
    healthMs,
    observeAgainMs: isSlow ? 30_000 : drawnAgainMs,
    provider,
    nova,
    probing,
    leavesPorts: chance(random, 0.5),
    cloudBehaviour: pick(random, ["calm", "calm", "loses-answers", "stops-writers", "makes-late"]) ?? "calm",
    crashesOnWrite: chance(random, 0.4),
  };
}

function drawCluster(
  random: Random,
  named: { readonly namespace: string; readonly name: string },
  { index, nova }: { readonly index: number; readonly nova: boolean },
): Omit<EndpointCluster, "publishes"> {
  const door: Door = chance(random, 0.65) ? "openstack-cluster" : "api-endpoint";
  const ours = door === "openstack-cluster";
  const floatingIps = chance(random, 0.7);
  const host = ours && chance(random, 0.3) ? "" : `api-${index}.example.com`;
  const legacy = chance(random, 0.4);
  const family = !legacy && chance(random, 0.2) ? 6 : 4;
  const isFixed = host === "" && !floatingIps && !legacy && chance(random, 0.7);
  return {
    ...named,
    door,
    object: `${named.name}-${ours ? "infra" : "api"}`,
    index,
    floatingIps,
    family,
    host,
    fixedIp: isFixed ? (family === 6 ? `fd00:1::f${index}` : `10.0.1.24${index}`) : undefined,
    legacy,
    capoWaits: !ours && chance(random, 0.5),
    byFilter: chance(random, 0.3),
    authoring: ours && chance(random, 0.3) ? "v1beta2" : "v1beta1",
    zoneFrom: pick(random, nova ? ["spec", "nova", "nova"] : ["spec", "spec", "status"]) ?? "spec",
  };
}

/** IPv6 has none. */
export function hasFloatingIps({ floatingIps, family }: EndpointCluster): boolean {
  return floatingIps && family === 4;
}
