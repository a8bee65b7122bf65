// Remembers across crashes what the gateway carries. A journal that cannot be written holds nothing up: the gateway goes on with what
// its controller says, tells people, and writes everything anew as soon as the disk takes it.

import type { Journal } from "../../../../ports/journal.ts";
import type { Log } from "../../../../ports/log.ts";
import type { Carried } from "../carried.ts";
import { carriesLine, endLine, intendsLine, type JournalContent, readJournal } from "./journal-records.ts";

export class CarriedJournal {
  readonly #journal: Journal;
  readonly #log: Log;
  /** What the lines on the disk say is carried; undefined also when they cannot be gone on with. */
  #written: Carried | undefined;
  #isBroken = true;
  #intended: Carried | undefined;
  #problem: string | undefined;
  /** Characters in the first line, and in those after it. */
  #size = { first: 0, rest: 0 };

  constructor(journal: Journal, log: Log) {
    this.#journal = journal;
    this.#log = log;
  }

  /** For people; undefined while all is well. */
  get problem(): string | undefined {
    return this.#problem;
  }

  async read(): Promise<JournalContent> {
    try {
      const content = readJournal(await this.#journal.read());
      if (content.damage !== undefined) this.#tell("the journal is damaged", content.damage);
      return content;
    } catch (error) {
      const damage = wordsOf(error);
      this.#tell("the journal cannot be read", damage);
      return { damage };
    }
  }

  async intend(carried: Carried | undefined, next: Carried): Promise<void> {
    this.#intended = next;
    const isNew = this.#isBroken || this.#written !== carried;
    await this.#write(() =>
      isNew
        ? this.#replace([...(carried === undefined ? [] : [carriesLine(carried)]), intendsLine(carried, next)])
        : this.#append(intendsLine(carried, next)),
    );
    if (!this.#isBroken) this.#written = carried;
  }

  async end(kind: "done" | "undone", carried: Carried | undefined): Promise<void> {
    const isLong = this.#size.rest > Math.max(this.#size.first, shortJournal);
    const mayAppend = !this.#isBroken && this.#intended !== undefined && !isLong;
    this.#intended = undefined;
    await this.#write(() =>
      mayAppend ? this.#append(endLine(kind)) : this.#replace(carried === undefined ? [] : [carriesLine(carried)]),
    );
    this.#written = carried;
  }

  async #append(line: string): Promise<void> {
    await this.#journal.append(line);
    this.#size = { ...this.#size, rest: this.#size.rest + line.length };
  }

  async #replace(lines: readonly string[]): Promise<void> {
    await this.#journal.replace(lines);
    const [first = "", ...rest] = lines;
    this.#size = { first: first.length, rest: rest.reduce((sum, { length }) => sum + length, 0) };
  }

  async #write(act: () => Promise<void>): Promise<void> {
    try {
      await act();
      this.#isBroken = false;
      if (this.#problem !== undefined) this.#log.info("the journal is written again");
      this.#problem = undefined;
    } catch (error) {
      this.#isBroken = true;
      this.#tell("the journal cannot be written", wordsOf(error));
    }
  }

  /** Once for each problem. */
  #tell(message: string, error: string): void {
    const problem = `${message}: ${error}`;
    if (this.#problem !== problem) this.#log.error(message, { error });
    this.#problem = problem;
  }
}

const shortJournal = 256 * 1_024;

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
