// What will happen, in order: what a person does, and what Mainstay then does by itself, zone by zone. Steps of different zones do not
// wait for each other.

import { externallyManagedAnnotation, removeLegacyAnnotation } from "../../apis/annotations.ts";
import { capoFinalizer } from "../../apis/openstack-cluster/openstack-cluster.ts";
import { isZoneHint } from "../balancer/placement.ts";
import { recordTtlSeconds } from "../dns/dns-endpoint.ts";
import { belongsTo } from "../members/desired-members.ts";
import { zoneName } from "../model/names.ts";
import { portWords } from "../model/port.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import type { Situation } from "../situation/situation.ts";
import { subnetWords, wantedZones } from "./cloud-findings.ts";
import type { LegacyBalancer } from "./legacy-balancer.ts";
import type { MigrationInput } from "./migration-check.ts";
import { hasCapoFinalizer } from "./object-findings.ts";

export interface MigrationStep {
  readonly by: "you" | "Mainstay";
  readonly zone?: string;
  readonly does: string;
}

interface Move {
  readonly input: MigrationInput;
  readonly situation: Situation;
  readonly legacy: LegacyBalancer | undefined;
  /** The zones serve already: what was before is not where the API is now. */
  readonly isMoved: boolean;
}

export function migrationSteps(move: Move): readonly MigrationStep[] {
  const zones = wantedZones(move.situation);
  return [
    ...preparations(move),
    ...zones.filter(({ seen }) => seen !== undefined).flatMap((wanted) => takeover(wanted, move)),
    ...zones.filter(({ seen }) => seen === undefined).map((wanted) => creation(wanted, move)),
    ...fallBackKept(move),
    ...(move.isMoved && zones.every(({ seen }) => seen !== undefined) ? [] : publishing(move)),
    ...settling(move),
    ...afterwards(move),
  ];
}

function preparations({ input, situation, legacy, isMoved }: Move): readonly MigrationStep[] {
  const { intent, object } = input.observed;
  const host = intent.endpoint?.host ?? "";
  const { namespace = "", name } = intent.object;
  const isApiEndpoint = intent.door === "APIEndpoint";
  const isUnclaimed = !isApiEndpoint && !input.isClaimed;
  return [
    ...(legacy?.address === undefined || isMoved
      ? []
      : [
          you(
            `let ${host} resolve to ${legacy.address}, where the API is now, with a TTL of ${recordTtlSeconds} s or so, and leave it there`,
          ),
        ]),
    ...(isApiEndpoint && !isMoved ? [you("leave CAPO and its OpenStackCluster as they are")] : []),
    ...(isUnclaimed
      ? [
          you(
            `annotate openstackcluster ${namespace}/${name} with ${externallyManagedAnnotation}=mainstay, so that CAPO lets go and Mainstay begins`,
          ),
        ]
      : []),
    ...(input.isProposed && !(isMoved && isAsMapped(situation)) ? [you(`apply the ${intent.door} as proposed`)] : []),
    ...(hasCapoFinalizer(input)
      ? [you(`remove ${capoFinalizer} from openstackcluster ${namespace}/${name}, for CAPO no longer will`)]
      : []),
    ...(object.hasFinalizer
      ? []
      : [
          mainstay(
            `puts its finalizer and an owner id on the ${intent.door}; everything it makes is marked with that id`,
          ),
        ]),
  ];
}

/** Every zone has its balancer, and no other is there: whatever else the object would change, nothing moves. */
function isAsMapped(situation: Situation): boolean {
  const isGoing = situation.assignment.unwanted.some(({ because }) => because === "ZoneRemoved");
  return !isGoing && wantedZones(situation).every(({ seen }) => seen !== undefined);
}

function takeover(
  { seen, zone }: WantedBalancer & { readonly zone: string },
  { legacy, situation: { intent } }: Move,
): readonly MigrationStep[] {
  if (seen === undefined || legacy?.outcome.is !== "zone" || legacy.outcome.zone !== zone) return [];
  const name = zoneName(intent.cluster, zone);
  const { balancer } = seen;
  return [
    mainstay(
      `renames ${balancer.name} to ${name} and marks it; VIP ${balancer.vipAddress} and floating IP stay, and it serves all the while`,
      zone,
    ),
    mainstay("renames and marks its listeners, pools, monitors and members, one change after the other", zone),
  ];
}

function creation({ zone, name }: WantedBalancer & { readonly zone: string }, { situation }: Move): MigrationStep {
  const { intent, observed, ports } = situation;
  const { capabilities } = observed;
  const hinted = capabilities.known && isZoneHint(zone, intent.provider, capabilities.value);
  const machines = observed.machines
    .filter((machine) => !machine.deleting && belongsTo({ zone }, machine, intent.crossZone))
    .map((machine) => machine.name)
    .toSorted();
  const behind =
    machines.length === 0
      ? "; no machine is there yet to put behind it"
      : `, and puts ${machines.join(", ")} behind it`;
  const floating = intent.floatingIp.enabled ? "; gives it a floating IP" : "";
  return mainstay(
    `creates ${name} in ${subnetWords(zone, situation)}${hinted ? ` in Octavia's zone ${zone}` : ""}, with listener, pool and monitor on port ${ports.map(portWords).join(", ")}${behind}${floating}`,
    zone,
  );
}

function fallBackKept({ legacy }: Move): readonly MigrationStep[] {
  return legacy?.outcome.is === "fall-back"
    ? [
        mainstay(
          `keeps ${legacy.seen.balancer.name} as a fall-back: all machines stay behind it, and nothing else of it changes`,
        ),
      ]
    : [];
}

function publishing({ input, situation: { intent } }: Move): readonly MigrationStep[] {
  const { namespace, name } = input.observed.intent.cluster;
  return intent.publishDns
    ? [mainstay("writes a DNSEndpoint with the address of each zone as soon as a machine answers there")]
    : [
        you(
          `publish the address of each zone where a machine answers: mainstay dns records ${namespace}/${name} -o bind`,
        ),
      ];
}

function settling({ legacy, situation: { intent } }: Move): readonly MigrationStep[] {
  if (legacy?.outcome.is !== "zone" || intent.crossZone) return [];
  const { zone } = legacy.outcome;
  return [
    mainstay(
      "takes machines of other zones out of its pools, each when it is healthy behind its own zone's balancer",
      zone,
    ),
  ];
}

function afterwards({ legacy, input }: Move): readonly MigrationStep[] {
  if (legacy === undefined || legacy.outcome.is === "zone") return [];
  const { name } = legacy.seen.balancer;
  const address = legacy.address ?? legacy.seen.balancer.vipAddress;
  const gone = you(`take ${address} out of the records, and wait until nobody comes through it any more`);
  if (legacy.outcome.is === "fall-back")
    return [
      gone,
      you(`annotate the ${input.observed.intent.door} with ${removeLegacyAnnotation}=true`),
      mainstay(`deletes ${name}, while another way in is healthy`),
    ];
  return input.observed.intent.door === "APIEndpoint"
    ? [
        gone,
        you(
          `know that ${name} stays until the cluster is deleted: CAPO keeps it, and its webhook forbids to switch it off`,
        ),
      ]
    : [gone, you(`delete ${name} yourself when it serves nobody: Mainstay never will`)];
}

function you(does: string): MigrationStep {
  return { by: "you", does };
}

function mainstay(does: string, zone?: string): MigrationStep {
  return { by: "Mainstay", does, ...(zone === undefined ? {} : { zone }) };
}
