// Which of two things that are wrong is told first, for every pair of neighbours in the order, and for every word of it.

import { describe, expect, test } from "vitest";
import type { Word } from "../../../../core/reasons.ts";
import { rootCause } from "../../../../core/root-cause.ts";
import { causeOrder } from "./cause-order.ts";

type Group = readonly [what: string, ...words: Word[]];

const fromRootToSymptom: readonly Group[] = [
  ["credentials that are not taken", "CredentialsUnusable", "OpenStackNotAuthenticated", "ProjectChanged"],
  [
    "a cloud that does not answer",
    "OpenStackUnreachable",
    "OpenStackTimeout",
    "OpenStackServerError",
    "OpenStackRateLimited",
    "OpenStackServiceMissing",
  ],
  [
    "an object that is refused as a whole",
    "EndpointSpecInvalid",
    "OctaviaTooOld",
    "EndpointNotDnsName",
    "EndpointUndetermined",
    "OwnerIdTaken",
  ],
  ["a zone that is down", "ZoneDown"],
  ["a broken balancer", "LoadBalancerInError", "LoadBalancerStuck", "LoadBalancerDown"],
  ["members that do not answer", "MembersUnhealthy"],
  ["a balancer that Mainstay makes again", "LoadBalancerLost"],
  ["what was asked for and never was there", "SubnetUnresolved", "MachineZoneUnmapped", "OpenStackQuotaExceeded"],
  [
    "what is being made",
    "PlaceUnrecorded",
    "LoadBalancerMissing",
    "LoadBalancerPending",
    "ListenerMissing",
    "FloatingIpMissing",
  ],
  ["machines that are not there yet", "ZoneWithoutMembers", "MachineWithoutAddress"],
  ["an endpoint that waits for all of that", "EndpointMissing", "EndpointNotReady"],
  ["an answer that is on its way", "AnswerAwaited", "ChangeUnderWay", "AsExpected"],
];

const told = (...words: readonly Word[]) =>
  rootCause(
    words.map((reason) => ({ reason })),
    causeOrder,
  )?.reason;

const neighbours = fromRootToSymptom
  .slice(1)
  .map((after, index) => [fromRootToSymptom[index] ?? after, after] as const);

describe("is told before what follows from it, whichever is found first:", () => {
  test.each(neighbours.map(([before, after]) => [before[0], after[0], before.slice(1), after.slice(1)] as const))(
    "%s, before %s",
    (_before, _after, roots, symptoms) => {
      for (const root of roots as readonly Word[])
        for (const symptom of symptoms as readonly Word[])
          expect([told(root, symptom), told(symptom, root)]).toEqual([root, root]);
    },
  );
});

test("of equals the first is told", () => {
  for (const [, ...words] of fromRootToSymptom)
    for (const [index, word] of words.slice(1).entries()) {
      const before = words[index] ?? word;
      expect([told(before, word), told(word, before)]).toEqual([before, word]);
    }
});

test("every word of the order is in this list", () => {
  const listed = new Set(fromRootToSymptom.flatMap(([, ...words]) => words));
  const ordered = [...causeOrder.roots, ...causeOrder.symptoms].flat();
  expect(ordered.filter((word) => !listed.has(word))).toEqual([]);
});
