import { expect, test } from "vitest";
import { MainstayError } from "../core/errors.ts";
import { KubeError, type KubeErrorCode } from "../core/kube-error.ts";
import type { Terminal } from "../ports/terminal.ts";
import { printError } from "./print-error.ts";

const silent = { out: () => {}, err: () => {} } as unknown as Terminal;

test.each<KubeErrorCode>([
  "Timeout",
  "Unreachable",
  "TooManyRequests",
  "ServerError",
  "Unauthorized",
  "Forbidden",
  "KindNotServed",
])("a cluster that answers %s, or not at all, ends a command with 3", (code) => {
  expect(printError(new KubeError({ code, message: "get nodes" }), silent)).toBe(3);
});

test.each([
  ["ConfigurationInvalid", 2],
  ["InputInvalid", 2],
  ["TopologyAlreadySet", 1],
  ["ObjectNotFound", 5],
] as const)("%s ends a command with %i", (reason, code) => {
  expect(printError(new MainstayError({ reason, message: "no" }), silent)).toBe(code);
});

test("an error without a hint of its own names the page that says what to do", () => {
  const lines: string[] = [];
  const terminal = { out: () => {}, err: (text: string) => void lines.push(text) } as unknown as Terminal;
  printError(new MainstayError({ reason: "TopologyAlreadySet", message: "no" }), terminal);
  expect(lines[1]).toMatch(/^hint: .*\. mainstay runbook TopologyAlreadySet says what to do\.$/);
});

test("what nobody foresaw ends a command with 4 and shows where it came from", () => {
  const lines: string[] = [];
  const terminal = { out: () => {}, err: (text: string) => void lines.push(text) } as unknown as Terminal;
  expect(printError(new TypeError("x is not a function"), terminal)).toBe(4);
  expect(lines.join("\n")).toMatch(/TypeError: x is not a function\n\s+at /);
});
