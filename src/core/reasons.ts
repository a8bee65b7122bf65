// The closed table of reasons. A reason is one word that stands in a condition, an event, a log line and a
// metric, and names the page under docs/operations/ that says what to do. Nothing outside this table is a reason.

/**
 * What the engine does with a key after this reason stopped it:
 * - `backoff`: try again by itself, later and later (the outside world may heal)
 * - `wait`: not a failure; look again after a set time or when something changes
 * - `on-change`: trying again is useless until somebody changes an object
 */
export type RetryClass = "backoff" | "wait" | "on-change";

/** `info` is news, `warning` wants a look, `error` keeps something from working. */
export type Severity = "info" | "warning" | "error";

export interface ReasonFacts {
  readonly retry: RetryClass;
  readonly severity: Severity;
  /** One sentence for people, shown in the reference and by `mainstay explain`. */
  readonly summary: string;
}

const table = {
  // The Kubernetes API, as the driver reports it.
  ObjectNotFound: reason("backoff", "warning", "The API server has no such object."),
  KindNotServed: reason("wait", "warning", "The API server does not serve this kind; its CRD is absent or changed version."),
  WriteConflict: reason("backoff", "info", "Somebody else changed the object between our read and our write."),
  ObjectAlreadyExists: reason("backoff", "info", "An object of this name exists already."),
  PermissionDenied: reason("backoff", "error", "The API server forbids this to us; a role or a binding is missing."),
  NotAuthenticated: reason("backoff", "error", "The API server does not accept our credentials."),
  ObjectInvalid: reason("on-change", "error", "The API server refuses the object as invalid."),
  RequestRejected: reason("on-change", "error", "The API server refuses the request as malformed or unsupported."),
  ResourceVersionExpired: reason("backoff", "info", "The history from this resource version is gone; a fresh list is needed."),
  ApiRateLimited: reason("backoff", "warning", "The API server asks us to slow down."),
  ApiTimeout: reason("backoff", "warning", "The API server did not answer in time; the request may or may not have had its effect."),
  ApiUnreachable: reason("backoff", "error", "No connection to the API server."),
  ApiServerError: reason("backoff", "warning", "The API server answered with an error of its own."),
  // The engine.
  LeadershipLost: reason("backoff", "warning", "This manager no longer leads, so it writes nothing."),
  ReconcileDeadlineExceeded: reason("backoff", "error", "Reconciling this key took longer than it may."),
  InvariantViolated: reason("on-change", "error", "A promise inside Mainstay was broken; the key is isolated until its objects change."),
  UnexpectedError: reason("backoff", "error", "Something failed that Mainstay has no word for."),
  DryRun: reason("on-change", "info", "The guard dry-run is on: the change is shown and not made."),
  DeletesForbidden: reason("on-change", "warning", "The guard no-deletes is on: a removal was planned and not made."),
  TooManyRemovals: reason("on-change", "error", "More removals were planned at once than the guard max-removals allows."),
  ConfigurationInvalid: reason("on-change", "error", "The configuration has problems; all of them are listed."),
  // Topology.
} as const satisfies Record<string, ReasonFacts>;

export type Reason = keyof typeof table;

export const reasons: Readonly<Record<Reason, ReasonFacts>> = table;

export function isReason(word: string): word is Reason {
  return Object.hasOwn(table, word);
}

/** The runbook page of a reason, relative to the repository. */
export function runbookPage(name: Reason): string {
  return `docs/operations/${name}.md`;
}

function reason(retry: RetryClass, severity: Severity, summary: string): ReasonFacts {
  return { retry, severity, summary };
}
