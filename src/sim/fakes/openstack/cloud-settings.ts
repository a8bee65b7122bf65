// What can be set about a fake cloud: when it is made, and, where it says so, while it runs.

import type { OpenStackService } from "../../../core/openstack/openstack-error.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Random } from "../../../ports/random.ts";
import type { OptionalExtension } from "./neutron/extensions.ts";

export type QuotaKind = "load_balancer" | "listener" | "pool" | "health_monitor" | "member" | "floatingip" | "port";

/**
 * `plain` is amphora without availability zones, `misplaced` answers 400 to zones that are listed, `untimed` has no timeouts of
 * listeners, `unlisted` no access lists, `sparse` neither.
 */
export type ProviderBehaviour = "amphora" | "ovn" | "plain" | "misplaced" | "untimed" | "unlisted" | "sparse";

export type Phase = "create" | "update" | "members" | "delete";

export interface FakeOpenStackOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Of the catalogue. */
  readonly region?: string;
  readonly authUrl?: string;
  /** Default: keystone, neutron and octavia, as in most labs; `nova` where there is a compute service. */
  readonly services?: readonly OpenStackService[];
  /** Provider names and how they behave. Default: `amphora`, its alias `octavia`, and `ovn`. */
  readonly providers?: Readonly<Record<string, ProviderBehaviour>>;
  readonly defaultProvider?: string;
  /** Newest minor version of Octavia's v2. */
  readonly octaviaMinor?: number;
  /** Whether Neutron counts changes and compares the count (`revision-if-match`). Default: it does. */
  readonly neutronRevisions?: boolean;
  /** Which of its optional extensions Neutron does not have. Default: it has them all. */
  readonly neutronLacks?: readonly OptionalExtension[];
  /** Of one port. Default: 10, as Neutron's. */
  readonly maxAddressPairs?: number;
  /** Of every project that has none of its own. Default: Neutron's. */
  readonly quotas?: Readonly<Partial<Record<QuotaKind, number>>>;
  /** Octavia's own zones, name → enabled. */
  readonly balancerZones?: Readonly<Record<string, boolean>>;
  readonly computeZones?: Readonly<Record<string, boolean>>;
  /** Balancers to a page, however many a client asks for. */
  readonly pageLimit?: number;
  readonly tokenLifetimeMs?: number;
  readonly settings?: Partial<CloudSettings>;
}

/** May be changed at any time through `FakeOpenStack.settings`. */
export interface CloudSettings {
  /** How long a balancer stays PENDING. */
  phaseMs: (phase: Phase) => number;
  /** For how long the row of a deleted balancer is still listed after its VIP is gone, without address, port and subnet. */
  rowWithoutVipMs: number;
  /** How long until health is seen in operating_status. */
  healthMs: number;
  /** How long a call takes, half of it before it has its effect. */
  answerMs: (service: OpenStackService, operation: string) => number;
  /** What a call waits for an answer when it brings no deadline of its own. */
  deadlineMs: number;
}

// As long as the real services took on an idle machine.
const phaseMs: Readonly<Record<Phase, number>> = { create: 1_800, update: 450, members: 1_600, delete: 2_500 };

export const defaultSettings: CloudSettings = {
  phaseMs: (phase) => phaseMs[phase],
  rowWithoutVipMs: 0,
  healthMs: 1_000,
  answerMs: () => 0,
  deadlineMs: 30_000,
};
