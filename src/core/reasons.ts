// Reasons and causes: the words that conditions, Events, log lines and metrics have in common. A reason is something that a person may
// have to act on, so it has a page under docs/operations/. A cause only says why something is done or waited for. Both are closed
// tables: what all jobs share stands here, a job's own words in its core/reasons.ts.

/**
 * What the engine does with a key after this reason stopped it:
 * - `backoff`: try again by itself, later and later (the outside world may heal)
 * - `wait`: not a failure; observe again after a set time or when something changes
 * - `on-change`: trying again is useless until somebody changes an object
 */
export type RetryClass = "backoff" | "wait" | "on-change";

/** `info` is news, `warning` wants attention, `error` keeps something from working. */
export type Severity = "info" | "warning" | "error";

export interface ReasonFacts {
  readonly retry: RetryClass;
  readonly severity: Severity;
  /** One sentence for people, shown in the reference and by `mainstay explain`. */
  readonly summary: string;
  /** It says how things are: where it stands among a plan's refusals, no change was wanted and refused. */
  readonly notice?: true;
}

export interface CauseFacts {
  /** One sentence for people. */
  readonly summary: string;
}

export type ReasonTable = Readonly<Record<string, ReasonFacts>>;
export type CauseTable = Readonly<Record<string, CauseFacts>>;

export function reason(retry: RetryClass, severity: Severity, summary: string): ReasonFacts {
  return { retry, severity, summary };
}

export function notice(retry: RetryClass, severity: Severity, summary: string): ReasonFacts {
  return { ...reason(retry, severity, summary), notice: true };
}

export function cause(summary: string): CauseFacts {
  return { summary };
}

const reasons = new Map<string, ReasonFacts>();
const causes = new Map<string, CauseFacts>();

/** Adds a table to the words that are known in this process, once. One word has one meaning, so a second one of the same name throws. */
export function declareReasons<const T extends ReasonTable>(table: T): T {
  return declare(table, reasons);
}

export function declareCauses<const T extends CauseTable>(table: T): T {
  return declare(table, causes);
}

function declare<F, T extends Readonly<Record<string, F>>>(table: T, into: Map<string, F>): T {
  for (const [name, facts] of Object.entries(table)) {
    if (reasons.has(name) || causes.has(name)) throw new Error(`${name} is declared twice as a reason or a cause`);
    into.set(name, facts);
  }
  return table;
}

// biome-ignore format: a table reads best as a table
export const sharedReasons = declareReasons({
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
  // OpenStack, as the driver reports it.
  OpenStackObjectNotFound: reason("backoff", "warning", "The cloud has no such object."),
  OpenStackConflict: reason("backoff", "info", "The cloud is still busy with this object, or it exists already."),
  OpenStackRequestRejected: reason("backoff", "error", "The cloud refuses the request as invalid."),
  OpenStackNotAuthenticated: reason("backoff", "error", "Keystone does not accept the credentials, or they carry no project."),
  OpenStackForbidden: reason("backoff", "error", "The cloud's policy forbids this to our user."),
  OpenStackQuotaExceeded: reason("backoff", "error", "A quota of the project is used up."),
  OpenStackUnsupported: reason("backoff", "warning", "The balancer's provider cannot do this."),
  OpenStackRateLimited: reason("backoff", "warning", "The cloud asks us to slow down."),
  OpenStackTimeout: reason("backoff", "warning", "The cloud did not answer in time; the change may or may not have had its effect."),
  OpenStackUnreachable: reason("backoff", "error", "No connection to the cloud."),
  OpenStackServerError: reason("backoff", "warning", "The cloud answered with an error of its own."),
  OpenStackServiceMissing: reason("backoff", "error", "The cloud's catalogue has no such service in this region."),
  // The engine.
  LeadershipLost: reason("backoff", "warning", "This manager no longer leads, so it writes nothing."),
  ReconcileDeadlineExceeded: reason("backoff", "error", "Reconciling this key took longer than it may."),
  InvariantViolated: reason("on-change", "error", "A promise inside Mainstay was broken; the key is isolated until its objects change."),
  UnexpectedError: reason("backoff", "error", "Something failed that Mainstay has no word for."),
  DryRun: reason("on-change", "info", "The guard dry-run is on: the change is shown and not made."),
  DeletesForbidden: reason("on-change", "warning", "The guard no-deletes is on: a removal was planned and not made."),
  TooManyRemovals: reason("on-change", "error", "More removals were planned at once than the guard max-removals allows."),
  ConfigurationInvalid: reason("on-change", "error", "The configuration has problems; all of them are listed."),
  // The command line.
  InputInvalid: reason("on-change", "error", "What was given to the command has problems; all of them are listed."),
});

export const sharedCauses = declareCauses({
  AsExpected: cause("Nothing to say: this is how it should be."),
});

/** The names of a job's reasons: each job adds its own, in its core/reasons.ts. */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type -- jobs fill it by declaration merging
export interface JobReasons {}
/** The same for causes. */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type -- jobs fill it by declaration merging
export interface JobCauses {}

export type Reason = keyof typeof sharedReasons | keyof JobReasons;
export type Cause = keyof typeof sharedCauses | keyof JobCauses;
/** What may stand as `reason` in a condition, an Event or a log line. */
export type Word = Reason | Cause;

/** Every reason that is declared in this process, by name. */
export function allReasons(): ReadonlyMap<string, ReasonFacts> {
  return reasons;
}

export function allCauses(): ReadonlyMap<string, CauseFacts> {
  return causes;
}

export function isReason(text: string): text is Reason {
  return reasons.has(text);
}

export function isWord(text: string): text is Word {
  return reasons.has(text) || causes.has(text);
}

/** A cause is news, and passes by itself. */
export function factsOf(word: Word): ReasonFacts {
  const found = reasons.get(word);
  if (found !== undefined) return found;
  const known = causes.get(word);
  if (known === undefined) throw new Error(`${word} is declared neither as a reason nor as a cause`);
  return { retry: "wait", severity: "info", summary: known.summary };
}

/** The runbook page of a reason, relative to the repository; undefined for a cause. */
export function runbookPage(word: Word): string | undefined {
  return isReason(word) ? `docs/operations/${word}.md` : undefined;
}
