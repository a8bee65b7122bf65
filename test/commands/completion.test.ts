// The completion scripts in the shells they are for: bash, and zsh and fish of the lab.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeLab, labShell } from "../lab.ts";
import { cliWorld } from "../support/cli-world.ts";

const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

const withoutConfiguration = { bash: "--norc", zsh: "-f", fish: "--no-config" };

const scripts: Record<Shell, string> = { bash: "", zsh: "", fish: "" };
let folder = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mainstay-completion-"));
  for (const shell of shells) scripts[shell] = (await cliWorld().run("completion", shell)).out;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the shell prints for lines typed after the script was read; it must not complain. */
function after(shell: Shell, lines: string): string {
  const file = join(folder, `probe.${shell}`);
  const before = shell === "zsh" ? "compdef() { : }\n" : "";
  writeFileSync(file, `${before}${scripts[shell]}\n${lines}\n`);
  const { error, stdout, stderr } = spawnSync(shell, [withoutConfiguration[shell], file], { encoding: "utf8" });
  expect([error, stderr]).toEqual([undefined, ""]);
  return stdout;
}

function inBash(words: readonly string[]): readonly string[] {
  const typed = words.map((word) => `'${word}'`).join(" ");
  const probe = `COMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _mainstay; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return linesIn(after("bash", probe));
}

/** With stand-ins for the functions of zsh that work only while somebody types. */
function inZsh(words: readonly string[]): readonly string[] {
  const typed = words.map((word) => `'${word}'`).join(" ");
  const standIns = `
_describe() { local -a all; all=("\${(@P)@[-1]}"); print -rl -- "\${(@)all%%:*}" }
compadd() { shift; print -rl -- "$@" }
_files() { print FILES }
compset() { : }`;
  const probe = `${standIns}\nwords=(${typed}); CURRENT=${words.length}; _mainstay`;
  return linesIn(after("zsh", probe)).filter((line) => line.startsWith(words.at(-1)?.replace(/^.*=/, "") ?? ""));
}

function inFish(words: readonly string[]): readonly string[] {
  const lines = after("fish", `complete -C '${words.join(" ")}'`);
  return linesIn(lines).map((line) => line.replace(/\t.*$/, ""));
}

function linesIn(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

const completes = { bash: inBash, zsh: inZsh, fish: inFish };
const commands =
  "status explain plan doctor topology migrate dns services gateways trace runbook controller agent crds demo version completion help";

for (const shell of shells)
  describeLab(`in ${shell}`, labShell(shell), () => {
    const complete = completes[shell];
    test.for<readonly [string, readonly string[]]>([
      ["mainstay ", commands.split(" ")],
      ["mainstay st", ["status"]],
      ["mainstay topology ", ["derive", "show", "explain", "check"]],
      ["mainstay demo fault st", ["start", "stop"]],
      ["mainstay demo fault start cloud-", ["cloud-away", "cloud-rate-limits", "cloud-slow"]],
      ["mainstay demo fault stop kill", ["kill-leader"]],
      ["mainstay runbook MembersUn", ["MembersUnhealthy"]],
      ["mainstay status -o ", ["text", "table", "wide", "yaml", "json"]],
      ["mainstay status --kubeconfig x -o y", ["yaml"]],
      ["mainstay topology derive --rules ", ["two-modes", "current"]],
      ["mainstay plan --guard no", ["no-deletes"]],
      ["mainstay controller --log-level ", ["debug", "info", "warn", "error"]],
      ["mainstay completion ", ["bash", "zsh", "fish"]],
      ["mainstay help topology sh", ["show"]],
      ["mainstay status --wat", ["--watch"]],
      ["mainstay status --context ", []],
    ])("%s<tab>", ([line, offered]) => {
      expect(complete(line.split(" ")).toSorted()).toEqual(offered.toSorted());
    });

    test("all flags of a command are offered, and those of other commands are not", () => {
      const found = complete(["mainstay", "plan", "--"]);
      expect(found).toEqual(expect.arrayContaining(["--guard", "--namespace", "--output", "--config", "--help"]));
      expect(found).not.toContain("--watch");
    });
  });

test.for(shells)("the script for %s has every command and the choices of flags", (shell) => {
  for (const words of ["mainstay topology derive", "api-endpoint", "records", "external-dns", "two-modes"])
    expect(scripts[shell]).toContain(words);
});

describeLab("bash itself", labShell("bash"), () => {
  test("knows that the function is for mainstay, and takes --output=json apart", () => {
    expect(after("bash", "complete -p mainstay").trim()).toBe("complete -F _mainstay mainstay");
    expect(inBash(["mainstay", "status", "--output", "=", "js"])).toEqual(["json"]);
    expect(inBash(["mainstay", "status", "--output", "="])).toContain("wide");
  });

  test("offers files where a file is expected", () => {
    expect(inBash(["mainstay", "topology", "derive", "package.js"])).toEqual(["package.json"]);
    expect(inBash(["mainstay", "status", "--config", "package-l"])).toEqual(["package-lock.json"]);
  });
});

describeLab("zsh's own line editor", labShell("zsh"), () => {
  // Somebody types in a terminal: after each tab a key writes down the line as it then stands, so that nothing waits for a time.
  const typist = (loaded: string, lines: readonly string[]) => `
zmodload zsh/zpty
zpty shell "TERM=dumb zsh -f -i"
note="note() { print -r -- \\$BUFFER >>'${folder}/typed'; BUFFER= }; zle -N note; bindkey '^O' note"
zpty -w shell "${loaded}; $note"
for line in ${lines.map((line) => `'${line}'`).join(" ")}; do zpty -w -n shell "$line"$'\t\x0f'; done
zpty -w shell "exit"
while zpty -r shell printed; do :; done`;

  test.for([
    ["sourced after compinit", "autoload -Uz compinit && compinit -u -D; source FOLDER/_mainstay"],
    ["found in $fpath", "fpath=(FOLDER \\$fpath); autoload -Uz compinit && compinit -u -D"],
  ])("completes what is typed, with the script %s", ([, loaded = ""]) => {
    writeFileSync(join(folder, "_mainstay"), scripts.zsh);
    writeFileSync(join(folder, "typed"), "");
    const lines = {
      "mainstay sta": "mainstay status ",
      "mainstay status --wat": "mainstay status --watch ",
      "mainstay status -o y": "mainstay status -o yaml ",
      "mainstay status --output=js": "mainstay status --output=json ",
      "mainstay runbook MembersUn": "mainstay runbook MembersUnhealthy ",
      "mainstay demo fault start zone": "mainstay demo fault start zone-dark ",
      "mainstay topology derive ./package-l": "mainstay topology derive ./package-lock.json ",
    };
    const script = typist(loaded.replaceAll("FOLDER", folder), Object.keys(lines));
    const { stderr } = spawnSync("zsh", ["-f", "-c", script], { encoding: "utf8" });
    expect([stderr, linesIn(readFileSync(join(folder, "typed"), "utf8"))]).toEqual(["", Object.values(lines)]);
  });
});

describeLab("fish itself", labShell("fish"), () => {
  test("takes --output=json apart, and offers files where a file is expected", () => {
    expect(inFish(["mainstay", "status", "--output=js"])).toEqual(["--output=json"]);
    expect(inFish(["mainstay", "topology", "derive", "package.js"])).toEqual(["package.json"]);
    expect(inFish(["mainstay", "status", "--config", "package-l"])).toEqual(["package-lock.json"]);
  });
});

test("a shell that is not known is refused with those that are", async () => {
  const { code, err } = await cliWorld().run("completion", "tcsh");
  expect([code, err]).toEqual([2, expect.stringContaining("Allowed choices are bash, zsh, fish.")]);
});

test("the help says for each shell how to install it", async () => {
  const { out } = await cliWorld().run("completion", "--help");
  for (const shell of shells) expect(out).toMatch(new RegExp(`mainstay completion ${shell}.*# ${shell}: `));
});
