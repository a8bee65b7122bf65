// The Kube port over any transport: which request each operation is, and how its answer is read. Raw JSON in and out.

import {
  formatRef,
  type Kind,
  type KubeObject,
  type ObjectRef,
  refOf,
  resourceName,
} from "../../apis/kube/kube-object.ts";
import { present } from "../../core/present.ts";
import type { Clock } from "../../ports/clock.ts";
import type { DeleteOptions, Kube, Patch, RawCall } from "../../ports/kube.ts";
import type { KubeTransport } from "../../ports/kube-transport.ts";
import type { Log } from "../../ports/log.ts";
import { type Call, type Channel, performCall, type RequestObservation } from "./call.ts";
import { decodeAnswer, decodeDeleted, decodeList, decodeObject } from "./decode.ts";
import type { Subject } from "./errors.ts";
import { type RateLimit, rateLimiter } from "./rate-limiter.ts";
import {
  collectionPath,
  createPath,
  listQuery,
  objectPath,
  watchQuery,
  withQuery,
  writeQuery,
} from "./request-path.ts";
import { warningListener } from "./server-warnings.ts";
import { watchStream } from "./watch-stream.ts";

export interface KubeClientOptions {
  readonly transport: KubeTransport;
  readonly clock: Clock;
  /** Gets the API server's warnings. */
  readonly log?: Log;
  /** Limits how fast calls are sent; watches count once, when they open. Absent: no limit. */
  readonly rateLimit?: RateLimit;
  /** Deadline of a call that names none. */
  readonly deadlineMs?: number;
  readonly fieldManager?: string;
  readonly userAgent?: string;
  /** Receives every request that was tried, for metrics. */
  readonly onRequest?: (observation: RequestObservation) => void;
}

const patchContentTypes: Readonly<Record<Patch["type"], string>> = {
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  json: "application/json-patch+json",
};

// JSON is valid YAML, and every server version accepts this content type.
const applyContentType = "application/apply-patch+yaml";

export function kubeClient(options: KubeClientOptions): Kube {
  const { transport, clock, rateLimit, fieldManager = "mainstay" } = options;
  const channel: Channel = {
    transport,
    clock,
    limiter: rateLimit === undefined ? undefined : rateLimiter(clock, rateLimit),
    userAgent: options.userAgent ?? "mainstay",
    deadlineMs: options.deadlineMs ?? 30_000,
    onRequest: options.onRequest ?? (() => {}),
    onWarnings: warningListener(options.log),
  };
  return {
    async get(kind, ref, call = {}) {
      const request = { ...about("get", kind, ref), method: "GET", path: objectPath(kind, ref) };
      return decodeObject(request, await performCall(channel, request, call));
    },

    async list(kind, query = {}, call = {}) {
      const path = withQuery(collectionPath(kind, query.namespace), listQuery(query));
      const request = { ...aboutMany("list", kind, query.namespace), method: "GET", path };
      return decodeList(kind, request, await performCall(channel, request, call));
    },

    watch(kind, query, call) {
      const path = withQuery(collectionPath(kind, query.namespace), watchQuery(query));
      return watchStream(channel, { ...aboutMany("watch", kind, query.namespace), method: "GET", path }, call);
    },

    async create(kind, object, write = {}) {
      const ref = refOf(object);
      const target = write.subresource === undefined ? createPath(kind, ref) : objectPath(kind, ref, write.subresource);
      const path = withQuery(target, writeQuery(write, fieldManager));
      const request = { ...about("create", kind, nameForPeople(object)), method: "POST", path, body: object };
      return decodeObject(request, await performCall(channel, request, write));
    },

    async apply<T extends KubeObject>(kind: Kind<T>, object: KubeObject, write: Parameters<Kube["apply"]>[2]) {
      const query = { ...writeQuery(write, fieldManager), force: write.force === true ? true : undefined };
      const path = withQuery(objectPath(kind, refOf(object), write.subresource), query);
      const request: Call = {
        ...about("apply", kind, refOf(object)),
        method: "PATCH",
        path,
        body: object,
        contentType: applyContentType,
      };
      return decodeObject<T>(request, await performCall(channel, request, write));
    },

    async patch(kind, ref, patch, write = {}) {
      const path = withQuery(objectPath(kind, ref, write.subresource), writeQuery(write, fieldManager));
      const contentType = patchContentTypes[patch.type];
      const request = { ...about("patch", kind, ref), method: "PATCH", path, body: patch.body, contentType };
      return decodeObject(request, await performCall(channel, request, write));
    },

    async delete(kind, ref, options = {}) {
      const path = objectPath(kind, ref);
      const request = { ...about("delete", kind, ref), method: "DELETE", path, body: deleteBody(options) };
      return decodeDeleted(request, await performCall(channel, request, options));
    },

    async request(call) {
      const request = rawCall(call);
      return decodeAnswer(request, await performCall(channel, request, call));
    },
  };
}

function about(verb: string, kind: Kind, ref: ObjectRef): Subject {
  return { verb, resource: resourceName(kind), name: formatRef(ref) };
}

/** Of an object with `generateName`, the prefix and a star. */
function nameForPeople({ metadata }: KubeObject): ObjectRef {
  const name: string | undefined = metadata.name;
  const shown = name ?? `${metadata.generateName ?? ""}*`;
  return metadata.namespace === undefined ? { name: shown } : { name: shown, namespace: metadata.namespace };
}

function aboutMany(verb: string, kind: Kind, namespace: string | undefined): Subject {
  const subject = { verb, resource: resourceName(kind) };
  return namespace === undefined ? subject : { ...subject, name: `in ${namespace}` };
}

/** Everything in the body: with a body the server reads no options from the query. */
function deleteBody(options: DeleteOptions): unknown {
  const { uid, resourceVersion } = options;
  const guarded = uid !== undefined || resourceVersion !== undefined;
  return {
    apiVersion: "v1",
    kind: "DeleteOptions",
    preconditions: guarded ? { uid, resourceVersion } : undefined,
    propagationPolicy: options.propagation,
    gracePeriodSeconds: options.gracePeriodSeconds,
    dryRun: options.dryRun === true ? ["All"] : undefined,
  };
}

function rawCall(call: RawCall): Call {
  const { method, fieldManager, dryRun, body, contentType } = call;
  const path = withQuery(call.path, { fieldManager, dryRun: dryRun === true ? "All" : undefined });
  return {
    verb: method,
    resource: "raw",
    name: call.path.split("?", 1)[0] ?? call.path,
    method,
    path,
    accept: "application/json, */*",
    ...present({ body, contentType }),
  };
}
