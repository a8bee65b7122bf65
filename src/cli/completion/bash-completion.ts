// The completion script for bash. It needs nothing but bash: no bash-completion package, and no program while somebody types.

import { type CompletableCommand, type CompletableFlag, namesOfFlag } from "./completable-commands.ts";

export function bashCompletion(commands: readonly CompletableCommand[]): string {
  return `# Completion of mainstay for bash: source this in ~/.bashrc, or keep it in a folder of bash-completion.
_mainstay() {
  local at="mainstay" offered="" index
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  COMPREPLY=()
  # bash takes --output=json for three words.
  if [[ "$current" == "=" ]]; then
    current=""
  elif [[ "$previous" == "=" ]]; then
    previous="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$at \${COMP_WORDS[index]}" in
      ${patterns(commands.slice(1).map(({ path }) => path))}) at="$at \${COMP_WORDS[index]}" ;;
    esac
  done
  case "$at $previous" in
${commands.flatMap(valueCases).join("\n")}
  esac
  if [[ "$current" == -* ]]; then
    case "$at" in
${commands.map(({ path, flags }) => offer(path, flags.flatMap(namesOfFlag))).join("\n")}
    esac
  else
    case "$at" in
${commands.flatMap(wordCase).join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$offered" -- "$current"))
}
complete -F _mainstay mainstay`;
}

/** compopt is for real completion alone, and not in bash 3; names may contain spaces. */
const files = `compopt -o filenames 2>/dev/null; local IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$current")); return`;

function valueCases({ path, flags }: CompletableCommand): readonly string[] {
  return flags.flatMap((flag) => {
    const answer = afterFlag(flag);
    return answer === undefined
      ? []
      : [`    ${patterns(namesOfFlag(flag).map((name) => `${path} ${name}`))}) ${answer} ;;`];
  });
}

function afterFlag({ value }: CompletableFlag): string | undefined {
  if (value === "none") return undefined;
  if (value === "any") return "return";
  return value === "file" ? files : `COMPREPLY=($(compgen -W "${value.join(" ")}" -- "$current")); return`;
}

function wordCase({ path, subcommands, words, takesFile }: CompletableCommand): readonly string[] {
  if (takesFile) return [`      "${path}") ${files} ;;`];
  const offered = [...subcommands.map(({ name }) => name), ...words];
  return offered.length === 0 ? [] : [offer(path, offered)];
}

function offer(path: string, words: readonly string[]): string {
  return `      "${path}") offered="${words.join(" ")}" ;;`;
}

function patterns(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(" | ");
}
