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

// biome-ignore format: a table reads best as a table
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
  AsExpected: reason("on-change", "info", "Nothing to say: this is how it should be."),
  InputInvalid: reason("on-change", "error", "What was given to the command has problems; all of them are listed."),
  ForeignDefinition: reason("on-change", "warning", "A definition of this name exists and does not bear our mark; it is left alone."),
  TopologyEmpty: reason("backoff", "info", "A topology field is empty and is filled from what was declared."),
  TopologyUndeclared: reason("on-change", "info", "A topology field is empty and nothing was declared; consumers read HighlyAvailable."),
  TopologyPublished: reason("on-change", "info", "Both topology fields hold a value."),
  TopologyAlreadySet: reason("on-change", "warning", "A topology field was set before to another value than the declared one; it is left alone."),
  TopologyEdited: reason("on-change", "warning", "Somebody changed a topology field after it was published; it is not reverted."),
  TopologyDrift: reason("on-change", "warning", "The published topology does not fit what the cluster looks like; it is not changed."),
  TopologyImmutable: reason("on-change", "warning", "Another topology was requested, but the feature gate MutableTopology is off."),
  TopologyUnknownValue: reason("on-change", "warning", "A topology field holds a value that this version does not know; it is neither copied nor changed."),
  TopologyFieldsUnsupported: reason("on-change", "error", "The cluster's definition of Infrastructure has no topology fields, so they cannot be published."),
  TopologySourceInvalid: reason("on-change", "error", "The declaration the topology is derived from cannot be understood."),
  TopologyReportMissing: reason("backoff", "info", "The TopologyReport of the cluster does not exist yet."),
  TopologyReportOrphaned: reason("backoff", "info", "A TopologyReport outlived the Infrastructure object it speaks of."),
  TransitionRequested: reason("backoff", "info", "Another topology was requested, and nothing stands in its way."),
  TransitionComplete: reason("on-change", "info", "The requested topology is published."),
  TransitionUnsupported: reason("on-change", "error", "No way leads from the published topology to the requested one."),
  TransitionPreconditionFailed: reason("wait", "warning", "Another topology was requested, but the cluster is not ready for it."),
  ClusterVersionProgressing: reason("wait", "info", "An upgrade of the cluster is under way; a requested topology waits for its end."),
  ClusterVersionUnknown: reason("wait", "warning", "Whether an upgrade is under way cannot be told; a requested topology waits."),
} as const satisfies Record<string, ReasonFacts>;

export type Reason = keyof typeof table;

export const reasons: Readonly<Record<Reason, ReasonFacts>> = table;

/** The runbook page of a reason, relative to the repository. */
export function runbookPage(name: Reason): string {
  return `docs/operations/${name}.md`;
}

function reason(retry: RetryClass, severity: Severity, summary: string): ReasonFacts {
  return { retry, severity, summary };
}
