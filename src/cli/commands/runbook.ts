// mainstay runbook: what a reason means, whom it affects and what to do, from the pages that come with the program. It asks no cluster.

import { Argument, Command } from "commander";
import { nearest } from "../../apis/text/nearest.ts";
import { allChangeReasons, isChangeReason } from "../../core/change-reasons.ts";
import { allCauses, allReasons, type ReasonFacts, type Severity } from "../../core/reasons.ts";
import type { CliPorts } from "../cli-ports.ts";
import { suggest } from "../completion/completable-commands.ts";
import { addExamples } from "../help-text.ts";
import { invalid } from "../invalid-input.ts";
import { whenCalled } from "../when-called.ts";

const loadPrint = whenCalled(() => import("../print.ts"));

/** Worst first. */
const severities: Readonly<Record<Severity, string>> = {
  error: "Errors: something does not work",
  warning: "Warnings: something wants attention",
  info: "News: nothing has to be done",
};

export function runbookCommand({ files, runbookFolder, terminal, product }: CliPorts): Command {
  const reason = new Argument("[reason]", "as a condition, an Event or a log line names it; without it all are listed");
  const command = new Command("runbook")
    .summary("print what a reason means and what to do")
    .description(
      "Prints the runbook page of a reason: what it means, its impact and what to do. Without a reason it lists all.",
    )
    .addArgument(suggest(reason, () => [...allReasons().keys()].toSorted()))
    .action(async (word: string | undefined) => {
      if (word === undefined) return terminal.out(await listed([...allReasons()]));
      const known = [...allReasons().keys(), ...allCauses().keys()];
      if (!known.some((one) => isSame(one, word))) await product();
      const name = named(word, [...known, ...allChangeReasons()]);
      if (isChangeReason(name)) return terminal.out(normalEvent(name));
      const cause = allCauses().get(name);
      if (cause !== undefined)
        return terminal.out(`${name}: ${cause.summary} You do not have to do anything about it.`);
      terminal.out((await files.readText(`${runbookFolder}/${name}.md`)).trimEnd());
    });
  return addExamples(
    command,
    ["mainstay runbook", "all reasons, by severity"],
    ["mainstay runbook MembersUnhealthy", "one page; upper or lower case"],
    ["mainstay runbook MembersUnhealthy | less", "page by page"],
  );
}

/** `DnsRecordsPublished` has no page: it tells of a change that Mainstay made. */
function normalEvent(name: string): string {
  const words = name.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, " ").split(" ");
  const change = words.map((word) => acronyms.get(word) ?? (/^[A-Z]+$/.test(word) ? word : word.toLowerCase()));
  return `${name}: a normal event: ${change.join(" ")}. The Event's message says why. You do not have to do anything about it.`;
}

const acronyms: ReadonlyMap<string, string> = new Map([
  ["Dns", "DNS"],
  ["Ip", "IP"],
]);

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

function named(word: string, known: readonly string[]): string {
  const found = known.find((name) => isSame(name, word));
  if (found !== undefined) return found;
  const meant = nearest(word, known);
  const hint = meant === undefined ? "mainstay runbook lists all of them." : `Did you mean ${meant}?`;
  throw invalid("<reason>", `Mainstay has no reason "${word}"`, hint);
}

async function listed(reasons: readonly (readonly [string, ReasonFacts])[]): Promise<string> {
  const { table } = await loadPrint();
  const inOrder = reasons.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const rows = inOrder.map(([name, { summary }]) => [name, summary]);
  // One width for all groups: the eye follows one column.
  const lines = table(rows).split("\n");
  return (Object.keys(severities) as Severity[])
    .map((severity) => {
      const own = lines.filter((_line, index) => inOrder[index]?.[1].severity === severity);
      return [severities[severity], ...own.map((line) => `  ${line}`)].join("\n");
    })
    .join("\n\n");
}
