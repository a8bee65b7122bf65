import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { colouredWord } from "../../apis/text/coloured-word.ts";
import { systemTerminal } from "./system-terminal.ts";

function streams() {
  return { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
}

test("results go to standard output, words for people to standard error, each on a line", () => {
  const there = streams();
  const terminal = systemTerminal(there);
  terminal.out("result");
  terminal.err("progress");
  expect(there.stdout.read().toString()).toBe("result\n");
  expect(there.stderr.read().toString()).toBe("progress\n");
});

test("control characters in somebody else's words are shown, not obeyed", () => {
  const there = streams();
  systemTerminal(there).out("a\u001b[2J\u009b\tb\nc");
  expect(there.stdout.read().toString()).toBe("a\\x1b[2J\\x9b\tb\nc\n");
});

test("reads all of the input, also letters that arrive in two pieces", async () => {
  const there = streams();
  const bytes = Buffer.from("größe\nzwei\n");
  there.stdin.write(bytes.subarray(0, 3));
  there.stdin.end(bytes.subarray(3));
  expect(await systemTerminal(there).readInput()).toBe("größe\nzwei\n");
});

test("a pipe is not interactive and has 80 columns; a terminal tells its own", () => {
  const there = streams();
  expect(systemTerminal(there)).toMatchObject({ interactive: false, columns: 80 });
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 132 });
  expect(systemTerminal({ ...there, stdout })).toMatchObject({ interactive: true, columns: 132 });
});

test("a reader that closes the pipe early is no failure", () => {
  const program = `import { systemTerminal } from ${JSON.stringify(join(import.meta.dirname, "system-terminal.ts"))};
    const terminal = systemTerminal();
    for (let line = 0; line < 50_000; line += 1) terminal.out("a line that fills the pipe soon");`;
  const pipe = '"$0" --input-type=module -e "$1" | head -1; exit "${PIPESTATUS[0]}"';
  const { status, stdout, stderr } = spawnSync("bash", ["-c", pipe, process.execPath, program], { encoding: "utf8" });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "a line that fills the pipe soon\n", stderr: "" });
});

test.each([
  [true, {}, true],
  [true, { TERM: "xterm", NO_COLOR: "" }, true],
  [true, { NO_COLOR: "1" }, false],
  [true, { TERM: "dumb" }, false],
  [false, { TERM: "xterm" }, false],
])("with a terminal: %j and %j colours are %j", (isTTY, environment, colours) => {
  const stdout = Object.assign(new PassThrough(), { isTTY });
  expect(systemTerminal({ ...streams(), stdout }, environment).colours).toBe(colours);
});

test("words in colour are let through where there are colours, and nothing else with them", () => {
  const stdout = Object.assign(new PassThrough(), { isTTY: true });
  const text = `${colouredWord("healthy", "green")}\u001b[2J\u0000${colouredWord("degraded", "red")}`;
  systemTerminal({ ...streams(), stdout }, {}).out(text);
  expect(stdout.read().toString()).toBe(
    `${colouredWord("healthy", "green")}\\x1b[2J\\x00${colouredWord("degraded", "red")}\n`,
  );
});

test("in a file there is no colour that obeys", () => {
  const there = streams();
  systemTerminal(there, {}).out(colouredWord("healthy", "green"));
  expect(there.stdout.read().toString()).toBe("\\x1b[32mhealthy\\x1b[39m\n");
});
