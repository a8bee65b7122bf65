// The completion script for zsh, with what each command and flag does beside it.

import { type CompletableCommand, type CompletableFlag, namesOfFlag } from "./completable-commands.ts";

export function zshCompletion(commands: readonly CompletableCommand[]): string {
  return `#compdef mainstay
# Completion of mainstay for zsh: a file named _mainstay in a folder of $fpath, or sourced after compinit.
_mainstay() {
  local at="mainstay" current="\${words[CURRENT]}" previous="\${words[CURRENT - 1]}"
  local -i index
  local -a offered
  if [[ "$current" == --*=* ]]; then
    previous="\${current%%=*}"
    compset -P '*='
  fi
  for ((index = 2; index < CURRENT; index++)); do
    case "$at \${words[index]}" in
      (${patterns(commands.slice(1).map(({ path }) => path))}) at="$at \${words[index]}" ;;
    esac
  done
  case "$at $previous" in
${commands.flatMap(valueCases).join("\n")}
  esac
  if [[ "$current" == -* ]]; then
    case "$at" in
${commands.map(({ path, flags }) => offer(path, flags.flatMap(describedFlag))).join("\n")}
    esac
    _describe -o 'flag' offered
  else
    case "$at" in
${commands.flatMap(wordCase).join("\n")}
    esac
    _describe 'command' offered
  fi
}
# Loaded from $fpath the file is the function itself; sourced it has to register it.
if [[ "\${funcstack[1]}" == "_mainstay" ]]; then
  _mainstay "$@"
else
  compdef _mainstay mainstay
fi`;
}

function valueCases({ path, flags }: CompletableCommand): readonly string[] {
  return flags.flatMap((flag) => {
    const answer = afterFlag(flag);
    return answer === undefined
      ? []
      : [`    (${patterns(namesOfFlag(flag).map((name) => `${path} ${name}`))}) ${answer} ;;`];
  });
}

function afterFlag({ value }: CompletableFlag): string | undefined {
  if (value === "none") return undefined;
  if (value === "any") return "return";
  return value === "file" ? "_files; return" : `compadd -- ${value.join(" ")}; return`;
}

function describedFlag(flag: CompletableFlag): readonly string[] {
  return namesOfFlag(flag).map((name) => described(name, flag.summary));
}

function wordCase({ path, subcommands, words, takesFile }: CompletableCommand): readonly string[] {
  if (takesFile) return [`      ("${path}") _files; return ;;`];
  const offered = [...subcommands.map(({ name, summary }) => described(name, summary)), ...words];
  return offered.length === 0 ? [] : [offer(path, offered)];
}

function offer(path: string, words: readonly string[]): string {
  return `      ("${path}") offered=(${words.join(" ")}) ;;`;
}

/** _describe takes the first colon for the end of the name. */
function described(name: string, summary: string): string {
  return `'${name}:${summary.replaceAll("'", `'\\''`)}'`;
}

function patterns(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join("|");
}
