// What people type after `npm run sim --`, and what an Indexed Job tells its pods. Wrong input ends in sentences that name it, all of them at
// once; nothing is guessed.

import type { DrawnFault } from "../faults/fault.ts";
import { parseFaults } from "../faults/fault-text.ts";
import { indexedPart, type SeedRange } from "./seed-range.ts";

export const simUsage = `usage:
  npm run sim -- --seeds 10000 [--from 1] [--workers 2]   many seeds, and what they came to
  npm run sim -- --seed 8412 [--until 311]                one seed, with the last 80 lines of its trace
               [--lines 200 | --full]                     with more of them, or all
               [--faults 'partition@3200-9000,…' | none]  with these faults instead of the seed's own
As a pod of an Indexed Job (JOB_COMPLETION_INDEX, SIM_PARTS) it takes its part of the seeds.`;

export type SimCommand =
  | { readonly does: "help" }
  | { readonly does: "refuse"; readonly problems: readonly string[] }
  | { readonly does: "many"; readonly range: SeedRange; readonly workers: number | undefined }
  | {
      readonly does: "one";
      readonly seed: number;
      readonly until: number | undefined;
      readonly lines: number;
      /** Undefined: the seed's own. */
      readonly faults: readonly DrawnFault[] | undefined;
    };

const numbers = ["seed", "seeds", "from", "workers", "until", "lines"] as const;
type NumberName = (typeof numbers)[number];
const known: readonly string[] = [...numbers, "faults"];
const onlyFor: Readonly<Record<string, "--seed" | "--seeds">> = {
  until: "--seed",
  lines: "--seed",
  full: "--seed",
  faults: "--seed",
  from: "--seeds",
  workers: "--seeds",
};
const defaultLines = 80;

export function parseSimArguments(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): SimCommand {
  const { values, problems } = readWords(words);
  if (values.has("help")) return { does: "help" };
  const asked = Object.fromEntries(numbers.map((name) => [name, wholeNumber(values.get(name))])) as Numbers;
  for (const name of numbers)
    if (values.has(name) && asked[name] === undefined)
      problems.push(`--${name} takes a whole number above 0, not ${JSON.stringify(values.get(name))}.`);
  const [one, many] = [values.has("seed"), values.has("seeds")];
  if (problems.length === 0 && one === many)
    problems.push(one ? "--seed and --seeds exclude each other." : "Either --seed or --seeds is needed.");
  for (const name of one === many ? [] : values.keys())
    if (onlyFor[name] !== undefined && onlyFor[name] !== (one ? "--seed" : "--seeds"))
      problems.push(`--${name} goes with ${onlyFor[name]} only.`);
  if (values.has("lines") && values.has("full")) problems.push("--lines and --full exclude each other.");
  const faults = values.has("faults") ? parseFaults(values.get("faults") ?? "") : undefined;
  if (values.has("faults") && faults === undefined)
    problems.push(
      `--faults ${JSON.stringify(values.get("faults"))} names no faults: it is "none" or such as partition@3200-9000.`,
    );
  if (problems.length > 0) return { does: "refuse", problems };
  const lines = values.has("full") ? Number.POSITIVE_INFINITY : (asked.lines ?? defaultLines);
  if (asked.seed !== undefined) return { does: "one", seed: asked.seed, until: asked.until, lines, faults };
  return manyIn({ from: asked.from ?? 1, count: asked.seeds ?? 0 }, asked.workers, environment);
}

type Numbers = Readonly<Record<NumberName, number | undefined>>;

function manyIn(
  whole: SeedRange,
  workers: number | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): SimCommand {
  const isPart = environment["JOB_COMPLETION_INDEX"] !== undefined || environment["SIM_PARTS"] !== undefined;
  const range = isPart ? indexedPart(whole, environment) : whole;
  const problem = "JOB_COMPLETION_INDEX must be a whole number below SIM_PARTS, and both must be set.";
  return range === undefined ? { does: "refuse", problems: [problem] } : { does: "many", range, workers };
}

/** A flag takes the word behind it along, unless that is a flag, too. */
function readWords(words: readonly string[]) {
  const values = new Map<string, string>();
  const problems: string[] = [];
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? "";
    const [, name, inline] = /^--([a-z-]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === undefined) {
      problems.push(`${JSON.stringify(word)} is one word too many.`);
      continue;
    }
    const bare = name === "help" || name === "full";
    const behind = bare || words[i + 1]?.startsWith("--") === true ? undefined : words[i + 1];
    if (inline === undefined && behind !== undefined) i += 1;
    const value = bare ? "" : (inline ?? behind);
    if (values.has(name)) problems.push(`--${name} is given twice.`);
    else if (!bare && !known.includes(name)) problems.push(`--${name} is not known.`);
    else if (value === undefined) problems.push(`--${name} lacks its value.`);
    else values.set(name, value);
  }
  return { values, problems };
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
