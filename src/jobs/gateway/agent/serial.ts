// One thing after the other, in the order in which they were asked for.

export class Serial {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(act);
    this.#last = turn.catch(() => {});
    return turn;
  }
}
