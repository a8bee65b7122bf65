// One question to a cloud about many objects at rest, in place of one about each. It is asked when the first of them needs an answer, about
// that one and those with the oldest answers, and never about objects of another group: a group has one project and one set of credentials.
// Whoever is no longer at rest leaves, and comes back without an answer. A question that fails answers nobody: each then leaves and asks for
// itself, also when it fails long after anybody waited for it.

import type { MonotonicMs } from "../../../../core/clock-times.ts";
import { MainstayError } from "../../../../core/errors.ts";

export interface SharedQuestion<Subject, Answer> {
  /** Of the object. */
  readonly key: string;
  /** Who may be asked about with it. */
  readonly group: string;
  readonly subject: Subject;
  readonly monotonicMs: MonotonicMs;
  /** Resolves to the answer about each of them. */
  readonly ask: (subjects: readonly Subject[]) => Promise<(subject: Subject) => Answer>;
}

export interface SharedAnswer<Answer> {
  readonly value: Answer;
  readonly askedMs: MonotonicMs;
}

interface Member<Subject, Answer> {
  readonly key: string;
  readonly group: string;
  readonly subject: Subject;
  neededMs: MonotonicMs;
  asking?: Promise<void> | undefined;
  /** What was asked about it failed: nobody asks again before it has left to ask for itself. */
  hasFailed?: boolean;
  answer?: SharedAnswer<Answer>;
}

export interface SharedAnswersOptions {
  /** An answer is taken until it is as old as this. */
  readonly lifetimeMs: number;
  /** Objects in one question: all of them are in its address, which a server takes to a few thousand letters. */
  readonly most: number;
}

export class SharedAnswers<Subject, Answer> {
  readonly #members = new Map<string, Member<Subject, Answer>>();
  readonly #lifetimeMs: number;
  readonly #most: number;

  constructor({ lifetimeMs, most }: SharedAnswersOptions) {
    this.#lifetimeMs = lifetimeMs;
    this.#most = most;
  }

  /** Undefined: nobody could tell. */
  async get(question: SharedQuestion<Subject, Answer>): Promise<SharedAnswer<Answer> | undefined> {
    const { monotonicMs } = question;
    const member = this.#join(question);
    if (member.hasFailed) return undefined;
    if (!this.#isFresh(member, monotonicMs)) await (member.asking ?? this.#ask(member, question));
    return this.#isFresh(member, monotonicMs) ? member.answer : undefined;
  }

  /** It is not at rest, or gone: what was asked about it, or is being asked, is not for it any more. */
  leave(key: string): void {
    this.#members.delete(key);
  }

  #join({ key, group, subject, monotonicMs }: SharedQuestion<Subject, Answer>): Member<Subject, Answer> {
    const known = this.#members.get(key);
    const isSame = known?.group === group && JSON.stringify(known.subject) === JSON.stringify(subject);
    const member = isSame ? known : { key, group, subject, neededMs: monotonicMs };
    member.neededMs = monotonicMs;
    this.#members.set(key, member);
    return member;
  }

  #isFresh({ answer }: Member<Subject, Answer>, monotonicMs: MonotonicMs): boolean {
    return answer !== undefined && monotonicMs - answer.askedMs < this.#lifetimeMs;
  }

  async #ask(
    first: Member<Subject, Answer>,
    { monotonicMs, ask }: Pick<SharedQuestion<Subject, Answer>, "monotonicMs" | "ask">,
  ): Promise<void> {
    const members = [first, ...this.#othersBeside(first, monotonicMs)].slice(0, this.#most);
    const asking = this.#answered(members, monotonicMs, ask);
    for (const member of members) member.asking = asking;
    await asking;
  }

  /** Those whose answers are the oldest come first. Whoever needed none for long has ended without a word. */
  #othersBeside(first: Member<Subject, Answer>, monotonicMs: MonotonicMs): readonly Member<Subject, Answer>[] {
    for (const { key, neededMs } of this.#members.values())
      if (monotonicMs - neededMs > 2 * this.#lifetimeMs) this.leave(key);
    const isAlike = ({ group, asking, hasFailed }: Member<Subject, Answer>) =>
      group === first.group && asking === undefined && !hasFailed;
    return [...this.#members.values()]
      .filter((other) => other !== first && isAlike(other))
      .toSorted((a, b) => ageOrder(a) - ageOrder(b));
  }

  async #answered(
    members: readonly Member<Subject, Answer>[],
    askedMs: MonotonicMs,
    ask: SharedQuestion<Subject, Answer>["ask"],
  ): Promise<void> {
    try {
      const about = await ask(members.map(({ subject }) => subject));
      for (const member of members) member.answer = { value: about(member.subject), askedMs };
    } catch (error) {
      if (!(error instanceof MainstayError)) throw error;
      // Whoever needs an answer asks for itself, and says then what is wrong: also who did not wait to the end.
      for (const member of members) {
        member.hasFailed = true;
        delete member.answer;
      }
    } finally {
      for (const member of members) member.asking = undefined;
    }
  }
}

function ageOrder({ answer }: Member<unknown, unknown>): number {
  return answer?.askedMs ?? 0;
}
