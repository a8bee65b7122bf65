// The agent of a gateway: takes documents one after the other, carries the newest, remembers it across crashes and puts right what
// somebody else undoes. It needs no controller to go on with what it carries. Everything outside is a port.

import { present } from "../../../core/present.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Conntrack } from "../../../ports/conntrack.ts";
import type { Journal } from "../../../ports/journal.ts";
import type { Log } from "../../../ports/log.ts";
import type { Random } from "../../../ports/random.ts";
import type { Sysctls } from "../../../ports/sysctls.ts";
import { sameContent } from "../core/delta/document-delta.ts";
import type { AgentCapabilities, AgentStatus } from "../core/model/agent-answers.ts";
import { agentMetrics } from "../core/model/agent-metrics.ts";
import { compareVersions, type GatewayDocument } from "../core/model/document.ts";
import { CarriedJournal } from "./apply/carried-journal.ts";
import { Carrier, type CarrierParts } from "./apply/carrier.ts";
import type { JournalContent } from "./apply/journal-records.ts";
import { type Asked, type LbaasSettings, resolveRequest } from "./apply/resolve-request.ts";
import { type ApplyRequest, WaitingRequest } from "./apply/waiting-request.ts";
import type { ApplyOutcome, Carried, Refusal } from "./carried.ts";
import { DriftWatch, hasTables } from "./drift-watch.ts";
import { type DurationCounts, Durations } from "./durations.ts";
import { Forgetter } from "./forgetter.ts";
import { machineStatus } from "./machine-status.ts";
import { Retries } from "./retries.ts";
import { RoleWatch } from "./role-watch.ts";
import { Serial } from "./serial.ts";
import { type Traffic, TrafficWatch } from "./traffic-watch.ts";

export interface AgentParts extends CarrierParts {
  readonly conntrack: Conntrack;
  /** Absent: nothing is told of the machine's kernel. */
  readonly sysctls?: Sysctls;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** For a controller that speaks v1 only. */
  readonly lbaas: LbaasSettings;
  readonly versions: { readonly agent: string; readonly kernel: string };
}

/** What metrics count, since the agent started. */
export interface AgentCounts {
  readonly applied: number;
  readonly refused: number;
  readonly failed: number;
  /** Full loads because the rules were missing or in doubt. */
  readonly reloads: number;
  readonly roleChanges: number;
  readonly applyDurations: DurationCounts;
}

const features = ["v1", "v2", "delta", "quarantine", "drift-repair", "vrrp3", "compat"] as const;

export class GatewayAgent {
  readonly #parts: AgentParts;
  readonly #carrier: Carrier;
  readonly #journal: CarriedJournal;
  readonly #serial = new Serial();
  readonly #waiting = new WaitingRequest();
  readonly #forgetter: Forgetter;
  readonly #roles: RoleWatch;
  readonly #repairs: Retries;
  #drift: DriftWatch | undefined;
  #carried: Carried | undefined;
  /** What the track file says; undefined when an earlier agent wrote it, or nobody. */
  #isReady: boolean | undefined;
  #failure: string | undefined;
  #isStopped = false;
  #counts = { applied: 0, refused: 0, failed: 0, reloads: 0 };
  readonly #durations = new Durations(agentMetrics.applyDuration.buckets);
  readonly #traffic: TrafficWatch;

  constructor(parts: AgentParts) {
    const { clock, random, log } = parts;
    this.#parts = parts;
    this.#carrier = new Carrier(parts);
    this.#journal = new CarriedJournal(parts.journal, log);
    this.#forgetter = new Forgetter(parts);
    this.#roles = new RoleWatch(clock, parts.keepalived);
    this.#traffic = new TrafficWatch(parts);
    const attempt = () => this.#serial.run(() => this.#reload());
    const tell = ({ cause, isLasting }: { readonly cause: string; readonly isLasting: boolean }) =>
      isLasting
        ? log.error("the rules have to be loaded again and again", { cause })
        : log.warn("the rules have to be loaded again", { cause });
    this.#repairs = new Retries({ clock, random, attempt, tell });
  }

  /** Resolves after the first try to carry what was carried before. Never rejects: a gateway that cannot says so in its status. */
  async start(): Promise<void> {
    const { clock, nft, dataplane } = this.#parts;
    await this.#serial.run(async () => this.#restore(await this.#journal.read()));
    this.#drift = new DriftWatch({
      clock,
      nft,
      tables: dataplane.tables,
      onMissing: () => void this.#missing(),
      onDoubt: () => void this.#serial.run(() => this.#audit()),
    });
    this.#roles.start();
  }

  /** What is under way is finished first; rules and keepalived stay as they are. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#drift?.stop();
    for (const part of [this.#repairs, this.#roles, this.#forgetter]) part.stop();
    await this.#serial.run(() => Promise.resolve());
  }

  apply(request: ApplyRequest): Promise<ApplyOutcome> {
    return new Promise((resolve) => {
      if (this.#isStopped) return resolve(this.#refusal("stopped", "the agent is about to end"));
      if (!this.#waiting.offer(request, resolve)) return;
      void this.#serial.run(async () => {
        const taken = this.#waiting.take();
        if (taken !== undefined)
          taken.answer(await this.#answer(taken.request).catch((error) => this.#unexpected(error)));
      });
    });
  }

  /** As its controller sent it; undefined when none ever did. */
  document(): GatewayDocument | undefined {
    return this.#carried?.asked;
  }

  counts(): AgentCounts {
    return { ...this.#counts, roleChanges: this.#roles.transitions, applyDurations: this.#durations.counts() };
  }

  /** What went through it; undefined where nobody can tell. */
  traffic(): Promise<Traffic | undefined> {
    return this.#traffic.look();
  }

  async status(): Promise<AgentStatus> {
    const { name } = this.#parts.local;
    const groups = (this.#carried?.good.groups ?? []).filter(({ order }) => order.includes(name));
    const ready = this.#isReady === true;
    const unready = ready
      ? undefined
      : (this.#failure ??
        (this.#carried === undefined ? "no document was ever applied" : "its rules are being loaded"));
    const own = [
      ["journal", this.#journal.problem],
      ["connections", this.#forgetter.problem],
    ] as const;
    const problems = own.flatMap(([subject, message]) => (message === undefined ? [] : [{ subject, message }]));
    return {
      name,
      ...present({ carries: this.#carried?.asked.version, unready }),
      problems: [...(this.#carried?.problems ?? []), ...problems],
      ready,
      ...(await this.#roles.look(groups.map((group) => group.name))),
      machine: await machineStatus(this.#parts),
    };
  }

  async capabilities(): Promise<AgentCapabilities> {
    const { nft, keepalived, versions } = this.#parts;
    const answers = [nft.version(), keepalived.version()].map((answer) => answer.catch(() => "unknown"));
    const [ofNft = "unknown", ofKeepalived = "unknown"] = await Promise.all(answers);
    return { ...versions, nft: ofNft, keepalived: ofKeepalived, features };
  }

  async #answer(request: ApplyRequest): Promise<ApplyOutcome> {
    const startMs = this.#parts.clock.monotonicMs();
    const asked = resolveRequest(request, this.#carried, this.#parts);
    const outcome = "why" in asked ? this.#refusal(asked.why, asked.message) : await this.#carry(asked);
    this.#counts[outcome.kind] += 1;
    if (outcome.kind === "applied") this.#durations.add((this.#parts.clock.monotonicMs() - startMs) / 1_000);
    return outcome;
  }

  /** A promise of ours is broken. Whoever asked is told, and what is carried is loaded again. */
  #unexpected(error: unknown): ApplyOutcome {
    this.#parts.log.error("document not applied because of a bug", { error });
    this.#carrier.doubtRules();
    if (this.#carried !== undefined) this.#repairs.need("a bug in Mainstay");
    const message = "the agent failed inside Mainstay; its log says how";
    return { kind: "failed", part: "nftables", message, ...present({ carries: this.#carried?.asked.version }) };
  }

  async #carry({ document, unreadable, api }: Asked): Promise<ApplyOutcome> {
    const before = this.#carried;
    const refusal = before === undefined ? undefined : versionRefusal(before.asked, document);
    if (refusal !== undefined) return this.#refusal(refusal.why, refusal.message);
    const isKnown = before !== undefined && compareVersions(before.asked.version, document.version) === 0;
    if (isKnown && this.#carrier.isSure) return applied(before);
    const { dataplane, local } = this.#parts;
    const { good, problems } = dataplane.check(document, local, { unreadable, ...present({ previous: before?.good }) });
    const next: Carried = { asked: document, good: { ...good, version: document.version }, problems, api };
    await this.#journal.intend(before, next);
    return await this.#attempt(before, next);
  }

  /** One try, with its end in the journal. */
  async #attempt(before: Carried | undefined, next: Carried): Promise<ApplyOutcome> {
    const { log, settings } = this.#parts;
    const result = await this.#carrier.carry(before?.good, next.good);
    if (result.ok) {
      if (before !== undefined) await this.#forgetter.forget(before.good, next.good);
      this.#carried = next;
      await this.#journal.end("done", next);
      await this.#settled();
      log.info("document applied", { ...next.asked.version, problems: next.problems.length });
      return applied(next);
    }
    const message = withoutSecret(result.message, settings.compat?.password);
    log.error("document not applied", { ...next.asked.version, part: result.part, error: message });
    await this.#journal.end("undone", before);
    this.#failure = `${result.part}: ${message}`;
    if (!this.#carrier.isSure && before !== undefined) this.#repairs.need(this.#failure);
    return { kind: "failed", part: result.part, message, ...present({ carries: before?.asked.version }) };
  }

  async #restore({ carried, intended }: JournalContent): Promise<void> {
    this.#carried = carried;
    const { nft, dataplane } = this.#parts;
    if (!(await hasTables(nft, dataplane.tables))) await this.#setReady(false);
    if (intended !== undefined) await this.#attempt(carried, intended);
    if (this.#carried !== undefined && !this.#carrier.isSure && !(await this.#reload())) {
      this.#repairs.need(this.#failure ?? "the rules could not be loaded");
    }
  }

  /** All of the rules anew, where it is not sure what they are. */
  async #reload(): Promise<boolean> {
    const good = this.#carried?.good;
    if (this.#isStopped || good === undefined || this.#carrier.isSure) return true;
    this.#counts.reloads += 1;
    const result = await this.#carrier.move(good, good);
    if (result.ok) {
      await this.#settled();
      return true;
    }
    this.#failure = `${result.part}: ${withoutSecret(result.message, this.#parts.settings.compat?.password)}`;
    return false;
  }

  /** Somebody may have changed a rule or an element without removing a table. */
  async #audit(): Promise<void> {
    // What is known to be wrong is loaded by `#repairs`, in its own time.
    if (this.#carried === undefined || this.#isStopped || !this.#carrier.isSure) return;
    this.#carrier.doubtRules();
    if (!(await this.#reload())) this.#repairs.need(this.#failure ?? "the rules could not be loaded");
  }

  async #missing(): Promise<void> {
    // Also before anything is carried: what was loaded and taken back is no longer there to be changed.
    this.#carrier.doubtRules();
    if (this.#carried === undefined) return;
    const delayMs = this.#repairs.need("the rules were removed by somebody else");
    if (delayMs !== 0) await this.#serial.run(() => this.#unreadyIfUnsure());
  }

  /** Another gateway should lead until the rules are back. */
  async #unreadyIfUnsure(): Promise<void> {
    if (this.#carrier.isSure) return;
    this.#failure = "the rules are removed by somebody else again and again";
    await this.#setReady(false);
  }

  async #settled(): Promise<void> {
    this.#failure = undefined;
    await this.#setReady(true);
  }

  async #setReady(ready: boolean): Promise<void> {
    if (this.#isReady === ready) return;
    try {
      await this.#parts.keepalived.setReady(ready);
      this.#isReady = ready;
    } catch (error) {
      this.#isReady = undefined;
      this.#failure = "its readiness could not be written";
      this.#parts.log.error(this.#failure, { error });
    }
  }

  #refusal(why: Refusal, message: string): ApplyOutcome {
    return { kind: "refused", why, message, ...present({ carries: this.#carried?.asked.version }) };
  }
}

function versionRefusal(carried: GatewayDocument, document: GatewayDocument) {
  const order = compareVersions(document.version, carried.version);
  if (order < 0) return { why: "older", message: "this gateway carries a newer document" } as const;
  if (order > 0 || sameContent(carried, document)) return undefined;
  return { why: "other-content", message: "this gateway carries another document of the same version" } as const;
}

function applied({ asked, problems }: Carried): ApplyOutcome {
  return { kind: "applied", carries: asked.version, problems };
}

/** Programs quote what they could not read. */
function withoutSecret(message: string, secret: string | undefined): string {
  return secret === undefined || secret === "" ? message : message.replaceAll(secret.slice(0, 8), "…");
}
