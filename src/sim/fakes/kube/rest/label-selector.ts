// Label selectors as they stand in a query: `a=1,b!=2,c in (x,y),d notin (z),e,!f,g>3`. Text that does not parse is refused.

import type { JsonObject } from "../json.ts";
import { textOf } from "../json-text.ts";
import { objectAt } from "../schema/json-value.ts";
import { badRequest } from "./api-error.ts";
import { labelValueProblems, qualifiedNameProblems } from "./name-rules.ts";

type Operator = "in" | "notin" | "exists" | "absent" | "gt" | "lt";

interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

export type ObjectFilter = (object: JsonObject) => boolean;

const operators = "in, notin, =, ==, !=, gt, lt";

/** Undefined: every object passes. */
export function parseLabelSelector(text: string): ObjectFilter | undefined {
  const requirements = new SelectorParser(text).parse();
  if (requirements.length === 0) return undefined;
  return (object) => {
    const labels = objectAt(objectAt(object, "metadata"), "labels");
    return requirements.every((requirement) => holds(requirement, labels));
  };
}

function holds({ key, operator, values }: Requirement, labels: JsonObject): boolean {
  const value = labels[key];
  if (operator === "absent") return value === undefined;
  if (operator === "notin") return value === undefined || !values.includes(textOf(value));
  if (value === undefined) return false;
  if (operator === "exists") return true;
  if (operator === "in") return values.includes(textOf(value));
  const [mine, limit] = [wholeNumber(textOf(value)), wholeNumber(values[0] ?? "")];
  if (mine === undefined || limit === undefined) return false;
  return operator === "gt" ? mine > limit : mine < limit;
}

function wholeNumber(text: string): number | undefined {
  return /^[-+]?\d+$/.test(text) ? Number(text) : undefined;
}

function refuse(why: string): Error {
  return badRequest(`unable to parse requirement: ${why}`);
}

class SelectorParser {
  readonly #tokens: readonly string[];
  #next = 0;

  constructor(text: string) {
    this.#tokens = text.match(/[^\s=!(),<>]+|==|!=|[=!(),<>]/g) ?? [];
  }

  parse(): readonly Requirement[] {
    const requirements: Requirement[] = [];
    if (this.#peek() === "") return requirements;
    for (;;) {
      requirements.push(this.#requirement());
      const separator = this.#take();
      if (separator === "") return requirements;
      if (separator !== ",") throw refuse(`found '${separator}', expected: ',' or 'end of string'`);
      if (this.#peek() === "" || this.#peek() === ",")
        throw refuse(`found '${this.#peek()}', expected: identifier after ','`);
    }
  }

  #requirement(): Requirement {
    if (this.#peek() === "!") {
      this.#take();
      return { key: this.#key(), operator: "absent", values: [] };
    }
    const key = this.#key();
    if (this.#peek() === "" || this.#peek() === ",") return { key, operator: "exists", values: [] };
    const word = this.#take();
    if (word === "in" || word === "notin") return { key, operator: word, values: this.#set() };
    if (word === "=" || word === "==") return { key, operator: "in", values: [this.#value()] };
    if (word === "!=") return { key, operator: "notin", values: [this.#value()] };
    if (word === ">" || word === "<") return { key, operator: word === ">" ? "gt" : "lt", values: [this.#limit()] };
    throw refuse(`found '${word}', expected: ${operators}`);
  }

  #key(): string {
    const key = this.#take();
    if (key === "" || isSymbol(key)) throw refuse(`found '${key}', expected: !, identifier, or 'end of string'`);
    const [problem] = qualifiedNameProblems(key);
    if (problem !== undefined) throw refuse(`<nil>: Invalid value: ${JSON.stringify(key)}: ${problem}`);
    return key;
  }

  #value(): string {
    if (this.#peek() === "" || this.#peek() === ",") return "";
    const value = this.#take();
    if (isSymbol(value)) throw refuse(`found '${value}', expected: identifier`);
    return checkedValue(value);
  }

  #limit(): string {
    const value = this.#value();
    if (wholeNumber(value) === undefined) {
      throw refuse(
        `values[0]: Invalid value: ${JSON.stringify(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
      );
    }
    return value;
  }

  #set(): readonly string[] {
    const open = this.#take();
    if (open !== "(") throw refuse(`found '${open}' expected: '('`);
    const values: string[] = [];
    if (this.#peek() === ")") {
      this.#take();
      return [""];
    }
    for (;;) {
      values.push(this.#peek() === "," || this.#peek() === ")" ? "" : checkedValue(this.#take()));
      const next = this.#take();
      if (next === ")") return values;
      if (next !== ",") throw refuse(`found '${next}', expected: ',' or ')'`);
    }
  }

  #peek(): string {
    return this.#tokens[this.#next] ?? "";
  }

  #take(): string {
    const token = this.#peek();
    this.#next += 1;
    return token;
  }
}

function isSymbol(token: string): boolean {
  return /^[=!(),<>]/.test(token);
}

function checkedValue(value: string): string {
  const [problem] = labelValueProblems(value);
  if (problem !== undefined) throw refuse(`values[0][]: Invalid value: ${JSON.stringify(value)}: ${problem}`);
  return value;
}
