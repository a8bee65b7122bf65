// Rounds that are over and have left something under way: slow lanes, and questions without an answer. Their deadline, and whatever else
// ends them, holds until that has settled.

export interface RoundEnd {
  /** Ends what is under way, with this as the signal's reason. */
  readonly abort: (why: Error) => void;
  /** Nothing of the round is under way any more. */
  readonly end: () => void;
}

export class UnfinishedRounds {
  readonly #byKey = new Map<string, Set<RoundEnd>>();

  /** `left` never reject. */
  keep(key: string, round: RoundEnd, left: readonly Promise<unknown>[]): void {
    if (left.length === 0) return round.end();
    const rounds = this.#byKey.get(key) ?? new Set();
    this.#byKey.set(key, rounds.add(round));
    void Promise.all(left).then(() => {
      round.end();
      rounds.delete(round);
      if (rounds.size === 0 && this.#byKey.get(key) === rounds) this.#byKey.delete(key);
    });
  }

  abort(key: string, why: Error): void {
    for (const round of this.#byKey.get(key) ?? []) round.abort(why);
  }
}
