// Reasons and causes: the words that conditions, Events, log lines and metrics have in common. A reason is something that a person may
// have to act on, so it has a page under docs/operations/. A cause only says why something is done or waited for. Both are closed
// tables: what all jobs share stands here, a job's own words in its core/reasons.ts.

/**
 * What the engine does with a key after this reason stopped it:
 * - `backoff`: try again by itself, later and later (the outside world may heal)
 * - `wait`: not a failure; observe again after a set time or when something changes
 * - `on-change`: trying again is useless until somebody changes an object, so it is tried by itself only after minutes
 */
export type RetryClass = "backoff" | "wait" | "on-change";

/** `info` is news, `warning` wants attention, `error` keeps something from working. */
export type Severity = "info" | "warning" | "error";

/** Who does something about it next: Mainstay now, Mainstay later and by itself, or the person who reads it. */
export type WhoActs = "mainstay" | "later" | "you";

export interface ReasonFacts {
  readonly retry: RetryClass;
  readonly severity: Severity;
  readonly whoActs: WhoActs;
  /** One sentence for people, shown in the reference and by `mainstay explain`. */
  readonly summary: string;
  /** It says how things are: where it stands among a plan's refusals, no change was wanted and refused. */
  readonly notice?: true;
}

export interface CauseFacts {
  /** One sentence for people. */
  readonly summary: string;
  readonly whoActs: WhoActs;
}

export type ReasonTable = Readonly<Record<string, ReasonFacts>>;
export type CauseTable = Readonly<Record<string, CauseFacts>>;

/** `whoActs` is said where the other two do not tell: what goes on by itself is waited for, and what does not is a person's. */
export function reason(
  retry: RetryClass,
  severity: Severity,
  summary: string,
  whoActs: WhoActs = retry === "on-change" || severity === "error" ? "you" : "later",
): ReasonFacts {
  return { retry, severity, whoActs, summary };
}

export function notice(retry: RetryClass, severity: Severity, summary: string, whoActs?: WhoActs): ReasonFacts {
  return { ...reason(retry, severity, summary, whoActs), notice: true };
}

export function cause(summary: string, whoActs: CauseFacts["whoActs"] = "mainstay"): CauseFacts {
  return { summary, whoActs };
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
  ObjectNotFound: reason("backoff", "warning", "The object does not exist in the Kubernetes API."),
  KindNotServed: reason("wait", "warning", "The API server does not serve this kind in the version that Mainstay needs; its CRD is missing or has another version."),
  WriteConflict: reason("backoff", "info", "Another client changed the object between Mainstay's read and its write."),
  ObjectAlreadyExists: reason("backoff", "info", "An object with this name exists already."),
  PermissionDenied: reason("backoff", "error", "The API server forbids this request; Mainstay's service account lacks a role or a binding."),
  NotAuthenticated: reason("backoff", "error", "The API server rejects Mainstay's credentials."),
  ObjectInvalid: reason("on-change", "error", "The API server rejects the object as invalid."),
  RequestRejected: reason("on-change", "error", "The API server rejects the request as malformed or unsupported."),
  ResourceVersionExpired: reason("backoff", "info", "The API server no longer keeps this resource version; Mainstay lists the objects again."),
  ApiRateLimited: reason("backoff", "warning", "The API server rejects requests because it receives too many."),
  ApiTimeout: reason("backoff", "warning", "The API server did not answer in time; a write may or may not have taken effect."),
  ApiUnreachable: reason("backoff", "error", "Mainstay cannot connect to the API server.", "later"),
  ApiServerError: reason("backoff", "warning", "The API server answered with an internal error."),
  // OpenStack, as the driver reports it.
  OpenStackObjectNotFound: reason("backoff", "warning", "The object does not exist in the cloud, or the project cannot see it."),
  OpenStackConflict: reason("backoff", "info", "The cloud is still busy with this object, or the object exists already."),
  OpenStackObjectChanged: reason("backoff", "info", "Somebody changed the object in the cloud after Mainstay read it; Mainstay leaves it as it is and reads it again."),
  OpenStackRequestRejected: reason("backoff", "error", "The cloud rejects the request as invalid."),
  OpenStackNotAuthenticated: reason("backoff", "error", "Keystone rejects the credentials, or they are not scoped to a project."),
  OpenStackForbidden: reason("backoff", "error", "The cloud's policy forbids this request to the user in the credentials."),
  OpenStackQuotaExceeded: reason("backoff", "error", "A quota of the project is exhausted."),
  OpenStackUnsupported: reason("backoff", "warning", "The provider does not support this feature."),
  OpenStackRateLimited: reason("backoff", "warning", "The cloud rejects requests because it receives too many."),
  OpenStackTimeout: reason("backoff", "warning", "The cloud did not answer in time; a change may or may not have taken effect."),
  OpenStackUnreachable: reason("backoff", "error", "The cloud does not answer: Mainstay cannot connect to it.", "later"),
  OpenStackServerError: reason("backoff", "warning", "The cloud answered with an internal error."),
  OpenStackServiceMissing: reason("backoff", "error", "The cloud's catalogue has no endpoint for this service in this region and interface."),
  // The engine.
  LeadershipLost: reason("backoff", "warning", "This controller manager lost its lease, so it writes nothing."),
  ReconcileDeadlineExceeded: reason("backoff", "error", "Mainstay took too long to handle this object; it stopped and tries again later.", "later"),
  InvariantViolated: reason("on-change", "error", "Mainstay found a contradiction in its own state, which is a bug; it does nothing for this object until its objects change."),
  StepRepeated: reason("wait", "warning", "Mainstay made the same change several times and it did not last, so it makes it again only every few minutes.", "you"),
  StatusOverwritten: reason("wait", "warning", "Another client keeps overwriting status that Mainstay writes, so it writes it again only every few minutes.", "you"),
  PartHealthChanged: notice("on-change", "info", "A part of the object, such as a zone, changed its health; the message says how it was and how it is."),
  UnexpectedError: reason("backoff", "error", "An error occurred for which Mainstay has no specific reason.", "later"),
  DryRun: reason("on-change", "info", "The guard dry-run is on: Mainstay shows the change and does not make it."),
  DeletesForbidden: reason("on-change", "warning", "The guard no-deletes is on: Mainstay planned a removal and did not make it."),
  TooManyRemovals: reason("on-change", "error", "Mainstay planned more removals at once than the guard max-removals allows, and made none of them."),
  ConfigurationInvalid: reason("on-change", "error", "The configuration has errors; the message lists all of them."),
  // Programs of the machine that a gateway's agent runs on.
  ProgramMissing: reason("backoff", "error", "A program that Mainstay runs on this machine is not installed."),
  ProgramFailed: reason("backoff", "error", "A program that Mainstay runs on this machine failed; the message quotes it."),
  // The command line.
  InputInvalid: reason("on-change", "error", "The input of the command has errors; the message lists all of them."),
});

export const sharedCauses = declareCauses({
  AsExpected: cause("Everything is as expected."),
  ChangeUnderWay: cause(
    "A change was sent and has not been answered yet; Mainstay goes on with everything that may happen beside it.",
    "later",
  ),
  AnswerAwaited: cause(
    "Mainstay asked for something and has not been answered yet; it goes on with everything that does not need it.",
    "later",
  ),
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
  return { retry: "wait", severity: "info", ...known };
}

/** The command that prints a reason's runbook page: it works wherever Mainstay is installed. Undefined for a cause, which has no page. */
export function runbookCommand(word: Word): string | undefined {
  return isReason(word) ? `mainstay runbook ${word}` : undefined;
}
