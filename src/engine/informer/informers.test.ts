import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { informerBench } from "../../../test/support/informer-bench.ts";
import { quietLog } from "../../../test/support/quiet-log.ts";
import { Replica } from "../../../test/support/replica.ts";
import { failure, SmallKube, type Snapshot, type Widget, widgets } from "../../../test/support/small-kube.ts";
import { VirtualClock } from "../../../test/support/virtual-clock.ts";
import { nodes, services } from "../../apis/kube/builtin-kinds.ts";
import type { Kind } from "../../apis/kube/kube-object.ts";
import { seededRandom } from "../../sim/time/seeded-random.ts";
import { Informers } from "./informers.ts";
import { compareResourceVersions, isAtLeast, isOlder } from "./resource-version.ts";
import { selectionFor } from "./watch-filter.ts";

function fleet() {
  const clock = new VirtualClock();
  const kube = new SmallKube();
  const informers = new Informers({ kube, clock, random: seededRandom(1), log: quietLog() });
  return { clock, kube, informers };
}

const gadgets: Kind<Widget> = { ...widgets, version: "v9" };

describe("informers of a manager", () => {
  test("are shared by all who ask for the same kind and selection, and separate for others", async () => {
    const { clock, kube, informers } = fleet();
    const first = informers.get(widgets);
    expect(informers.get(widgets, {})).toBe(first);
    expect(informers.get({ ...widgets })).toBe(first);
    expect(informers.get(widgets, { namespace: "lab" })).not.toBe(first);
    expect(informers.get(widgets, { labelSelector: "a=b" })).not.toBe(informers.get(widgets, { namespace: "lab" }));
    await clock.advance(0);
    expect(kube.openWatches).toBe(3);
  });

  test("do not hold each other up: readiness names the one that is missing", async () => {
    const { clock, kube, informers } = fleet();
    kube.put("a");
    const served = informers.get(widgets);
    const missing = informers.get(gadgets);
    await clock.advance(1_000);
    expect([served.state, missing.state]).toEqual(["synced", "not-served"]);
    expect([informers.allSynced(), informers.allSettled()]).toEqual([false, true]);
    expect(
      informers
        .readiness()
        .filter(({ ready }) => !ready)
        .map(({ message }) => message),
    ).toEqual(["widgets.example.com: version v9 is not served, only v1"]);
    kube.servedVersions = ["v1", "v9"];
    await clock.advance(0);
    expect(informers.allSynced()).toBe(true);
  });

  test("all stop together", async () => {
    const { clock, kube, informers } = fleet();
    informers.get(widgets);
    informers.get(widgets, { namespace: "lab" });
    await clock.advance(0);
    await informers.stop();
    await clock.advance(60_000);
    expect([kube.openWatches, clock.pendingTimers]).toEqual([0, 0]);
  });
});

type Step =
  | { readonly do: "put"; readonly name: string; readonly size: number }
  | { readonly do: "remove"; readonly name: string }
  | { readonly do: "fault"; readonly fault: (typeof faults)[number] }
  | { readonly do: "wait"; readonly ms: number };

const faults = ["end", "break", "compact", "outage", "restore", "mute", "refuse-streaming"] as const;

const name = fc.constantFrom("a", "b", "c", "d");

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("put" as const), name, size: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("remove" as const), name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("fault" as const), fault: fc.constantFrom(...faults) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.nat(20_000) }) },
);

describe("whatever happens to the server and the way to it", () => {
  test("the store ends up equal to the server, and the events tell the same story", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.integer(),
        fc.boolean(),
        async (script, seed, streaming) => {
          const { clock, kube, informer, expectEqual } = informerBench({ seed, streaming, pageSize: 2 });
          const late = new Replica<Widget>();
          for (const existing of ["a", "b"]) kube.put(existing);
          const backup = kube.backup();
          informer.start();
          for (const action of script) {
            if (action.do === "put") kube.put(action.name, { size: action.size });
            else if (action.do === "remove") kube.remove(action.name);
            else if (action.do === "wait") await clock.advance(action.ms);
            else inflict(kube, clock, action.fault, backup);
          }
          informer.addHandler(late.handler);
          kube.muted = false;
          // A restore that was overtaken before anyone reconnected shows in no version: the hourly list finds it.
          await clock.advance(script.some(isRestore) ? 3_700_000 : 300_000);
          kube.cut();
          await clock.advance(60_000);
          kube.put("last");
          await clock.advance(0);
          expectEqual();
          expect([late.contradictions, late.objects.size]).toEqual([[], kube.objects.size]);
          expect(informer.state).toBe("synced");
        },
      ),
      { numRuns: 150 },
    );
  });
});

function inflict(kube: SmallKube, clock: VirtualClock, fault: (typeof faults)[number], backup: Snapshot): void {
  switch (fault) {
    case "end":
      kube.cut();
      break;
    case "break":
      kube.cut(failure("Unreachable", 0));
      break;
    case "compact":
      kube.compact();
      kube.cut(failure("Gone", 410));
      break;
    case "outage":
      kube.gate = () => failure("ServerError", 503);
      kube.cut(failure("Unreachable", 0));
      clock.after(15_000, () => {
        kube.gate = () => undefined;
      });
      break;
    case "restore":
      kube.restore(backup);
      break;
    case "mute":
      kube.muted = true;
      clock.after(1_000, () => {
        kube.muted = false;
        kube.cut();
      });
      break;
    case "refuse-streaming":
      kube.streaming = "refused";
      break;
  }
}

function isRestore(action: Step): boolean {
  return action.do === "fault" && action.fault === "restore";
}

describe("resource versions", () => {
  test("compare as numbers of any size, and not at all when they are none", () => {
    expect(compareResourceVersions("9", "10")).toBe(-1);
    expect(isOlder("18446744073709551614", "18446744073709551615")).toBe(true);
    expect(isAtLeast("10", "10")).toBe(true);
    expect(compareResourceVersions("abc", "10")).toBeUndefined();
    expect([isOlder("abc", "10"), isAtLeast("abc", "10"), isAtLeast("abc", "abc")]).toEqual([false, false, true]);
  });
});

describe("a watch filter", () => {
  test("selects by label and namespace where the kind allows it", () => {
    const scope = { watchFilter: "blue", namespace: "fleet" };
    expect(selectionFor(services, scope, { labelled: true })).toEqual({
      namespace: "fleet",
      labelSelector: "cluster.x-k8s.io/watch-filter=blue",
    });
    expect(selectionFor(nodes, scope, { labelled: false })).toEqual({});
    expect(selectionFor(services, scope, { labelled: false, namespace: "kube-system", fieldSelector: "a=b" })).toEqual({
      namespace: "kube-system",
      fieldSelector: "a=b",
    });
    expect(selectionFor(services, {}, { labelled: true })).toEqual({});
  });
});
