import { describe, expect, test } from "vitest";
import type { OpenStackErrorCode } from "../../../../core/openstack/openstack-error.ts";
import {
  type CloudAction,
  type CloudAnswer,
  type Lessons,
  learn,
  noLessons,
  refusedFor,
  withoutObject,
} from "./lessons.ts";

const blue = "clusters/blue";
const green = "clusters/green";
/** In the same project. */
const [ours, theirs] = ["one token", "another token"];

function action(kind: CloudAction["kind"], over: object = {}): CloudAction {
  return { kind, name: "b", provider: "amphora", wanted: {}, change: {}, ...over } as unknown as CloudAction;
}

const creating = (availabilityZone?: string, provider = "amphora") =>
  action("create-load-balancer", {
    wanted: { provider, ...(availabilityZone === undefined ? {} : { availabilityZone }) },
  });
const monitor = action("create-monitor");

type Step = readonly [action: CloudAction, answer: CloudAnswer, key?: string] | "listed again";

function after(...steps: readonly Step[]): Lessons {
  return steps.reduce<Lessons>((lessons, step) => {
    if (step === "listed again") return { ...lessons, confirmedRevision: lessons.revision };
    const [sent, answer, key = blue] = step;
    return learn(lessons, { key, credentials: ours, action: sent }, answer);
  }, noLessons);
}

const refused = (lessons: Lessons, key = blue, credentials = ours) =>
  refusedFor(lessons, { key, credentials }).map(({ provider, feature, zone }) => [
    provider,
    feature,
    ...(zone === undefined ? [] : [zone]),
  ]);

describe("what a provider lacks", () => {
  test.each<[CloudAction, OpenStackErrorCode, readonly string[]]>([
    [creating("az1"), "Unsupported", ["amphora", "availability-zone"]],
    [creating("az1", ""), "Unsupported", ["", "availability-zone"]],
    [monitor, "Unsupported", ["amphora", "health-monitor"]],
    [action("failover-load-balancer"), "Unsupported", ["amphora", "failover"]],
    [action("tag-floating-ip"), "Unsupported", ["neutron", "floating-ip-tags"]],
    [
      action("create-listener", { wanted: { clientTimeoutMs: 1, allowedCidrs: [] } }),
      "Unsupported",
      ["amphora", "timeouts"],
    ],
    [action("update-listener", { change: { clientTimeoutMs: 1 } }), "Unsupported", ["amphora", "timeouts"]],
    [action("update-listener", { change: { memberTimeoutMs: 1 } }), "Unsupported", ["amphora", "timeouts"]],
    [action("update-listener", { change: { allowedCidrs: [] } }), "Unsupported", ["amphora", "allowed-cidrs"]],
  ])("is learnt from %j answered %s, for every object in the cloud: %j", (sent, answer, lacking) => {
    const lessons = after([sent, answer]);
    expect([refused(lessons), refused(lessons, green, theirs)]).toEqual([[lacking], [lacking]]);
  });

  test.each([
    [action("failover-load-balancer"), ["amphora", "failover"]],
    [action("tag-floating-ip"), ["neutron", "floating-ip-tags"]],
  ])("is learnt from %j answered Forbidden, for every object with the same credentials: %j", (sent, lacking) => {
    const lessons = after([sent, "Forbidden"], [monitor, "BadRequest"]);
    expect([refused(lessons), refused(lessons, green)]).toEqual([[lacking], [lacking]]);
    expect(refused(lessons, green, theirs)).toEqual([]);
  });

  test.each<[CloudAction, CloudAnswer]>([
    [monitor, "done"],
    [monitor, "Forbidden"],
    [monitor, "Conflict"],
    [action("failover-load-balancer"), "NotFound"],
    [action("tag-floating-ip"), "NotFound"],
    [action("create-pool"), "Unsupported"],
    [action("create-pool"), "BadRequest"],
    [action("merge-members", { batch: false }), "done-singly"],
    [action("merge-members", { batch: true }), "Unsupported"],
  ])("is not learnt from %j answered %s: that is about the one request", (sent, answer) => {
    expect(after([sent, answer])).toEqual(noLessons);
  });

  test("is learnt of batches of members when one of them alone is taken", () => {
    const batch = action("merge-members", { batch: true });
    expect(refused(after([batch, "done-singly"]))).toEqual([["amphora", "batch-members"]]);
  });

  test("is kept while what the cloud lists is asked for again", () => {
    expect(refused(after([monitor, "Unsupported"], [monitor, "BadRequest"], "listed again"))).toHaveLength(1);
  });
});

test.each([creating("az1"), creating(), monitor, action("update-listener"), action("merge-members", { batch: true })])(
  "what the cloud lists is asked for again after a bad request: %j",
  (sent) => {
    expect(after([sent, "BadRequest"]).revision).toBe(1);
  },
);

describe("a zone in a bad request", () => {
  const bad = [creating("az1"), "BadRequest"] as const;
  const hint = ["amphora", "availability-zone", "az1"];

  test("is refused once the cloud was asked again and still lists it", () => {
    expect(refused(after(bad, bad))).toEqual([]);
    expect(refused(after(bad, bad, "listed again"))).toEqual([]);
    expect(refused(after(bad, bad, "listed again", bad))).toEqual([hint]);
  });

  test("is refused for its object although bad requests of others have the cloud asked all the time", () => {
    const other = [monitor, "BadRequest", green] as const;
    expect(refused(after(other, bad, other, "listed again", other, bad, other))).toEqual([hint]);
  });

  test("is refused for the object that sent it alone", () => {
    const lessons = after(bad, "listed again", bad, [creating("az1"), "BadRequest", green]);
    expect([refused(lessons), refused(lessons, green)]).toEqual([[hint], []]);
  });

  test("is refused no longer when the object's request is as bad without it", () => {
    const twice = [[monitor, "Unsupported"], bad, "listed again", bad, "listed again"] as const;
    const plain = [creating(), "BadRequest"] as const;
    expect(
      refused(after(...twice, [creating(), "BadRequest", green], [creating(undefined, "ovn"), "BadRequest"])),
    ).toHaveLength(2);
    expect(refused(after(...twice, plain))).toEqual([["amphora", "health-monitor"]]);
    expect(refused(after(...twice, plain, "listed again", bad))).toEqual([["amphora", "health-monitor"]]);
  });

  test("stays refused whatever else of the object is a bad request", () => {
    expect(refused(after(bad, "listed again", bad, [monitor, "BadRequest"]))).toEqual([hint]);
  });

  test("that was in none leaves nothing to remember of an object", () => {
    expect(after([creating(), "BadRequest"], [monitor, "BadRequest"]).byObject).toEqual(new Map());
  });

  test("is forgotten with its object", () => {
    const green1 = [creating("az1"), "BadRequest", green] as const;
    const lessons = withoutObject(after(bad, green1, "listed again", bad, green1), blue);
    expect([refused(lessons), refused(lessons, green)]).toEqual([[], [hint]]);
  });
});
