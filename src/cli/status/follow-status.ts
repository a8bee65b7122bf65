// What status shows, kept up to date by watches until it is interrupted. Broken watches come back by themselves; while the server
// is away it says once that what they see is old, and once that it no longer is.

import { refOf, resourceName } from "../../apis/kube/kube-object.ts";
import { Informer } from "../../engine/informer/informer.ts";
import { silentLog } from "../../engine/report/silent-log.ts";
import type { Timer } from "../../ports/clock.ts";
import type { ShownKind } from "../../ports/insight.ts";
import type { KubeReader } from "../../ports/kube.ts";
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

export async function followStatus(
  kube: KubeReader,
  shown: readonly ShownKind[],
  ports: CliPorts,
  show: (found: Status) => void,
): Promise<void> {
  const { clock, random, interrupted } = ports;
  const followed = shown.map((one): Followed => {
    return { shown: one, informer: new Informer({ kube, clock, random, log: silentLog, kind: one.kind, timings }) };
  });
  const tellStale = staleness(followed, ports);
  let timer: Timer | undefined;
  const readAgain = (): void => {
    timer = undefined;
    tellStale();
    if (followed.every(({ informer }) => informer.hasSettled())) show(statusOf(followed.map(readBy)));
  };
  const gather = (): void => {
    timer ??= clock.after(gatherMs, readAgain);
  };
  for (const { informer } of followed) {
    informer.addHandler(gather);
    informer.onStateChange(gather);
    informer.start();
  }
  await ended(interrupted);
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
function staleness(followed: readonly Followed[], { clock, terminal }: CliPorts): () => void {
  let stale = false;
  return () => {
    const away = followed.find(({ informer }) => informer.state === "unreachable");
    if (stale === (away !== undefined)) return;
    stale = away !== undefined;
    const nowIso = new Date(clock.nowMs()).toISOString().slice(0, 19);
    terminal.err(
      away === undefined
        ? `note: the API server answers again since ${nowIso}Z; what is shown is up to date`
        : `note: the API server does not answer since ${nowIso}Z, so that what is shown may be old; trying again (${why(away)})`,
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
