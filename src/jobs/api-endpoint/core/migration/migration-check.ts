// Whether and how a cluster can move from one API balancer to one per zone: everything that speaks for and against it, what it takes,
// which DNS records it needs, and what will happen step by step. It decides nothing of its own: adoption, places and refusals are
// the planner's, asked about the object as it would be.

import type { Problem } from "../../../../apis/text/problem.ts";
import type { Unknown } from "../../../../core/known.ts";
import type { EndpointObserved } from "../model/observed.ts";
import { publicAddress } from "../situation/public-address.ts";
import { type Situation, situationOf } from "../situation/situation.ts";
import type { Standing } from "../situation/standing.ts";
import { cloudFindings, wantedZones } from "./cloud-findings.ts";
import { hasMoved, legacyBalancer } from "./legacy-balancer.ts";
import { type MigrationFinding, no, note, unknown } from "./migration-finding.ts";
import { type MigrationStep, migrationSteps } from "./migration-steps.ts";
import { objectFindings } from "./object-findings.ts";
import { type QuotaNeeds, quotaNeeds } from "./quota-needs.ts";

export interface MigrationInput {
  /** The world, with the object as it would be. Its owner id stands in where the object has none yet. */
  readonly observed: EndpointObserved;
  /** Whose the definition of OpenStackCluster is. */
  readonly definition: "ours" | "foreign" | "absent" | "unseen";
  /** The OpenStackCluster as it is, where there is one. */
  readonly infrastructure:
    | {
        readonly hasManagedSubnets: boolean;
        readonly hasBalancers: boolean;
        /** Fields by which CAPO was asked to make more than a balancer. */
        readonly madeByCapo?: readonly string[];
      }
    | undefined;
  /** Whether the OpenStackCluster is Mainstay's to look after. */
  readonly isClaimed: boolean;
  /** Whether the cluster serves APIEndpoints. */
  readonly servesApiEndpoint: boolean;
  /** The object is not like this yet. */
  readonly isProposed: boolean;
  /** What admission would say to the change. */
  readonly updateProblems: readonly Problem[];
  /** What admission would warn of. */
  readonly warnings?: readonly string[];
  readonly nowMs: number;
}

export interface MigrationCheck {
  /** `moved`: it has balancers per zone already. `unknown`: nothing speaks against it, and something could not be seen. */
  readonly answer: "can" | "moved" | "cannot" | "unknown";
  /** Of a cluster that has moved: zones that get a balancer, and zones whose balancer goes. */
  readonly changes?: ZoneChanges;
  readonly findings: readonly MigrationFinding[];
  /** Absent where the cloud could not be observed. */
  readonly needs?: QuotaNeeds;
  readonly records?: MigrationRecords;
  /** Empty when it cannot move. */
  readonly steps: readonly MigrationStep[];
}

export interface ZoneChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export interface MigrationRecords {
  readonly host: string;
  /** Where the API is now; keep it until the zones serve. */
  readonly before: readonly string[];
  /** `address` is absent until the balancer is made. */
  readonly after: readonly { readonly zone: string; readonly address?: string }[];
}

export function migrationCheck(input: MigrationInput): MigrationCheck {
  const { observed, nowMs } = input;
  const { intent, balancers } = observed;
  const said = objectFindings(input);
  if (!balancers.known) {
    const findings = [...said, unseenCloud(balancers, observed.standing)];
    return { answer: answerOf(findings), findings, steps: [] };
  }
  const situation = situationOf(observed, balancers.value, intent.ownerId ?? "", nowMs);
  if (intent.mode !== "zones") {
    const findings = [...said, ...presentBalancer(situation)];
    return { answer: answerOf(findings), findings, steps: [] };
  }
  const legacy = legacyBalancer(situation);
  const findings = [...said, ...cloudFindings(situation, legacy)];
  const isMoved = hasMoved(situation, legacy);
  const answer = answerOf(findings, isMoved);
  return {
    answer,
    ...(answer === "moved" ? { changes: zoneChanges(situation) } : {}),
    findings,
    needs: quotaNeeds(situation),
    records: {
      host: intent.endpoint?.host ?? "",
      before: legacy?.address === undefined || isMoved ? [] : [legacy.address],
      after: wantedZones(situation).map((wanted) => {
        const address = publicAddress(observed, wanted.seen).address;
        return { zone: wanted.zone, ...(address === undefined ? {} : { address }) };
      }),
    },
    steps: answer === "cannot" ? [] : migrationSteps({ input, situation, legacy, isMoved }),
  };
}

function zoneChanges(situation: Situation): ZoneChanges {
  return {
    added: wantedZones(situation).flatMap(({ seen, zone }) => (seen === undefined ? [zone] : [])),
    removed: situation.assignment.unwanted.flatMap(({ because, zone = "" }) =>
      because === "ZoneRemoved" ? [zone] : [],
    ),
  };
}

function unseenCloud({ reason, message }: Unknown, standing: Standing): MigrationFinding {
  return standing.is === "elsewhere"
    ? no("cloud", message, `mainstay runbook ${reason} says what to do.`)
    : unknown("cloud", message, "Mend the way to the cloud, then look again.");
}

/** For whoever has no mapping yet: which subnet to name so that the address they know goes on. */
function presentBalancer({ assignment }: Situation): readonly MigrationFinding[] {
  const balancer = assignment.wanted.find(({ role }) => role === "single")?.seen?.balancer;
  if (balancer === undefined) return [];
  const { name, id, vipAddress, vipSubnetId } = balancer;
  const says = `${name} (${id}) has its VIP ${vipAddress} in subnet ${vipSubnetId}: the zone that is mapped to this subnet takes it over`;
  return [note("legacy balancer", says)];
}

function answerOf(findings: readonly MigrationFinding[], isMoved = false): MigrationCheck["answer"] {
  if (findings.some(({ result }) => result === "no")) return "cannot";
  if (findings.some(({ result }) => result === "unknown")) return "unknown";
  return isMoved ? "moved" : "can";
}
