// Rules for texts: links lead somewhere, what a page names exists, runbook pages answer the same five questions, what people read names
// the command that prints a page, nothing names a
// private place.

import { posix } from "node:path";

export const runbookHeadings: readonly string[] = [
  "What it means",
  "Impact",
  "How to see it",
  "What to do",
  "When it is safe to ignore",
];

export function runbookProblems(reason: string, text: string): readonly string[] {
  const problems: string[] = [];
  if (!text.startsWith(`# ${reason}\n`))
    problems.push(`docs/operations/${reason}.md: does not open with "# ${reason}"`);
  const found = [...prose(text).matchAll(/^## (.+)$/gm)].map((match) => match[1]);
  if (found.join("|") !== runbookHeadings.join("|")) {
    problems.push(
      `docs/operations/${reason}.md: its headings are ${found.join(", ")}; wanted ${runbookHeadings.join(", ")}`,
    );
  }
  const empty = text
    .split(/^## /m)
    .slice(1)
    .filter((part) => part.split("\n").slice(1).join("").trim().length < 20);
  return [...problems, ...empty.map((part) => `docs/operations/${reason}.md: nothing under "${part.split("\n")[0]}"`)];
}

/** Texts of the program that name a page as a file: whoever installed the package reads it with `mainstay runbook`. */
export function pagesNamedAsFiles(path: string, source: string): readonly string[] {
  const named = source.match(/(?<!\/)docs\/operations\/[^\s"'`]*\.md/g) ?? [];
  return named.map((page) => `${path}: names ${page}; write "mainstay runbook <reason>"`);
}

/** Links that stay in the repository and lead nowhere. `read` answers undefined for a file that is not there. */
export function brokenLinks(path: string, text: string, read: (path: string) => string | undefined): readonly string[] {
  const broken: string[] = [];
  for (const link of links(text)) {
    if (/^[a-z][a-z0-9+.-]*:/i.test(link)) continue;
    const [file = "", anchor] = decodeURIComponent(link).split("#");
    const target = file === "" ? path : posix.join(posix.dirname(path), file);
    const there = read(target);
    if (there === undefined) broken.push(`${path}: ${link} leads nowhere`);
    else if (anchor !== undefined && target.endsWith(".md") && !anchors(there).has(anchor))
      broken.push(`${path}: ${link} has no such heading`);
  }
  return broken;
}

export function links(text: string): readonly string[] {
  const inline = [...prose(text).matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g)];
  const references = [...prose(text).matchAll(/^\[[^\]]+\]:\s*<?(\S+?)>?\s*$/gm)];
  return [...inline, ...references].flatMap((match) => match[1] ?? []);
}

export interface Named {
  /** Metric → its labels. */
  readonly metrics: ReadonlyMap<string, readonly string[]>;
  readonly makeTargets: ReadonlySet<string>;
  readonly npmScripts: ReadonlySet<string>;
  /** Files and folders of the repository. */
  readonly paths: ReadonlySet<string>;
}

/** Metrics, make targets, npm scripts and files that a page's code names and that do not exist. */
export function unknownNames(path: string, text: string, known: Named): readonly string[] {
  const code = codeIn(text);
  const wrong: string[] = [];
  for (const [, metric = "", labels = ""] of code.matchAll(/\b(mainstay_[a-z_]+)(\{[^}]*\})?/g)) {
    const there = known.metrics.get(metric);
    if (there === undefined) wrong.push(metric);
    const used = [...labels.matchAll(/(\w+)=/g)].flatMap((match) => match[1] ?? []);
    for (const label of used) if (there?.includes(label) === false) wrong.push(`${metric}{${label}}`);
  }
  const words = (pattern: RegExp, among: ReadonlySet<string>) =>
    [...code.matchAll(pattern)].filter(([, name = ""]) => !among.has(name)).map(([whole]) => whole.trim());
  wrong.push(...words(/^(?:[A-Z]+=\S* )*make ([a-z][a-z-]*)/gm, known.makeTargets));
  wrong.push(...words(/\bnpm run (?:--silent )?([a-z]+)/g, known.npmScripts));
  // A place holder or a pattern, such as <job> or *, ends a name that cannot be looked up.
  const place = /(?<![\w./-])((?:deploy|docs|lab|scripts|src|test|bench)\/[\w./-]*[\w])\/?(?![\w<*…-])/g;
  wrong.push(...words(place, known.paths));
  return [...new Set(wrong)].map((name) => `${path}: there is no ${name}`);
}

/** Fenced blocks and code spans, a line each. */
function codeIn(text: string): string {
  const blocks = [...text.matchAll(/^(```+|~~~+)[^\n]*\n([\s\S]*?)^\1[^\S\n]*$/gm)].map((match) => match[2] ?? "");
  const spans = [...text.replace(/^(```+|~~~+)[\s\S]*?^\1[^\S\n]*$/gm, "").matchAll(/`([^`\n]+)`/g)];
  return [...blocks, ...spans.map((match) => match[1] ?? "")].join("\n");
}

/** The text without code, where brackets mean something else. */
function prose(text: string): string {
  return text
    .replace(/^(```+|~~~+)[^\n]*\n[\s\S]*?^\1[^\S\n]*$/gm, "")
    .replace(/`[^`\n]*`/g, (code) => "`".repeat(code.length));
}

function anchors(text: string): ReadonlySet<string> {
  const fenceless = text.replace(/^(```+|~~~+)[^\n]*\n[\s\S]*?^\1[^\S\n]*$/gm, "");
  const headings = [...fenceless.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)].map((match) => match[1] ?? "");
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replace(/\s/g, "-"),
    ),
  );
}

// Spelled in pieces, so that this file does not name what it forbids.
const registries = ["npmjs.", "yarnpkg.", "pypi.", "pythonhosted.", "proxy.golang.", "sum.golang."].map(
  (name) => new RegExp(`\\b${name.replaceAll(".", "\\.")}(org|com)\\b`),
);
const homes = ["home/[a-z_][\\w-]*", "root\\b(?!\\.)", "Users/[A-Za-z]"].map(
  (folder) => new RegExp(`(?<![\\w.$~{}<>*-])/${folder}`),
);

/** Hosts of package registries and home folders: places of one machine or one network, not of the product. */
export function privatePlaces(path: string, text: string): readonly string[] {
  const named = (patterns: readonly RegExp[]) => patterns.flatMap((pattern) => pattern.exec(text)?.[0] ?? []);
  return [
    ...named(registries).map((host) => `${path}: names the registry ${host}`),
    ...named(homes).map((home) => `${path}: names the home folder ${home}`),
  ];
}
