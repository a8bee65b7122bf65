// One question to a cloud about many objects at rest, in place of one about each. It is asked when the first of them needs an answer, about
// that one and those with the oldest answers, and never about objects of another group: a group has one project and one set of credentials.
// Whoever is no longer at rest leaves, and comes back without an answer. A question that fails answers nobody: each then asks for itself.

import { MainstayError } from "../../../../core/errors.ts";

export interface SharedQuestion<Subject, Answer> {
  /** Of the object. */
  readonly key: string;
  /** Who may be asked about with it. */
  readonly group: string;
  readonly subject: Subject;
  readonly nowMs: number;
  /** Resolves to the answer about each of them. */
  readonly ask: (subjects: readonly Subject[]) => Promise<(subject: Subject) => Answer>;
}

export interface SharedAnswer<Answer> {
  readonly value: Answer;
  readonly askedMs: number;
}

interface Member<Subject, Answer> {
  readonly key: string;
  readonly group: string;
  readonly subject: Subject;
  neededMs: number;
  asking?: Promise<void> | undefined;
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
    const { nowMs } = question;
    const member = this.#join(question);
    if (!this.#isFresh(member, nowMs)) await (member.asking ?? this.#ask(member, question));
    return this.#isFresh(member, nowMs) ? member.answer : undefined;
  }

  /** It is not at rest, or gone: what was asked about it, or is being asked, is not for it any more. */
  leave(key: string): void {
    this.#members.delete(key);
  }

  #join({ key, group, subject, nowMs }: SharedQuestion<Subject, Answer>): Member<Subject, Answer> {
    const known = this.#members.get(key);
    const isSame = known?.group === group && JSON.stringify(known.subject) === JSON.stringify(subject);
    const member = isSame ? known : { key, group, subject, neededMs: nowMs };
    member.neededMs = nowMs;
    this.#members.set(key, member);
    return member;
  }

  #isFresh({ answer }: Member<Subject, Answer>, nowMs: number): boolean {
    return answer !== undefined && nowMs - answer.askedMs < this.#lifetimeMs;
  }

  async #ask(
    first: Member<Subject, Answer>,
    { nowMs, ask }: Pick<SharedQuestion<Subject, Answer>, "nowMs" | "ask">,
  ): Promise<void> {
    const members = [first, ...this.#othersBeside(first, nowMs)].slice(0, this.#most);
    const asking = this.#answered(members, nowMs, ask);
    for (const member of members) member.asking = asking;
    await asking;
  }

  /** Those whose answers are the oldest come first. Whoever needed none for long has ended without a word. */
  #othersBeside(first: Member<Subject, Answer>, nowMs: number): readonly Member<Subject, Answer>[] {
    for (const { key, neededMs } of this.#members.values())
      if (nowMs - neededMs > 2 * this.#lifetimeMs) this.leave(key);
    return [...this.#members.values()]
      .filter((other) => other !== first && other.group === first.group && other.asking === undefined)
      .toSorted((a, b) => ageOrder(a) - ageOrder(b));
  }

  async #answered(
    members: readonly Member<Subject, Answer>[],
    askedMs: number,
    ask: SharedQuestion<Subject, Answer>["ask"],
  ): Promise<void> {
    try {
      const about = await ask(members.map(({ subject }) => subject));
      for (const member of members) member.answer = { value: about(member.subject), askedMs };
    } catch (error) {
      if (!(error instanceof MainstayError)) throw error;
      // Whoever needs an answer asks for itself, and says then what is wrong.
      for (const member of members) if (this.#members.get(member.key) === member) this.leave(member.key);
    } finally {
      for (const member of members) member.asking = undefined;
    }
  }
}

function ageOrder({ answer }: Member<unknown, unknown>): number {
  return answer?.askedMs ?? 0;
}
