// mainstay topology derive: from a declaration to a manifest on screen, in a file, or in a cluster.

import type { Problem } from "../../../apis/text/problem.ts";
import type { CliPorts } from "../../../cli/cli-ports.ts";
import { withConnection } from "../../../cli/connection-options.ts";
import { exitCodes } from "../../../cli/exit-codes.ts";
import { InvalidInput, notUnderstood } from "../../../cli/invalid-input.ts";
import type { OutputFormat } from "../../../cli/output-option.ts";
import { printAs, toYaml } from "../../../cli/print.ts";
import { withProgress } from "../../../cli/progress.ts";
import { MainstayError } from "../../../core/errors.ts";
import { applyTopology } from "./apply-topology.ts";
import { describeIntent } from "./describe-intent.ts";
import { manifestFor, mergeIntoManifest } from "./manifest.ts";
import { type Intent, readSource } from "./read-source.ts";
import { chooseSource, type Source, type SourceFlags } from "./source-options.ts";

export interface DeriveFlags extends SourceFlags {
  readonly output: OutputFormat;
  readonly into?: string;
  readonly apply?: boolean;
  readonly targetKubeconfig?: string;
}

export async function derive(file: string | undefined, flags: DeriveFlags, ports: CliPorts): Promise<number> {
  const source = checkFlags(file, flags);
  const intent = await readSource(source, flags, ports);
  for (const note of intent.notes) ports.terminal.err(`note: ${note}`);
  if (flags.into !== undefined) await writeInto(flags.into, intent, ports);
  else if (flags.apply === true) await apply(intent, flags, ports);
  else printAs(flags.output, manifestFor(intent.declaration), () => describeIntent(intent), ports.terminal);
  return exitCodes.ok;
}

function checkFlags(file: string | undefined, flags: DeriveFlags): Source {
  const problems: Problem[] = [];
  const source = chooseSource(file, flags);
  if (source === undefined) {
    problems.push({
      where: "source",
      message: "none is named",
      hint: "Give FILE, --control-plane and --workers, --live, or --profile.",
    });
  }
  if (flags.into !== undefined && flags.apply === true) {
    problems.push({ where: "--into, --apply", message: "both are set", hint: "Keep one of them." });
  }
  if (flags.into !== undefined && flags.output !== "text") {
    problems.push({ where: "--into, -o", message: "both are set", hint: "Keep one of them." });
  }
  if (flags.targetKubeconfig !== undefined && flags.apply !== true) {
    problems.push({ where: "--target-kubeconfig", message: "it means nothing without --apply", hint: "Add --apply." });
  }
  if (source === undefined || problems.length > 0) throw new InvalidInput(notUnderstood, problems);
  return source;
}

async function writeInto(path: string, intent: Intent, { files, terminal }: CliPorts): Promise<void> {
  if (!(await files.exists(path))) {
    await files.writeText(path, toYaml(manifestFor(intent.declaration)));
    terminal.out(`${path}: written`);
    return;
  }
  const before = await files.readText(path);
  const { text, replaced } = mergeIntoManifest(before, path, intent.declaration);
  if (text !== before) await files.writeText(path, text);
  terminal.out(
    text === before
      ? `${path}: says so already`
      : `${path}: merged${replaced.length > 0 ? ` (${replaced.join("; ")})` : ""}`,
  );
}

async function apply(intent: Intent, flags: DeriveFlags, ports: CliPorts): Promise<void> {
  const { targetKubeconfig, output } = flags;
  if (intent.declaration.source === "cluster-api" && targetKubeconfig === undefined) {
    throw new MainstayError({
      reason: "InputInvalid",
      message: `--apply: ${intent.from} may describe another cluster than the one they are kept in`,
      hint: "Name the cluster they describe with --target-kubeconfig; for a self-managed cluster, the same file.",
    });
  }
  const target = targetKubeconfig === undefined ? flags : { kubeconfig: targetKubeconfig };
  const { object, steps } = await withConnection(ports, target, ({ kube }) =>
    withProgress("applying the topology", ports, applyTopology(kube, intent.declaration)),
  );
  const text = () => [
    describeIntent(intent),
    "",
    ...(steps.length === 0 ? ["Infrastructure/cluster says so already."] : steps.map((step) => `- ${step}`)),
  ];
  printAs(output, object, () => text().join("\n"), ports.terminal);
}
