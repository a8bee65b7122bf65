// The stream over HTTP: one change ring for all readers, one session for each.

import type { FastifyInstance } from "fastify";
import { type Kind, type ObjectRef, refOf, resourceName } from "../../apis/kube/kube-object.ts";
import type { Insight } from "../../ports/insight.ts";
import type { Viewer } from "../access/access.ts";
import { ApiFailure } from "../api-failure.ts";
import { apiRoot, type ManagerInfo } from "../contract.ts";
import { faultsAnswer } from "../read-api/fault-routes.ts";
import type { ReadApiOptions } from "../read-api/read-api.ts";
import type { RecentStates } from "../read-api/recent-states.ts";
import { requireSomeRight, ViewerWorld } from "../read-api/viewer-world.ts";
import { ChangeRing } from "./change-ring.ts";
import { replySink } from "./reply-sink.ts";
import { StreamSession } from "./stream-session.ts";

export function addStream(
  app: FastifyInstance,
  options: ReadApiOptions & { readonly manager: () => ManagerInfo; readonly recent: RecentStates },
): void {
  const { insight, access, clock, opaqueIds, faults, manager, maxStreams = 200, maxStreamsPerViewer = 20 } = options;
  const ring = new ChangeRing();
  /** With the name of the viewer. */
  const sessions = new Map<StreamSession, string>();
  const ends = [follow(insight, ring), faults?.subscribe(() => ring.push({ type: "faults" }))];
  app.addHook("preClose", async () => {
    for (const end of ends) end?.();
    for (const session of sessions.keys()) session.stop();
  });
  app.get(`${apiRoot}/stream`, async (request, reply) => {
    const { authorization, "last-event-id": lastEventId } = request.headers;
    // Checked before the stream begins, so that a refusal is an HTTP status.
    const { name } = await viewerWithRights(options, authorization);
    const theirs = [...sessions.values()].filter((owner) => owner === name).length;
    if (sessions.size >= maxStreams || theirs >= maxStreamsPerViewer)
      throw new ApiFailure("too-many-streams", "too many streams are open", "Close some, or try again later.");
    reply.hijack();
    const session = new StreamSession({
      ring,
      opaqueIds,
      clock,
      sink: replySink(reply),
      viewer: () => access.viewerOf(authorization),
      worldOf: (viewer) => new ViewerWorld(options, viewer),
      manager,
      faults: () => faultsAnswer(faults),
      lastEventId: typeof lastEventId === "string" ? lastEventId : undefined,
    });
    sessions.set(session, name);
    await session.run().finally(() => sessions.delete(session));
  });
}

async function viewerWithRights(options: ReadApiOptions, authorization: string | undefined): Promise<Viewer> {
  const viewer = await options.access.viewerOf(authorization);
  await requireSomeRight(new ViewerWorld(options, viewer));
  return viewer;
}

/** When a report changes, the object it reports on has changed, too. */
function follow(insight: Insight, ring: ChangeRing): () => void {
  const push = (kind: Kind, ref: ObjectRef): void => {
    const shown = insight.shown.find((one) => resourceName(one.kind) === resourceName(kind));
    if (shown === undefined) return;
    ring.push({ type: "object", kind, ref });
    if (shown.reportOf !== undefined) ring.push({ type: "object", kind: shown.reportOf, ref });
  };
  return insight.subscribe((change) => {
    if (change.type === "object") push(change.kind, change.ref);
    else if (change.type === "log") ring.push({ type: "log", record: change.record });
    else ring.push({ type: "manager" });
    if (change.type !== "all") return;
    for (const { kind } of insight.shown)
      for (const object of insight.objectsOf(kind)) ring.push({ type: "object", kind, ref: refOf(object) });
  });
}
