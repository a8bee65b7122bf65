// One open stream: a snapshot or the missed changes, then every change that this viewer may see, with heartbeats in between. It checks
// the viewer's rights again every few seconds, waits for a slow reader, and ends the stream of one that stays slow.

import { formatRef, resourceName } from "../../apis/kube/kube-object.ts";
import { objectId } from "../../core/views/plan-view.ts";
import type { Clock } from "../../ports/clock.ts";
import type { OpaqueIds } from "../../ports/opaque-ids.ts";
import type { Viewer } from "../access/access.ts";
import { ApiFailure, asFailure } from "../api-failure.ts";
import { type FaultsAnswer, heartbeatMs, type ManagerInfo, type StreamMessage, streamText } from "../contract.ts";
import { requireSomeRight, type ViewerWorld } from "../read-api/viewer-world.ts";
import type { ChangeRing, NumberedChange } from "./change-ring.ts";

/** Where the text goes. */
export interface StreamSink {
  /** False: the reader is behind; wait for `onReady`. */
  write(text: string): boolean;
  onReady(listener: () => void): void;
  onClosed(listener: () => void): void;
  end(): void;
  /** Without waiting for the reader. */
  destroy(): void;
}

export interface StreamSessionOptions {
  readonly ring: ChangeRing;
  /** Of this process alone: ids of another one mean nothing here, and ours reveal nothing about changes that a reader may not see. */
  readonly opaqueIds: Pick<OpaqueIds, "encrypt" | "decrypt">;
  readonly sink: StreamSink;
  readonly clock: Clock;
  /** Called again and again: rejects when the viewer no longer has access. */
  readonly viewer: () => Promise<Viewer>;
  readonly worldOf: (viewer: Viewer) => ViewerWorld;
  readonly manager: () => ManagerInfo;
  readonly faults: () => FaultsAnswer;
  readonly lastEventId?: string | undefined;
}

const recheckMs = 10_000;
const patienceMs = 30_000;
const snapshotLog = 200;

export class StreamSession {
  readonly #options: StreamSessionOptions;
  #cursor = 0;
  #rights = "";
  #sentManager = "";
  #world: ViewerWorld | undefined;
  #behind = false;
  #over = false;
  #wake: () => void = () => {};

  constructor(options: StreamSessionOptions) {
    this.#options = options;
    options.sink.onReady(() => {
      this.#behind = false;
      this.#wake();
    });
    options.sink.onClosed(() => this.stop());
  }

  /** Resolves when the stream is over. */
  async run(): Promise<void> {
    const { ring, sink } = this.#options;
    const unsubscribe = ring.subscribe(() => this.#wake());
    try {
      await this.#begin();
      await this.#follow();
      this.#finish();
    } catch (error) {
      const blocked = this.#behind;
      this.#writeEnd(asFailure(error));
      if (blocked) sink.destroy();
      else this.#finish();
    } finally {
      this.#over = true;
      unsubscribe();
    }
  }

  stop(): void {
    this.#over = true;
    this.#wake();
  }

  /** The reader has a limited time for the rest. */
  #finish(): void {
    const { sink, clock } = this.#options;
    const timer = clock.after(patienceMs, () => sink.destroy());
    sink.onClosed(() => timer.cancel());
    sink.end();
  }

  async #begin(): Promise<void> {
    const world = await this.#checkRights();
    const [id = "", rights] = (this.#options.lastEventId ?? "").split(".");
    const number = rights === this.#rights ? this.#options.opaqueIds.decrypt(id) : undefined;
    if (number === undefined || this.#options.ring.since(number) === undefined) return await this.#snapshot(world);
    this.#cursor = number;
    await this.#writeManager();
    this.#heartbeat();
  }

  async #follow(): Promise<void> {
    const { clock } = this.#options;
    let checkedMs = clock.monotonicMs();
    let writtenMs = checkedMs;
    let behindSinceMs = checkedMs;
    while (!this.#over) {
      const nowMs = clock.monotonicMs();
      if (!this.#behind) behindSinceMs = nowMs;
      if (nowMs - behindSinceMs >= patienceMs) throw tooSlow();
      if (nowMs - checkedMs >= recheckMs) {
        await this.#recheck();
        if (!this.#behind) await this.#writeManager();
        checkedMs = clock.monotonicMs();
      }
      if (!this.#behind && (await this.#catchUp())) writtenMs = clock.monotonicMs();
      else if (!this.#behind && nowMs - writtenMs >= heartbeatMs) {
        if (!(await this.#writeManager())) this.#heartbeat();
        writtenMs = nowMs;
      }
      if (this.#over || (!this.#behind && this.#cursor < this.#options.ring.last)) continue;
      const spentMs = clock.monotonicMs();
      await this.#sleep(
        Math.min(
          checkedMs + recheckMs - spentMs,
          this.#behind ? behindSinceMs + patienceMs - spentMs : writtenMs + heartbeatMs - spentMs,
        ),
      );
    }
  }

  async #checkRights(): Promise<ViewerWorld> {
    const world = this.#options.worldOf(await this.#options.viewer());
    this.#rights = await requireSomeRight(world);
    this.#world = world;
    return world;
  }

  /** When the rights have changed, the reader gets a new snapshot. */
  async #recheck(): Promise<void> {
    const before = this.#rights;
    const world = await this.#checkRights();
    if (before !== this.#rights) await this.#snapshot(world);
  }

  async #snapshot(world: ViewerWorld): Promise<void> {
    // What changes while the snapshot is made is sent again after it.
    this.#cursor = this.#options.ring.last;
    const { objects, hiddenKinds } = await world.objects();
    const { entries, more } = await world.log({ limit: snapshotLog });
    this.#write({
      type: "snapshot",
      id: this.#id(),
      objects,
      hiddenKinds,
      manager: await this.#manager(world),
      faults: this.#options.faults(),
      log: entries,
      olderLog: more,
    });
  }

  /** True when something was sent. */
  async #catchUp(): Promise<boolean> {
    const changes = this.#options.ring.since(this.#cursor);
    if (changes === undefined) throw tooSlow();
    let sent = false;
    for (const numbered of latestOfEach(changes)) {
      if (this.#over || this.#behind) return sent;
      const message = await this.#messageOf(numbered);
      this.#cursor = numbered.number;
      if (message === undefined) continue;
      this.#write(message);
      sent = true;
    }
    return sent;
  }

  async #messageOf({ number, change }: NumberedChange): Promise<StreamMessage | undefined> {
    const id = this.#id(number);
    if (change.type === "faults") return { type: "faults", id, faults: this.#options.faults() };
    const world = this.#world;
    if (world === undefined) return undefined;
    if (change.type === "manager") return { type: "manager", id, manager: await this.#manager(world) };
    if (change.type === "log") {
      const entry = await world.logLine(change.record);
      return entry === undefined ? undefined : { type: "plan-log", id, entry };
    }
    const { kind, ref } = change;
    if (!(await world.maySee(kind, ref))) return undefined;
    const object = await world.summary(kind, ref);
    return object === undefined ? { type: "gone", id, object: objectId(kind, ref) } : { type: "object", id, object };
  }

  /**
   * Sends the state of the manager when it differs from the last one sent: not every change of it is in the ring, such as a lease that
   * cannot be reached. True when something was sent.
   */
  async #writeManager(): Promise<boolean> {
    const before = this.#sentManager;
    if (this.#world === undefined) return false;
    const manager = await this.#manager(this.#world);
    if (before === this.#sentManager) return false;
    this.#write({ type: "manager", id: this.#id(), manager });
    return true;
  }

  async #manager(world: ViewerWorld): Promise<ManagerInfo> {
    const manager = await world.ofManager(this.#options.manager());
    this.#sentManager = JSON.stringify(manager);
    return manager;
  }

  #heartbeat(): void {
    this.#write({ type: "heartbeat", id: this.#id(), time: new Date(this.#options.clock.nowMs()).toISOString() });
  }

  #writeEnd(failure: ApiFailure): void {
    if (!this.#behind) this.#write({ type: "end", id: this.#id(), error: failure.answer });
  }

  #id(number = this.#cursor): string {
    return `${this.#options.opaqueIds.encrypt(number)}.${this.#rights}`;
  }

  #write(message: StreamMessage): void {
    if (!this.#over) this.#behind = !this.#options.sink.write(streamText(message));
  }

  async #sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = this.#options.clock.after(Math.max(0, ms), resolve);
      this.#wake = () => {
        timer.cancel();
        resolve();
      };
    });
    this.#wake = () => {};
  }
}

/** Of many changes of one object only the last one counts; the order of the rest stays. */
function latestOfEach(changes: readonly NumberedChange[]): readonly NumberedChange[] {
  const last = new Map<string, number>();
  const keyOf = ({ number, change }: NumberedChange): string =>
    change.type === "object"
      ? `${resourceName(change.kind)}/${formatRef(change.ref)}`
      : change.type === "log"
        ? `log ${number}`
        : change.type;
  for (const numbered of changes) last.set(keyOf(numbered), numbered.number);
  return changes.filter((numbered) => last.get(keyOf(numbered)) === numbered.number);
}

function tooSlow(): ApiFailure {
  return new ApiFailure("too-slow", "the stream was not read fast enough", "Open it again; it goes on where it was.");
}
