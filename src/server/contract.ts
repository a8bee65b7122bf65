// The contract of the read API: routes, answers, stream messages, errors. Pure: the dashboard and the command line import it. The
// types about objects are in core/views/object-view.ts.
//
// The stream is `text/event-stream`, read by a streamed fetch so that the token stays in a header. A reader that lost its
// connection sends the last `id:` it saw as `Last-Event-ID`. It then gets what it missed, or a new `snapshot` when that is gone.

import type { ObjectDetail, ObjectId, ObjectSummary, PlanLogEntry } from "../core/views/object-view.ts";

export const apiRoot = "/api/v1";

/** Paths to ask. Those that change something exist in the demonstration only. */
export const routes = {
  session: `${apiRoot}/session`,
  objects: `${apiRoot}/objects`,
  object: (id: Pick<ObjectId, "resource" | "namespace" | "name">): string =>
    [`${apiRoot}/objects`, id.resource, ...(id.namespace === undefined ? [] : [id.namespace]), id.name]
      .map((part, index) => (index === 0 ? part : encodeURIComponent(part)))
      .join("/"),
  /** The object itself, without what only the API server needs. */
  yaml: (id: Pick<ObjectId, "resource" | "namespace" | "name">): string =>
    routes.object(id).replace(`${apiRoot}/objects/`, `${apiRoot}/yaml/`),
  /** `?limit=` (100, at most 1000) and `?before=<id>` page backwards; `?resource=&namespace=&name=` ask for one object. */
  planLog: `${apiRoot}/plan-log`,
  manager: `${apiRoot}/manager`,
  faults: `${apiRoot}/faults`,
  /** POST with `StartFault` starts it, DELETE stops it. */
  fault: (id: string): string => `${apiRoot}/faults/${encodeURIComponent(id)}`,
  stream: `${apiRoot}/stream`,
  /** Every reason there is. Needs no token, and neither does a reason's page: they are the manual. */
  runbooks: `${apiRoot}/runbooks`,
  runbook: (reason: string): string => `${apiRoot}/runbooks/${encodeURIComponent(reason)}`,
} as const;

/** Without a token: whether one is needed. With one: whose it is. */
export interface Session {
  readonly tokenNeeded: boolean;
  readonly user?: string;
  readonly demo: boolean;
  readonly version: string;
}

export interface ObjectsAnswer {
  readonly objects: readonly ObjectSummary[];
  /** Kinds of which the viewer may not see some or all objects: `infrastructures.config.openshift.io`. */
  readonly hiddenKinds: readonly string[];
}

export type ObjectAnswer = ObjectDetail;

export interface YamlAnswer {
  readonly yaml: string;
}

export interface PlanLogAnswer {
  /** Newest first. */
  readonly entries: readonly PlanLogEntry[];
  /** There are older ones: ask again with `?before=` the last id. */
  readonly more: boolean;
}

export interface ManagerInfo {
  readonly identity: string;
  readonly version: string;
  readonly demo: boolean;
  /** A standby plans nothing: its objects are live, its plans and its log are empty or of its former terms. */
  readonly leading: boolean;
  /** The number of its term; absent on a standby. */
  readonly term?: number;
  /** Who leads, as far as this manager knows. */
  readonly leader?: string;
  /** It can read everything it needs. While it cannot, what is shown is old and health is unknown. */
  readonly ready: boolean;
  /** ISO 8601: until when it was ready, while it is not. Absent while it is, or when it never was. */
  readonly sawAllUntil?: string;
  /** What is missing, one line each; optional things are marked. */
  readonly missing: readonly string[];
  readonly startedAt: string;
  readonly controllers: readonly ControllerInfo[];
  /** All managers that compete here; the demonstration knows them, a cluster's dashboard does not. */
  readonly replicas: readonly ReplicaInfo[];
}

export interface ControllerInfo {
  readonly name: string;
  /** The kind whose objects are its keys. */
  readonly resource: string;
}

export interface ReplicaInfo {
  readonly identity: string;
  readonly state: "leading" | "standby" | "stopped";
}

export interface Fault {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** What to watch while it lasts. */
  readonly watch: string;
  readonly parameters: readonly FaultParameter[];
  /** Absent: not active. */
  readonly active?: ActiveFault;
}

export interface FaultParameter {
  readonly name: string;
  readonly title: string;
  readonly unit?: string;
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

export interface ActiveFault {
  readonly startedAt: string;
  /** It heals by itself then. */
  readonly endsAt: string;
  readonly parameters: Readonly<Record<string, number>>;
  /** What it has done so far, in words. */
  readonly says: string;
}

export interface StartFault {
  /** Those not named have their default. */
  readonly parameters?: Readonly<Record<string, number>>;
}

export interface FaultsAnswer {
  /** False in a cluster, where nothing can be changed. */
  readonly enabled: boolean;
  readonly faults: readonly Fault[];
}

export interface RunbookTitle {
  readonly reason: string;
  readonly summary: string;
  readonly severity: "info" | "warning" | "error";
  /** The job that gives it; absent where any job may. */
  readonly job?: string;
}

/** By name. */
export interface RunbooksAnswer {
  readonly runbooks: readonly RunbookTitle[];
}

export interface RunbookAnswer extends RunbookTitle {
  readonly markdown: string;
}

/** `id` is opaque: the last one received is where to resume. It does not show what changed beside this viewer's messages. */
export type StreamMessage =
  | {
      readonly type: "snapshot";
      readonly id: string;
      readonly objects: readonly ObjectSummary[];
      readonly hiddenKinds: readonly string[];
      readonly manager: ManagerInfo;
      readonly faults: FaultsAnswer;
      /** The newest entries, newest first. */
      readonly log: readonly PlanLogEntry[];
      /** There are older ones. */
      readonly olderLog: boolean;
    }
  | { readonly type: "object"; readonly id: string; readonly object: ObjectSummary }
  /** Deleted, or no longer visible to this viewer. */
  | { readonly type: "gone"; readonly id: string; readonly object: ObjectId }
  | { readonly type: "plan-log"; readonly id: string; readonly entry: PlanLogEntry }
  | { readonly type: "manager"; readonly id: string; readonly manager: ManagerInfo }
  | { readonly type: "faults"; readonly id: string; readonly faults: FaultsAnswer }
  | { readonly type: "heartbeat"; readonly id: string; readonly time: string }
  /** The last message of a stream that the server ends: why, and whether it is worth trying again. */
  | { readonly type: "end"; readonly id: string; readonly error: ApiError };

/** Silence for two and a half of these: the stream is stale. */
export const heartbeatMs = 10_000;

export type ApiErrorCode =
  | "unauthenticated"
  | "forbidden"
  | "not-found"
  | "bad-request"
  | "foreign-origin"
  | "wrong-host"
  | "read-only"
  | "too-slow"
  | "too-many-streams"
  | "unavailable"
  | "internal";

export interface ApiError {
  readonly code: ApiErrorCode;
  readonly message: string;
  readonly hint?: string;
}

/** Every answer with a status of 400 and above. */
export interface ErrorAnswer {
  readonly error: ApiError;
}

/** One object in one word, for keys of maps and lists: `infrastructures.config.openshift.io/cluster`. */
export function objectKey({ resource, namespace, name }: Pick<ObjectId, "resource" | "namespace" | "name">): string {
  return namespace === undefined ? `${resource}/${name}` : `${resource}/${namespace}/${name}`;
}

/** Cuts a stream's text into messages; what is left over begins the next piece. Comments and unknown fields are passed over. */
export function splitStream(text: string): { readonly messages: readonly StreamMessage[]; readonly rest: string } {
  const blocks = text.split("\n\n");
  const rest = blocks.pop() ?? "";
  const messages = blocks.flatMap((block) => {
    const data = block
      .split("\n")
      .filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(line.startsWith("data: ") ? 6 : 5))
      .join("\n");
    return data === "" ? [] : [JSON.parse(data) as StreamMessage];
  });
  return { messages, rest };
}

/** A message as it stands in the stream. */
export function streamText(message: StreamMessage): string {
  return `id: ${message.id}\nevent: ${message.type}\ndata: ${JSON.stringify(message)}\n\n`;
}
