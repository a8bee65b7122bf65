// What status shows, kept up to date by watches until it is interrupted. Broken watches come back by themselves; while the server
// is away it says once that what they see is old, and once that it no longer is.

import { refOf, resourceName } from "../../apis/kube/kube-object.ts";
import { Informer } from "../../engine/informer/informer.ts";
import { silentLog } from "../../engine/report/silent-log.ts";
import type { Timer } from "../../ports/clock.ts";
import type { ShownKind } from "../../ports/insight.ts";
import type { KubeReader, Selection } from "../../ports/kube.ts";
import type { CliPorts } from "../cli-ports.ts";
import { type ReadKind, type Status, statusOf } from "./read-status.ts";

/** Changes that come together are shown together. */
const gatherMs = 100;
/** Somebody is watching: a server that is back should not stay unnoticed for long. */
const timings = { backoff: { baseMs: 100, maxMs: 5_000 }, missingBackoff: { baseMs: 1_000, maxMs: 10_000 } };

interface Followed {
  readonly shown: ShownKind;
  readonly informer: Informer;
}

export interface FollowedObjects {
  readonly kube: KubeReader;
  readonly kinds: readonly ShownKind[];
  readonly selection: Selection;
  /** Something is on the screen that may become old. */
  readonly hasShown: boolean;
}

export interface FollowPorts extends Pick<CliPorts, "clock" | "random" | "terminal"> {
  /** Absent: the process ends instead. */
  readonly end: AbortSignal | undefined;
}

export async function followStatus(
  { kube, kinds, selection, hasShown }: FollowedObjects,
  ports: FollowPorts,
  show: (found: Status) => void,
): Promise<void> {
  const { clock, random, end } = ports;
  const followed = kinds.map((one): Followed => {
    const { kind } = one;
    return { shown: one, informer: new Informer({ kube, clock, random, log: silentLog, kind, selection, timings }) };
  });
  const screen = { hasShown };
  const tellStale = staleness(followed, ports, screen);
  let timer: Timer | undefined;
  const readAgain = (): void => {
    timer = undefined;
    tellStale();
    if (!followed.every(({ informer }) => informer.hasSettled())) return;
    show(statusOf(followed.map(readBy)));
    screen.hasShown = true;
  };
  const gather = (): void => {
    timer ??= clock.after(gatherMs, readAgain);
  };
  for (const { informer } of followed) {
    informer.addHandler(gather);
    informer.onStateChange(gather);
    informer.start();
  }
  await ended(end);
  timer?.cancel();
  await Promise.all(followed.map(({ informer }) => informer.stop()));
}

function readBy({ shown, informer }: Followed): ReadKind {
  if (informer.state === "not-served" || informer.state === "forbidden") return { shown, objects: informer.state };
  const path = (object: Parameters<typeof refOf>[0]): string => {
    const { namespace = "", name } = refOf(object);
    return `${namespace}/${name}`;
  };
  return { shown, objects: informer.list().toSorted((a, b) => (path(a) < path(b) ? -1 : 1)) };
}

/** Says when the server went away and when it is back, once each. */
function staleness(
  followed: readonly Followed[],
  { clock, terminal }: FollowPorts,
  screen: { readonly hasShown: boolean },
): () => void {
  let stale = false;
  return () => {
    const away = followed.find(({ informer }) => informer.state === "unreachable");
    if (stale === (away !== undefined)) return;
    stale = away !== undefined;
    const gone = screen.hasShown ? ", so that what is shown may be old; trying again" : "; waiting for it";
    const current = screen.hasShown ? "; what is shown is up to date" : "";
    const nowIso = new Date(clock.nowMs()).toISOString().slice(0, 19);
    terminal.err(
      away === undefined
        ? `note: the API server answers again since ${nowIso}Z${current}`
        : `note: the API server does not answer since ${nowIso}Z${gone} (${why(away)})`,
    );
  };
}

/** The trouble without the name of the kind: every kind has it. */
function why({ shown, informer }: Followed): string {
  return informer.readiness().message.replace(`${resourceName(shown.kind)}: `, "");
}

function ended(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve();
    else signal?.addEventListener("abort", () => resolve(), { once: true });
  });
}
