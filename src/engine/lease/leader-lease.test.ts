import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { distantKube, type Journey, type Travel } from "../../../test/support/distant-kube.ts";
import { ProcessClock } from "../../../test/support/process-clock.ts";
import { quietLog } from "../../../test/support/quiet-log.ts";
import { VirtualClock } from "../../../test/support/virtual-clock.ts";
import { leases } from "../../apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { present } from "../../core/present.ts";
import { kubeClient } from "../../drivers/kube/client.ts";
import type { Kube } from "../../ports/kube.ts";
import { adminToken, createFakeKubeApi } from "../../sim/fakes/kube/api-server.ts";
import { seededRandom } from "../../sim/time/seeded-random.ts";
import { LeaderLease } from "./leader-lease.ts";
import type { Term } from "./leader-term.ts";
import { decodeLease } from "./lease-record.ts";

const ref = { namespace: "default", name: "mainstay-controller" };

interface ProcessOptions {
  readonly wallSkewMs?: number;
  readonly rate?: number;
  readonly travel?: Travel;
}

class Process {
  readonly clock: ProcessClock;
  readonly lease: LeaderLease;
  readonly terms: Term[] = [];

  constructor(
    world: World,
    identity: string,
    { travel = () => ({ thereMs: 2, backMs: 2 }), ...clock }: ProcessOptions,
  ) {
    this.clock = new ProcessClock(world.clock, clock);
    this.lease = new LeaderLease({
      kube: distantKube(world.kube, world.clock, this.clock, travel),
      clock: this.clock,
      random: seededRandom(identity.length),
      log: quietLog(),
      ref,
      identity,
      onTerm: (term) => this.terms.push(term),
    });
    this.lease.start();
  }

  /** May it write at this instant? Asked of every term it ever had. */
  get mayWrite(): boolean {
    return this.terms.some((term) => term.fence.remainingMs() > 0);
  }
}

class World {
  readonly clock = new VirtualClock();
  readonly kube: Kube;
  readonly processes: Process[] = [];

  constructor() {
    const api = createFakeKubeApi({ clock: this.clock, random: seededRandom(1) });
    this.kube = kubeClient({ transport: api.transport(adminToken), clock: this.clock });
  }

  process(identity: string, options: ProcessOptions = {}): Process {
    const process = new Process(this, identity, options);
    this.processes.push(process);
    return process;
  }

  async read(): Promise<ReturnType<typeof decodeLease>> {
    return decodeLease(await this.kube.get<KubeObject>(leases, ref));
  }

  /** Advances in small steps and looks at every one of them that at most one process may write. */
  async live(ms: number, stepMs = 50): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      await this.clock.advance(stepMs);
      const writers = this.processes.filter((process) => process.mayWrite).length;
      if (writers > 1) throw new Error(`${writers} processes may write at ${this.clock.monotonicMs()} ms`);
    }
  }

  async until(holds: () => boolean, maxMs: number): Promise<number> {
    const startedMs = this.clock.monotonicMs();
    while (!holds()) {
      if (this.clock.monotonicMs() - startedMs > maxMs) throw new Error(`does not hold after ${maxMs} ms`);
      await this.live(50);
    }
    return this.clock.monotonicMs() - startedMs;
  }
}

describe("leading", () => {
  test("one of two candidates leads, and goes on leading", async () => {
    const world = new World();
    const [a, b] = [world.process("a"), world.process("bb")];
    await world.live(120_000);
    expect([a.terms.length, b.terms.length].toSorted()).toEqual([0, 1]);
    expect(a.mayWrite || b.mayWrite).toBe(true);
  });

  test("a standby takes over after the leader fell silent, with a higher epoch", async () => {
    const world = new World();
    const a = world.process("a");
    await world.until(() => a.mayWrite, 30_000);
    const b = world.process("bb");
    await world.live(5_000);
    a.clock.stop();
    const tookMs = await world.until(() => b.mayWrite, 30_000);
    expect(tookMs).toBeGreaterThan(13_000);
    expect(b.terms[0]?.epoch).toBeGreaterThan(a.terms[0]?.epoch ?? Infinity);
  });

  test("a Lease that a restore brought back as given back by an earlier holder is waited for as one that is held", async () => {
    const world = new World();
    let away = false;
    const a = world.process("a", { travel: () => ({ thereMs: away ? 60_000 : 2, backMs: 2 }) });
    await world.until(() => a.mayWrite, 30_000);
    const b = world.process("bb");
    await world.live(5_000);
    // The holder cannot be reached and does not know; its fence is still up.
    away = true;
    const leaseTransitions = (a.terms[0]?.epoch ?? 0) - 1;
    const spec = { holderIdentity: null, leaseDurationSeconds: 1, leaseTransitions };
    await world.kube.patch(leases, ref, { type: "merge", body: { spec } });
    const tookMs = await world.until(() => b.mayWrite, 40_000);
    expect(tookMs).toBeGreaterThan(13_000);
    expect(b.terms[0]?.epoch).toBeGreaterThan(a.terms[0]?.epoch ?? Infinity);
  });

  test("a leader that was stopped for a minute finds its fence down before it does anything", async () => {
    const world = new World();
    const a = world.process("a");
    await world.until(() => a.mayWrite, 30_000);
    const b = world.process("bb");
    await world.live(5_000);
    a.clock.stop();
    await world.live(60_000);
    expect(b.mayWrite).toBe(true);
    expect(a.mayWrite).toBe(false);
    await a.clock.continue();
    expect(a.mayWrite).toBe(false);
    await world.live(30_000);
    expect(a.lease.term).toBeUndefined();
    expect(a.terms[0]?.signal.aborted).toBe(true);
  });

  test.each(["taking", "renewing"])(
    "an answer that waited for a stopped process while %s counts from when the call was sent",
    async (what) => {
      const world = new World();
      let stopNow = what === "taking";
      const a = world.process("a", {
        travel: (verb) => {
          if (stopNow && verb === "patch") a.clock.stop();
          return { thereMs: 2, backMs: 2 };
        },
      });
      if (what === "renewing") await world.until(() => a.mayWrite, 30_000);
      await world.live(16_000);
      stopNow = true;
      const b = world.process("bb");
      await world.until(() => b.mayWrite, 40_000);
      stopNow = false;
      await a.clock.continue();
      expect(a.mayWrite).toBe(false);
      await world.live(20_000);
      expect(b.terms).toHaveLength(1);
      expect(b.mayWrite).toBe(true);
    },
  );

  test("wall clocks that are hours apart do not matter", async () => {
    const world = new World();
    const a = world.process("a", { wallSkewMs: 7 * 3_600_000 });
    await world.until(() => a.mayWrite, 30_000);
    const b = world.process("bb", { wallSkewMs: -5 * 3_600_000 });
    await world.live(60_000);
    expect([a.terms.length, b.terms.length]).toEqual([1, 0]);
    a.clock.stop();
    await world.until(() => b.mayWrite, 30_000);
  });

  test("a leader that cannot renew steps down by itself within the renew deadline", async () => {
    const world = new World();
    let lost: Journey["lost"];
    const a = world.process("a", {
      travel: () => ({ thereMs: 2, backMs: 2, ...present({ lost }) }),
    });
    await world.until(() => a.mayWrite, 30_000);
    lost = "call";
    await world.live(12_500);
    expect(a.lease.term).toBeUndefined();
    expect(a.mayWrite).toBe(false);
    lost = undefined;
    await world.until(() => a.mayWrite, 30_000);
    expect(a.terms[1]?.epoch).toBeGreaterThan(a.terms[0]?.epoch ?? Infinity);
  });

  test("a renewal whose answer was lost does not end a term", async () => {
    const world = new World();
    let calls = 0;
    const a = world.process("a", {
      travel: () => {
        calls += 1;
        return { thereMs: 2, backMs: 2, ...(calls % 4 === 0 ? { lost: "answer" as const } : {}) };
      },
    });
    await world.until(() => a.mayWrite, 60_000);
    await world.live(120_000);
    expect(a.terms.length).toBe(1);
    expect(a.mayWrite).toBe(true);
  });

  test("somebody's edit of the Lease ends no term as long as the holder stays", async () => {
    const world = new World();
    const a = world.process("a");
    await world.until(() => a.mayWrite, 30_000);
    for (let edit = 0; edit < 10; edit += 1) {
      await world.kube.patch(leases, ref, { type: "merge", body: { metadata: { labels: { edit: `n${edit}` } } } });
      await world.live(2_100);
    }
    expect(a.terms.length).toBe(1);
    expect(a.mayWrite).toBe(true);
  });
});

describe("a lease that cannot be had", () => {
  test("is complained about once, not at every try", async () => {
    const world = new World();
    const log = quietLog();
    const lease = new LeaderLease({
      kube: world.kube,
      clock: world.clock,
      random: seededRandom(1),
      log,
      ref: { namespace: "nowhere", name: "lease" },
      identity: "a",
      onTerm: () => {},
    });
    lease.start();
    await world.clock.advance(60_000);
    const warnings = log.lines.filter(({ level }) => level === "warn");
    expect(warnings).toMatchObject([{ data: { lease: "nowhere/lease", reason: "ObjectNotFound" } }]);
  });
});

describe("giving back", () => {
  test("lets a standby lead at its next check, without waiting for the lease to expire", async () => {
    const world = new World();
    const a = world.process("a");
    await world.until(() => a.mayWrite, 30_000);
    const b = world.process("bb");
    await world.live(5_000);
    const stopped = a.lease.stop();
    expect(await world.until(() => b.mayWrite, 30_000)).toBeLessThan(3_000);
    await stopped;
    expect(a.mayWrite).toBe(false);
    expect((await world.read()).holder).toBe("bb");
  });

  test("takes no Lease from a successor", async () => {
    const world = new World();
    const a = world.process("a");
    await world.until(() => a.mayWrite, 30_000);
    const b = world.process("bb");
    a.clock.stop();
    await world.until(() => b.mayWrite, 30_000);
    await a.clock.continue();
    const stopped = a.lease.stop();
    await world.live(5_000);
    await stopped;
    expect((await world.read()).holder).toBe("bb");
    expect(b.mayWrite).toBe(true);
  });
});

describe("the epoch", () => {
  test("is what the Lease counts as transitions", async () => {
    const world = new World();
    const a = world.process("a");
    await world.until(() => a.mayWrite, 30_000);
    expect((await world.read()).epoch).toBe(a.terms[0]?.epoch);
  });

  test("never repeats and nobody doubles, when the Lease is deleted under its holder and made anew", async () => {
    const world = new World();
    const a = world.process("a");
    await world.until(() => a.mayWrite, 30_000);
    await world.live(10_000);
    await world.kube.delete(leases, ref);
    // A newcomer that has never seen the old Lease.
    const b = world.process("bb");
    await world.live(60_000);
    const epochs = [...a.terms, ...b.terms].map(({ epoch }) => epoch);
    expect(epochs.length).toBeGreaterThan(1);
    expect(new Set(epochs).size).toBe(epochs.length);
    expect(Math.max(...epochs)).toBe([...a.terms, ...b.terms].find((term) => !term.signal.aborted)?.epoch);
  });
});

describe("whatever happens", () => {
  const ms = (max: number) => fc.integer({ min: 0, max });
  const event = fc.record({
    afterMs: ms(20_000),
    who: fc.constantFrom(0, 1, 2),
    what: fc.constantFrom("stop", "stop-at-call", "continue", "cut", "mend", "slow", "delete"),
  });
  const rates = fc.tuple(...[0, 1, 2].map(() => fc.double({ min: 0.97, max: 1.03, noNaN: true })));

  test("at no instant may two processes write, and every term has an epoch of its own", {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 3, maxLength: 12 }),
        rates,
        fc.nat(),
        async (events, speeds, seed) => {
          const world = new World();
          const random = seededRandom(seed);
          const networks: { mode: "good" | "cut" | "slow"; stopAtCall: boolean }[] = speeds.map(() => ({
            mode: "good",
            stopAtCall: false,
          }));
          for (const [index, rate] of speeds.entries()) {
            const travel = (verb: keyof Kube): Journey => {
              const { mode, stopAtCall } = networks[index] ?? { mode: "good", stopAtCall: false };
              if (stopAtCall && verb === "patch") world.processes[index]?.clock.stop();
              if (mode === "cut") return { thereMs: 1, backMs: 1, lost: random.next() < 0.5 ? "call" : "answer" };
              const scaleMs = mode === "slow" ? 8_000 : 40;
              return { thereMs: random.next() * scaleMs, backMs: random.next() * scaleMs };
            };
            world.process("x".repeat(index + 1), { rate, wallSkewMs: (index - 1) * 3_600_000, travel });
          }
          for (const { afterMs, who, what } of events) {
            await world.live(afterMs, 100);
            const [process, network] = [world.processes[who], networks[who]];
            if (network === undefined || process === undefined) continue;
            if (what === "stop") process.clock.stop();
            else if (what === "stop-at-call") network.stopAtCall = true;
            else if (what === "delete") await world.kube.delete(leases, ref).catch(() => undefined);
            else if (what === "continue") {
              network.stopAtCall = false;
              await process.clock.continue();
            } else network.mode = what === "mend" ? "good" : what;
          }
          for (const network of networks) Object.assign(network, { mode: "good", stopAtCall: false });
          for (const process of world.processes) await process.clock.continue();
          // Once all is well again, somebody leads.
          await world.until(() => world.processes.some((process) => process.mayWrite), 60_000);
          const epochs = world.processes.flatMap((process) => process.terms.map(({ epoch }) => epoch));
          expect(new Set(epochs).size).toBe(epochs.length);
        },
      ),
      { numRuns: 40 },
    );
  });
});
