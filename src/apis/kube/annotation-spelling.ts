// Warnings about annotations under a name of ours that nothing reads: otherwise a typo would go unnoticed. Knows no job.

import { nearest } from "../text/nearest.ts";
import type { ObjectMeta } from "./kube-object.ts";

/** Everything that begins like a name of ours, whatever domain follows. */
const oursOrNearly = /^mainstay[^/]*\//i;

export interface KnownAnnotations {
  readonly names: readonly string[];
  /** Written by programs, and read by them alone. */
  readonly internal?: readonly string[];
  /** Somebody else's, and read here: under the same domain they have more that are not. */
  readonly theirs?: readonly string[];
  /** Known elsewhere, without effect on this kind: by name, what to do instead. */
  readonly elsewhere?: Readonly<Record<string, string>>;
}

export function annotationSpellingWarnings(
  { annotations = {}, labels = {} }: ObjectMeta,
  { names, internal = [], elsewhere = {}, theirs = [] }: KnownAnnotations,
): readonly string[] {
  const isRead = (name: string) => names.includes(name) || internal.includes(name);
  return [
    ...Object.keys(annotations)
      .filter((name) => oursOrNearly.test(name) && !isRead(name))
      .map((name) => `${annotationAt(name)} ${adviceOn(name, names, elsewhere)}`),
    ...Object.keys(annotations).flatMap((name) => {
      const meant = nearestOfTheirs(name, theirs);
      return meant === undefined
        ? []
        : [`${annotationAt(name)} is not known and has no effect; did you mean ${meant}?`];
    }),
    ...Object.keys(labels)
      .filter((name) => names.includes(name))
      .map((name) => `metadata.labels[${name}] has no effect: it is read as an annotation`),
  ];
}

function adviceOn(name: string, names: readonly string[], elsewhere: Readonly<Record<string, string>>): string {
  const instead = elsewhere[name];
  if (instead !== undefined) return `has no effect here: ${instead}`;
  // What comes before the slash is the same for all, and would make them all alike.
  const meant = nearest(lastPart(name), names.map(lastPart));
  const full = names.find((known) => lastPart(known) === meant);
  const advice = full === undefined ? `known are ${names.toSorted().join(", ")}` : `did you mean ${full}?`;
  return `is not known and has no effect; ${advice}`;
}

function nearestOfTheirs(name: string, theirs: readonly string[]): string | undefined {
  if (theirs.includes(name)) return undefined;
  const domain = name.slice(0, name.indexOf("/") + 1);
  const beside = theirs.filter((one) => domain !== "" && one.startsWith(domain));
  const meant = nearest(lastPart(name), beside.map(lastPart));
  return meant === undefined ? undefined : `${domain}${meant}`;
}

function lastPart(name: string): string {
  return name.slice(name.indexOf("/") + 1);
}

export function annotationAt(name: string): string {
  return `metadata.annotations[${name}]`;
}
