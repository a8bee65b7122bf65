// Everything the parts of the planner share, computed once a round: what each balancer is for, which ways in there are, which balancer is
// kept although none is wanted, and which DNS records there should be.

import { isDnsName } from "../../../../apis/text/dns-name.ts";
import { formatProblem } from "../../../../apis/text/problem.ts";
import type { WallMs } from "../../../../core/clock-times.ts";
import type { Refusal } from "../../../../core/plan.ts";
import type { DnsRecords } from "../dns/dns-records.ts";
import { endpointRecords } from "../dns/endpoint-records.ts";
import { type EndpointIntent, portsOf } from "../model/intent.ts";
import type { BalancerObserved, EndpointObserved } from "../model/observed.ts";
import type { Port } from "../model/port.ts";
import { octaviaTooOld } from "../model/provider-features.ts";
import { keptBalancer } from "../removal/kept-balancer.ts";
import { type UserTags, userTags } from "../tags/user-tags.ts";
import { type Assignment, assignBalancers, type UnwantedBalancer } from "./assignment.ts";
import { isNobodys } from "./machine-of-member.ts";
import { type WayIn, waysIn } from "./ways-in.ts";

export interface Situation {
  readonly observed: EndpointObserved;
  readonly intent: EndpointIntent;
  readonly ownerId: string;
  /** For times that status holds. */
  readonly nowMs: WallMs;
  /** For ages of what the cloud made: on its own clock, as far as it is known. */
  readonly cloudNowMs: number;
  /** What is wrong with the object: while there is anything, nothing is made or taken away. */
  readonly problems: readonly Refusal[];
  readonly assignment: Assignment;
  /** The API port first. */
  readonly ports: readonly Port[];
  readonly userTags: UserTags;
  /** Every balancer that is known to serve, whether people have its address or not. */
  readonly serving: readonly WayIn[];
  /** These, and balancers that may serve: nobody can tell, or Octavia calls them ERROR. */
  readonly maybeServing: readonly WayIn[];
  /** Of those that serve, those whose address people are known to have: only they may stand in for something that goes. */
  readonly ways: readonly WayIn[];
  /** No balancer is wanted, and this one stays because it is the last way in. */
  readonly kept: UnwantedBalancer | undefined;
  readonly records: DnsRecords;
}

interface Made {
  readonly balancers: readonly BalancerObserved[];
  readonly situation: Situation;
}

/** What was observed never changes, and a round's plan and its report both ask. */
const made = new WeakMap<EndpointObserved, Made>();

export function situationOf(
  observed: EndpointObserved,
  balancers: readonly BalancerObserved[],
  ownerId: string,
  nowMs: WallMs,
): Situation {
  const before = made.get(observed);
  const isSame =
    before?.balancers === balancers && before.situation.ownerId === ownerId && before.situation.nowMs === nowMs;
  if (isSame) return before.situation;
  const situation = newSituation(observed, balancers, ownerId, nowMs);
  made.set(observed, { balancers, situation });
  return situation;
}

function newSituation(
  observed: EndpointObserved,
  balancers: readonly BalancerObserved[],
  ownerId: string,
  nowMs: number,
): Situation {
  const { intent } = observed;
  const assignment = assignBalancers(observed, balancers, ownerId);
  const ours = [...assignment.wanted.flatMap(({ seen }) => seen ?? []), ...assignment.unwanted.map(({ seen }) => seen)];
  const { serving, maybeServing } = waysIn(observed, ours, (member) => isNobodys(observed, member));
  const facts = {
    observed,
    intent,
    ownerId,
    nowMs,
    cloudNowMs: observed.cloudNowMs ?? nowMs,
    problems: problemsOf(observed),
    assignment,
    ports: portsOf(intent),
    userTags: userTags(intent),
    serving,
    maybeServing,
    ways: serving.filter(({ address }) => address === "there"),
  };
  const withKept = { ...facts, kept: keptBalancer(facts) };
  return { ...withKept, records: endpointRecords(withKept) };
}

/** Of the object itself, as far as anybody can tell without the cloud; and of a cloud that cannot be used at all. */
function problemsOf({ problems = [], intent, capabilities }: EndpointObserved): readonly Refusal[] {
  const refusals: readonly Refusal[] = [
    ...problems.map((problem) => ({ reason: "EndpointSpecInvalid", message: formatProblem(problem) }) as const),
    ...octaviaTooOld(capabilities),
  ];
  const host = intent.clusterEndpoint?.host || intent.endpoint?.host || "";
  if (intent.mode !== "zones" || isDnsName(host)) return refusals;
  const message =
    host === ""
      ? "zones need controlPlaneEndpoint.host, a DNS name"
      : `controlPlaneEndpoint.host ${host} is not a DNS name: one address cannot stand for many balancers, so this cluster stays as it is`;
  return [...refusals, { reason: "EndpointNotDnsName", message }];
}

/** Other ways in than this one. */
export function otherWays({ ways }: Situation, balancerId: string | undefined): readonly WayIn[] {
  return ways.filter((way) => way.balancerId !== balancerId);
}
