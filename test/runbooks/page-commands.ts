// The commands that runbook pages give: the lines of their blocks, and code in a sentence that is a command. A comment behind a command
// may say that it prints nothing when nothing is wrong.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const repository = join(import.meta.dirname, "..", "..");

export interface PageCommand {
  /** As it stands in the page, without its comment. */
  readonly text: string;
  /** Its first word. */
  readonly program: string;
  readonly mayPrintNothing: boolean;
  /** In a sentence, not in a block: it may change something, or only name a command. */
  readonly inSentence: boolean;
  readonly pages: readonly string[];
}

const pageFolder = join(repository, "docs", "operations");
const inSentences = /`((?:kubectl|mainstay|openstack) [^`\n]+)`/g;

/** Each command once, with all pages that give it. */
export function allPageCommands(): readonly PageCommand[] {
  const found = new Map<string, PageCommand>();
  for (const file of readdirSync(pageFolder).toSorted()) {
    const page = file.replace(/\.md$/, "");
    for (const command of commandsOf(readFileSync(join(pageFolder, file), "utf8"))) {
      const pages = [...(found.get(command.text)?.pages ?? []), page];
      found.set(command.text, { ...command, pages });
    }
  }
  return [...found.values()];
}

/** Of one page, in its order. */
export function commandsOf(markdown: string): readonly Omit<PageCommand, "pages">[] {
  const fences = /^```sh\n([\s\S]*?)^```$/gm;
  const lines = [...markdown.matchAll(fences)].flatMap(([, block = ""]) => block.split("\n")).filter(Boolean);
  const sentences = [...markdown.replace(/^```[\s\S]*?^```$/gm, "").matchAll(inSentences)];
  return [...lines.map((line) => command(line, false)), ...sentences.map(([, text = ""]) => command(text, true))];
}

function command(line: string, inSentence: boolean): Omit<PageCommand, "pages"> {
  const [text = "", comment = ""] = line.split(/\s+#\s/);
  const [program = ""] = text.split(" ");
  return { text, program, mayPrintNothing: /\bprints nothing\b/.test(comment), inSentence };
}

/** `kubectl delete --cascade=orphan` in a sentence names a command and is none that could be run: it has no object. */
export function isOnlyNamed({ text, inSentence }: PageCommand, runnable: RegExp): boolean {
  return inSentence && !runnable.test(text);
}
