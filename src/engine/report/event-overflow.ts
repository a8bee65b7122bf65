// Events of an object beyond its rate limit. None is lost: those with the same reason and action become one Event, which says how many
// they are and lists the first of them. One such Event is written for each object and interval, so that a flood stays bounded.

import type { Clock } from "../../ports/clock.ts";
import { fitsNote, type ReportedEvent } from "./event-object.ts";

export interface EventOverflowOptions {
  readonly clock: Clock;
  readonly intervalMs: number;
  readonly write: (event: ReportedEvent) => void;
  /** Groups of all objects together; beyond this an Event is dropped. */
  readonly maxGroups: number;
}

interface Group {
  readonly first: ReportedEvent;
  /** The first few, each once. */
  readonly texts: Set<string>;
  count: number;
}

/** More never fit into a note. */
const maxTexts = 20;

export class EventOverflow {
  readonly #options: EventOverflowOptions;
  /** By object, then by what the Events have in common, oldest first. */
  readonly #objects = new Map<string, Map<string, Group>>();
  #groups = 0;

  constructor(options: EventOverflowOptions) {
    this.#options = options;
  }

  /** False when there is no room for it. */
  add(object: string, event: ReportedEvent): boolean {
    const groups = this.#objects.get(object) ?? this.#begin(object);
    const { reason, eventType, text } = event.explanation;
    const key = JSON.stringify([reason, eventType, event.action]);
    const group = groups.get(key) ?? this.#newGroup(groups, key, event);
    if (group === undefined) return false;
    group.count += 1;
    if (group.texts.size < maxTexts) group.texts.add(text);
    return true;
  }

  #begin(object: string): Map<string, Group> {
    const groups = new Map<string, Group>();
    this.#objects.set(object, groups);
    this.#options.clock.after(this.#options.intervalMs, () => this.#writeOldest(object, groups));
    return groups;
  }

  #newGroup(groups: Map<string, Group>, key: string, first: ReportedEvent): Group | undefined {
    if (this.#groups >= this.#options.maxGroups) return undefined;
    this.#groups += 1;
    const group = { first, texts: new Set<string>(), count: 0 };
    groups.set(key, group);
    return group;
  }

  #writeOldest(object: string, groups: Map<string, Group>): void {
    const [oldest] = groups;
    if (oldest !== undefined) {
      const [key, group] = oldest;
      groups.delete(key);
      this.#groups -= 1;
      this.#options.write(asOneEvent(group));
    }
    if (groups.size === 0) this.#objects.delete(object);
    else this.#options.clock.after(this.#options.intervalMs, () => this.#writeOldest(object, groups));
  }
}

function asOneEvent({ first, texts, count }: Group): ReportedEvent {
  if (count === 1) return first;
  // They hold for the first one alone.
  const { annotations: _, ...event } = first;
  return { ...event, explanation: { ...first.explanation, text: overflowNote(count, [...texts]) } };
}

/** As many of the texts as fit, whole; at least the first one. */
export function overflowNote(count: number, texts: readonly string[]): string {
  const note = (shown: number): string => {
    const left = count - shown;
    return `${count} at once: ${texts.slice(0, shown).join("; ")}${left === 0 ? "" : `; and ${left} more`}`;
  };
  const fitting = texts.map((_, index) => note(index + 1)).filter(fitsNote);
  return fitting.at(-1) ?? note(1);
}
