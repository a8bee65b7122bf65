// What was done, as the reason of an Event: named after the change, in the past tense (`LoadBalancerCreated`). A job declares one for each kind of
// action. Why it was done is the action's cause, which the Event's message says; what went wrong has a reason with a page (reasons.ts).

import type { Action } from "./plan.ts";
import { isWord, type Word } from "./reasons.ts";

type Done =
  | "Added"
  | "Attached"
  | "Created"
  | "Deleted"
  | "HandedOff"
  | "Held"
  | "Published"
  | "Recorded"
  | "Released"
  | "Removed"
  | "Renamed"
  | "Set"
  | "Started"
  | "Tagged"
  | "Updated";

export type ChangeReason = `${string}${Done}`;

/** Of a kind that is several changes: by cause. */
interface ByCause extends Readonly<Partial<Record<Word, ChangeReason>>> {
  readonly otherwise: ChangeReason;
}

/** One for each kind of action; a forgotten kind does not compile. */
export type ChangeReasons<A extends Action = Action> = { readonly [K in A["kind"]]: ChangeReason | ByCause };

const declared = new Set<string>();

/** Jobs may share a word, such as FinalizerAdded. None of them is a reason or a cause, too: one word has one meaning. */
export function declareChanges<const T extends ChangeReasons>(table: T): T {
  for (const word of changeWords(table)) {
    if (isWord(word)) throw new Error(`${word} is declared as a reason or a cause, too`);
    declared.add(word);
  }
  return table;
}

export function changeWords(table: ChangeReasons): readonly ChangeReason[] {
  return Object.values(table).flatMap((entry): readonly ChangeReason[] =>
    typeof entry === "string" ? [entry] : Object.values<ChangeReason>({ ...entry }),
  );
}

/** Of every job that is loaded. */
export function allChangeReasons(): readonly string[] {
  return [...declared].toSorted();
}

export function isChangeReason(text: string): text is ChangeReason {
  return declared.has(text);
}

export function changeReason(table: ChangeReasons, { kind, because }: Action): ChangeReason {
  const entry = table[kind];
  if (entry === undefined) throw new Error(`no Event's reason is declared for the action ${kind}`);
  return typeof entry === "string" ? entry : (entry[because] ?? entry.otherwise);
}
