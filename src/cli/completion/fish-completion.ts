// The completion script for fish, with what each command and flag does beside it.

import type { CompletableCommand, CompletableFlag } from "./completable-commands.ts";

export function fishCompletion(commands: readonly CompletableCommand[]): string {
  return `# Completion of mainstay for fish: ~/.config/fish/completions/mainstay.fish
function __mainstay_at --description 'Whether the command typed so far is this one'
  set -l at mainstay
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case ${commands
        .slice(1)
        .map(({ path }) => quoted(path))
        .join(" ")}
        set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
complete -c mainstay -f
${commands.flatMap(linesOf).join("\n")}`;
}

function linesOf({ path, subcommands, flags, words, takesFile }: CompletableCommand): readonly string[] {
  const here = `complete -c mainstay -n '__mainstay_at "${path}"'`;
  return [
    ...subcommands.map(({ name, summary }) => `${here} -a ${name} -d ${quoted(summary)}`),
    ...words.map((word) => `${here} -a ${word}`),
    ...(takesFile ? [`${here} -F`] : []),
    ...flags.map((flag) => `${here} ${flagWords(flag)} -d ${quoted(flag.summary)}`),
  ];
}

function flagWords({ short, long, value }: CompletableFlag): string {
  const names = `${short === undefined ? "" : `-s ${short.slice(1)} `}-l ${long.slice(2)}`;
  if (value === "none") return names;
  if (value === "file") return `${names} -r -F`;
  return value === "any" ? `${names} -x` : `${names} -x -a ${quoted(value.join(" "))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
