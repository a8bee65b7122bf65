// What is learnt from a cloud's answers, so that the next plan goes without what was refused. What a provider lacks (501) counts for
// everybody in that cloud. What policy forbids where there is another way (403) counts for those with the same credentials: others may have
// more roles. A zone in a bad request (400) counts for the one object that sent it, whose request may be bad for reasons of its own.

import type { UpdateListener } from "../../../../core/openstack/octavia-objects.ts";
import type { OpenStackErrorCode } from "../../../../core/openstack/openstack-error.ts";
import type { CloudKind, EndpointAction } from "./action.ts";
import type { ProviderRefusal } from "./observed.ts";
import { isRefused, refusedAfter } from "./provider-features.ts";

export type CloudAction = Extract<EndpointAction, { readonly kind: CloudKind }>;

export interface CloudRequest {
  /** Of the object that it was sent for. */
  readonly key: string;
  /** Which of those for this cloud it was sent with. */
  readonly credentials: string;
  readonly action: CloudAction;
}

/** `done-singly`: a batch was refused, and its first member alone was not. */
export type CloudAnswer = "done" | "done-singly" | OpenStackErrorCode;

/** A zone that was in a bad request, and the revision at which the cloud was to be asked whether it still has it. */
interface ZoneInBadRequest extends ProviderRefusal {
  readonly revision: number;
}

interface ObjectLessons {
  readonly inBadRequests: readonly ZoneInBadRequest[];
  readonly refused: readonly ProviderRefusal[];
}

/** Of one cloud. */
export interface Lessons {
  readonly refused: readonly ProviderRefusal[];
  /** What is forbidden to each of those that are used there. */
  readonly byCredentials: ReadonlyMap<string, readonly ProviderRefusal[]>;
  readonly byObject: ReadonlyMap<string, ObjectLessons>;
  /** Grows when what the cloud lists may no longer hold: what it said at an earlier one is asked for again. */
  readonly revision: number;
  /** The revision at which the cloud last said what it has. */
  readonly confirmedRevision: number;
}

export const noLessons: Lessons = {
  refused: [],
  byCredentials: new Map(),
  byObject: new Map(),
  revision: 0,
  confirmedRevision: 0,
};

export function learn(lessons: Lessons, request: CloudRequest, answer: CloudAnswer): Lessons {
  const { action } = request;
  const asked = featuresAsked(action);
  if (asked === undefined || answer === "done") return lessons;
  if (answer === "done-singly") return refusedByCloud(lessons, [{ ...providerOf(action), feature: "batch-members" }]);
  // It is the provider that lacks it, whatever the zone.
  const lacking = asked.map(({ provider, feature }) => ({ provider, feature }));
  if (isRefusal(action, answer))
    return answer === "Forbidden" ? forbidden(lessons, request, lacking) : refusedByCloud(lessons, lacking);
  return answer === "BadRequest" ? afterBadRequest(lessons, request, asked) : lessons;
}

/** Whether an answer is about more than this one request. Most clouds let administrators alone fail a balancer over. */
export function isRefusal({ kind }: CloudAction, answer: CloudAnswer): boolean {
  const isOptional = kind === "failover-load-balancer" || kind === "tag-floating-ip";
  return answer === "Unsupported" || (answer === "Forbidden" && isOptional);
}

export function refusedFor(
  { refused, byCredentials, byObject }: Lessons,
  { key, credentials }: Pick<CloudRequest, "key" | "credentials">,
): readonly ProviderRefusal[] {
  return [...refused, ...(byCredentials.get(credentials) ?? []), ...(byObject.get(key)?.refused ?? [])];
}

/** The object is gone. */
export function withoutObject(lessons: Lessons, key: string): Lessons {
  return { ...lessons, byObject: new Map([...lessons.byObject].filter(([one]) => one !== key)) };
}

/** What a request asks of its provider that not every provider has, the least loss first. Undefined: its answer teaches nothing. */
function featuresAsked(action: CloudAction): readonly ProviderRefusal[] | undefined {
  switch (action.kind) {
    case "create-load-balancer": {
      const { availabilityZone: zone } = action.wanted;
      return zone === undefined ? [] : [{ ...providerOf(action), feature: "availability-zone", zone }];
    }
    case "failover-load-balancer":
      return [{ ...providerOf(action), feature: "failover" }];
    case "create-listener":
      return listenerFeatures(action.provider, action.wanted);
    case "update-listener":
      return listenerFeatures(action.provider, action.change);
    case "create-monitor":
      return [{ ...providerOf(action), feature: "health-monitor" }];
    case "merge-members":
      // What is refused of one alone, too, is about the member.
      return action.batch ? [] : undefined;
    case "tag-floating-ip":
      return [{ ...providerOf(action), feature: "floating-ip-tags" }];
    default:
      return undefined;
  }
}

/** An access list comes last: without it everybody may connect. */
function listenerFeatures(provider: string, wanted: UpdateListener): readonly ProviderRefusal[] {
  return [
    ...(wanted.clientTimeoutMs === undefined && wanted.memberTimeoutMs === undefined
      ? []
      : [{ provider, feature: "timeouts" } as const]),
    ...(wanted.allowedCidrs === undefined ? [] : [{ provider, feature: "allowed-cidrs" } as const]),
  ];
}

function providerOf(action: CloudAction): { readonly provider: string } {
  if (action.kind === "create-load-balancer") return { provider: action.wanted.provider ?? "" };
  if (action.kind === "tag-floating-ip") return { provider: "neutron" };
  return { provider: "provider" in action ? action.provider : "" };
}

function refusedByCloud(lessons: Lessons, asked: readonly ProviderRefusal[]): Lessons {
  return { ...lessons, refused: refusedAfter(lessons.refused, asked) };
}

function forbidden(lessons: Lessons, { credentials }: CloudRequest, asked: readonly ProviderRefusal[]): Lessons {
  const refused = refusedAfter(lessons.byCredentials.get(credentials) ?? [], asked);
  return { ...lessons, byCredentials: new Map([...lessons.byCredentials, [credentials, refused]]) };
}

/**
 * A zone or a flavor may have been taken out of service since they were listed: the cloud is asked again. A zone that it lists still,
 * and that is in a bad request of the same object again, is taken for refused; a request as bad without a zone clears its zones.
 */
function afterBadRequest(lessons: Lessons, { key, action }: CloudRequest, asked: readonly ProviderRefusal[]): Lessons {
  const revision = lessons.revision + 1;
  const { inBadRequests, refused } = lessons.byObject.get(key) ?? { inBadRequests: [], refused: [] };
  const set = (about: ObjectLessons): Lessons => ({
    ...lessons,
    revision,
    byObject: new Map([...lessons.byObject, [key, about]]),
  });
  const zones = asked.filter(({ zone }) => zone !== undefined);
  if (zones.length > 0) {
    const listedStill = inBadRequests.filter((one) => one.revision <= lessons.confirmedRevision);
    return set({
      inBadRequests: [
        ...inBadRequests,
        ...zones.filter((one) => !isRefused(inBadRequests, one)).map((one) => ({ ...one, revision })),
      ],
      refused: [...refused, ...zones.filter((one) => isRefused(listedStill, one) && !isRefused(refused, one))],
    });
  }
  if (action.kind !== "create-load-balancer" || !lessons.byObject.has(key)) return { ...lessons, revision };
  const { provider } = providerOf(action);
  const isOther = (one: ProviderRefusal) => one.provider !== provider;
  return set({ inBadRequests: inBadRequests.filter(isOther), refused: refused.filter(isOther) });
}
