// Where the machine counts come from, as flags: exactly one of a file, numbers, a live cluster or a profile.

import { type Command, Option } from "commander";
import { type Problem, quote } from "../../../apis/text/problem.ts";
import type { ConnectOptions } from "../../../cli/cli-ports.ts";
import { InvalidInput, notUnderstood } from "../../../cli/invalid-input.ts";
import { repeatable } from "../../../cli/repeated-options.ts";
import { parseRuleSet, type RuleSet, ruleSets } from "../core/derive.ts";

/** As commander hands them over. */
export interface SourceFlags extends ConnectOptions {
  readonly controlPlane?: string;
  readonly workers?: readonly string[];
  readonly arbiters?: string;
  readonly external?: boolean;
  readonly live?: boolean;
  readonly cluster?: string;
  readonly profile?: string;
  readonly rules: RuleSet;
}

export type Source =
  | { readonly kind: "file"; readonly path: string }
  | {
      readonly kind: "flags";
      readonly controlPlane?: string;
      readonly workers: readonly string[];
      readonly arbiters?: string;
    }
  | { readonly kind: "live"; readonly cluster?: string }
  | { readonly kind: "profile"; readonly path: string };

const group = "Source (exactly one of FILE, numbers, --live, --profile):";

export function addSourceOptions(command: Command): Command {
  const option = (flags: string, description: string) => new Option(flags, description).helpGroup(group);
  return command
    .argument("[FILE]", "install-config.yaml, or the installer's manifests/cluster-config.yaml; - reads standard input")
    .addOption(option("--control-plane <number>", "control-plane machines"))
    .addOption(repeatable(option("--workers <number>", "workers; repeat it for every pool")))
    .addOption(option("--arbiters <number>", "arbiter machines (default: 0)"))
    .addOption(
      option("--live", "replicas the cluster declares: ConfigMap kube-system/cluster-config-v1, else Cluster API"),
    )
    .addOption(option("--cluster <namespace/name>", "with --live: the Cluster API cluster that is meant"))
    .addOption(option("--profile <file>", "a ClusterProfile; - reads standard input"))
    .option("--external", "the control plane runs outside the cluster")
    .addOption(rulesOption());
}

function rulesOption(): Option {
  const what =
    "two-modes: HighlyAvailable and SingleReplica alone (also accepted as seed, its former name); current: today's, with DualReplica and HighlyAvailableArbiter";
  const option = new Option("--rules <set>", what).choices(ruleSets).default("two-modes");
  const parse = option.parseArg;
  return option.argParser((word: string) => parseRuleSet(word) ?? parse?.(word, undefined));
}

/** Undefined when no source is named at all. */
export function chooseSource(file: string | undefined, flags: SourceFlags): Source | undefined {
  const { controlPlane, workers = [], arbiters, external = false, live, cluster, profile } = flags;
  const numbers = controlPlane !== undefined || workers.length > 0 || arbiters !== undefined;
  const named = [
    file !== undefined && "FILE",
    numbers && "numbers",
    live && "--live",
    profile !== undefined && "--profile",
  ].filter((name) => typeof name === "string");
  const problems: Problem[] = [];
  if (named.length > 1)
    problems.push({ where: named.join(", "), message: "more than one source", hint: "Keep exactly one." });
  if (cluster !== undefined && !live)
    problems.push({
      where: "--cluster",
      message: `${quote(cluster)} means nothing without --live`,
      hint: "Add --live.",
    });
  if (cluster !== undefined && !/^[^/\s]+\/[^/\s]+$/.test(cluster))
    problems.push({ where: "--cluster", message: `${quote(cluster)} is not namespace/name`, hint: "Write both." });
  if (external && (live || profile !== undefined)) {
    problems.push({
      where: "--external",
      message: "a live cluster and a profile say so themselves",
      hint: "Use it with FILE or numbers.",
    });
  }
  if (problems.length > 0) throw new InvalidInput(notUnderstood, problems);
  if (file !== undefined) return { kind: "file", path: file };
  if (live) return { kind: "live", ...(cluster === undefined ? {} : { cluster }) };
  if (profile !== undefined) return { kind: "profile", path: profile };
  if (!numbers && !external) return undefined;
  return {
    kind: "flags",
    workers,
    ...(controlPlane === undefined ? {} : { controlPlane }),
    ...(arbiters === undefined ? {} : { arbiters }),
  };
}
