// Macros the API server has and the CEL package lacks or has weaker: has() that knows the schema, comprehensions over
// two variables, formatting, and mapping of optionals.

import { type ASTNode, type Environment, EvaluationError, Optional } from "@marcbachmann/cel-js";
import { CelObject } from "./cel-object.ts";
import { formatCel } from "./format-cel.ts";

// The parts of the package's checker and evaluator that its macro interface hands out.
interface Type {
  readonly kind: string;
  readonly name: string;
  readonly keyType?: Type;
  readonly valueType?: Type;
}
interface Scope {
  forkWithVariable(name: string, type: Type): Scope;
  setIterValue(value: unknown, evaluator: Evaluator): Scope;
}
interface Checker {
  check(node: ASTNode, scope: Scope): Type;
  getType(name: string): Type;
  createError(code: string, message: string, node: ASTNode): Error;
  readonly registry: {
    getOptionalType(type: Type): Type;
    getListType(type: Type): Type;
    getMapType(key: Type, value: Type): Type;
  };
}
interface Evaluator {
  run(node: ASTNode, scope: Scope): unknown;
}
interface Call {
  readonly ast: ASTNode & { setMeta(name: string, value: unknown): unknown };
  readonly args: readonly ASTNode[];
  readonly receiver: ASTNode;
}
interface Macro {
  typeCheck(checker: Checker, macro: unknown, scope: Scope): Type;
  evaluate(evaluator: Evaluator, macro: unknown, scope: Scope): unknown;
  readonly async: false;
}

export function registerMacros(env: Environment): void {
  env.registerFunction("hasField(ast): bool", hasField);
  env.registerFunction(
    "list.all(ast, ast, ast): bool",
    quantifier((results) => results.every(Boolean), false),
  );
  env.registerFunction(
    "list.exists(ast, ast, ast): bool",
    quantifier((results) => results.some(Boolean), true),
  );
  const exactlyOne = (results: readonly boolean[]): boolean => results.filter(Boolean).length === 1;
  env.registerFunction("list.exists_one(ast, ast, ast): bool", quantifier(exactlyOne));
  env.registerFunction("list.existsOne(ast, ast, ast): bool", quantifier(exactlyOne));
  env.registerFunction("list.transformList(ast, ast, ast): list", transform("list"));
  env.registerFunction("list.transformList(ast, ast, ast, ast): list", transform("list"));
  env.registerFunction("list.transformMap(ast, ast, ast): map", transform("map"));
  env.registerFunction("list.transformMap(ast, ast, ast, ast): map", transform("map"));
  env.registerFunction("string.format(ast): string", format);
  env.registerFunction("optional.optMap(ast, ast): optional", optionalMap(false));
  env.registerFunction("optional.optFlatMap(ast, ast): optional", optionalMap(true));
}

/** `has(e.f)`: the field must be declared; whether it is set is asked of the value of `e` alone. */
function hasField({ args }: Call): Macro {
  const [node] = args;
  return {
    async: false,
    typeCheck(checker, _, scope) {
      if (node === undefined || node.op !== ".") throw new EvaluationError("has() takes a field selection", node);
      checker.check(node, scope);
      return checker.getType("bool");
    },
    evaluate(evaluator, _, scope) {
      if (node === undefined || node.op !== ".") return false;
      const [target, field] = node.args;
      return isSet(evaluator.run(target, scope), field);
    },
  };
}

function isSet(target: unknown, field: string): boolean {
  if (target instanceof Optional) return target.hasValue() && isSet(target.value(), field);
  if (target instanceof Map) return target.has(field);
  return target instanceof CelObject && Object.hasOwn(target, field);
}

/** `e.all(k, v, p)`. `decisive` is the result that settles the matter even if other items fail to evaluate. */
function quantifier(combine: (results: readonly boolean[]) => boolean, decisive?: boolean): (call: Call) => Macro {
  return (call) => {
    const [first, second, predicate] = call.args;
    const names = [variable(first), variable(second)] as const;
    return {
      async: false,
      typeCheck(checker, _, scope) {
        const inner = bind(checker, scope, names, checker.check(call.receiver, scope), call.receiver);
        const type = checker.check(need(predicate), inner);
        if (type.kind !== "dyn" && type.name !== "bool") {
          throw checker.createError("invalid_predicate", `predicate must be bool, got ${type.name}`, need(predicate));
        }
        return checker.getType("bool");
      },
      evaluate(evaluator, _, scope) {
        const results: boolean[] = [];
        let failure: Error | undefined;
        for (const entry of entriesOf(evaluator.run(call.receiver, scope))) {
          try {
            results.push(evaluator.run(need(predicate), enter(evaluator, scope, names, entry)) === true);
          } catch (error) {
            failure ??= error instanceof Error ? error : new EvaluationError(String(error));
          }
        }
        if (failure !== undefined && (decisive === undefined || !results.includes(decisive))) throw failure;
        return combine(results);
      },
    };
  };
}

/** `e.transformList(k, v, [filter,] t)` and `transformMap`. */
function transform(into: "list" | "map"): (call: Call) => Macro {
  return (call) => {
    const [first, second, ...rest] = call.args;
    const names = [variable(first), variable(second)] as const;
    const [filter, value] = rest.length === 2 ? rest : [undefined, rest[0]];
    return {
      async: false,
      typeCheck(checker, _, scope) {
        const receiver = checker.check(call.receiver, scope);
        const inner = bind(checker, scope, names, receiver, call.receiver);
        if (filter !== undefined) checker.check(filter, inner);
        const type = checker.check(need(value), inner);
        if (into === "list") return checker.registry.getListType(type);
        return checker.registry.getMapType(keyTypeOf(checker, receiver), type);
      },
      evaluate(evaluator, _, scope) {
        const entries = entriesOf(evaluator.run(call.receiver, scope)).flatMap(([key, item]) => {
          const inner = enter(evaluator, scope, names, [key, item]);
          if (filter !== undefined && evaluator.run(filter, inner) !== true) return [];
          return [[key, evaluator.run(need(value), inner)] as const];
        });
        return into === "list" ? entries.map(([, item]) => item) : new Map(entries);
      },
    };
  };
}

function optionalMap(isFlat: boolean): (call: Call) => Macro {
  return (call) => {
    const [first, value] = call.args;
    const name = variable(first);
    let held: Type;
    return {
      async: false,
      typeCheck(checker, _, scope) {
        const receiver = checker.check(call.receiver, scope);
        held = receiver.valueType ?? checker.getType("dyn");
        const type = checker.check(need(value), scope.forkWithVariable(name, held));
        return isFlat ? type : checker.registry.getOptionalType(type);
      },
      evaluate(evaluator, _, scope) {
        const optional = evaluator.run(call.receiver, scope);
        if (!(optional instanceof Optional) || !optional.hasValue()) return Optional.none();
        const inner = scope.forkWithVariable(name, held).setIterValue(optional.value(), evaluator);
        const result = evaluator.run(need(value), inner);
        return isFlat ? result : Optional.of(result);
      },
    };
  };
}

/** `text.format([a, b])`: the one list whose items may be of different types. */
function format({ args, receiver }: Call): Macro {
  const list = need(args[0]);
  return {
    async: false,
    typeCheck(checker, _, scope) {
      const isText = ["string", "dyn"].includes(checker.check(receiver, scope).name);
      if (!isText) throw checker.createError("invalid_receiver", "format() is a function of strings", receiver);
      for (const item of list.op === "list" ? list.args : [list]) checker.check(item, scope);
      return checker.getType("string");
    },
    evaluate(evaluator, _, scope) {
      const values =
        list.op === "list" ? list.args.map((item) => evaluator.run(item, scope)) : evaluator.run(list, scope);
      return formatCel(String(evaluator.run(receiver, scope)), Array.isArray(values) ? values : []);
    },
  };
}

const anyType: Type & { matchesValueType(): boolean } = { kind: "dyn", name: "dyn", matchesValueType: () => true };

function bind(
  checker: Checker,
  scope: Scope,
  [key, value]: readonly [string, string],
  range: Type,
  node: ASTNode,
): Scope {
  if (!["list", "map", "dyn"].includes(range.kind)) {
    throw checker.createError("invalid_range", `type ${range.name} cannot be range of a comprehension`, node);
  }
  const item = range.valueType ?? checker.getType("dyn");
  return scope.forkWithVariable(key, keyTypeOf(checker, range)).forkWithVariable(value, item);
}

function keyTypeOf(checker: Checker, range: Type): Type {
  if (range.kind === "list") return checker.getType("int");
  return range.keyType ?? checker.getType("dyn");
}

function enter(
  evaluator: Evaluator,
  scope: Scope,
  [key, value]: readonly [string, string],
  entry: readonly [unknown, unknown],
): Scope {
  const outer = scope.forkWithVariable(key, anyType).setIterValue(entry[0], evaluator);
  return outer.forkWithVariable(value, anyType).setIterValue(entry[1], evaluator);
}

function entriesOf(range: unknown): readonly (readonly [unknown, unknown])[] {
  if (Array.isArray(range)) return range.map((item: unknown, i) => [BigInt(i), item] as const);
  if (range instanceof Map) return [...range];
  throw new EvaluationError("value cannot be range of a comprehension");
}

function variable(node: ASTNode | undefined): string {
  if (node?.op === "id") return node.args;
  throw new EvaluationError("comprehension variable must be an identifier", node);
}

function need(node: ASTNode | undefined): ASTNode {
  if (node === undefined) throw new EvaluationError("missing argument");
  return node;
}
