// The rules at one place of a schema, compiled once and kept.

import type { StructuralSchema, ValidationRule } from "../structural-schema.ts";
import { ruleEnvironment } from "./base-environment.ts";
import { type CelType, declareType } from "./cel-type.ts";
import { type Compiled, compileExpression, firstLine } from "./compile-rule.ts";
import { mentions } from "./source.ts";

export interface SchemaRule {
  readonly rule: ValidationRule;
  readonly compiled: Compiled;
  readonly message: Compiled | undefined;
  /** Looks at the old value, so it runs only when there is one to look at. */
  readonly isTransition: boolean;
}

export interface SchemaRules {
  /** Undefined when rules cannot see values of this schema at all. */
  readonly type: CelType | undefined;
  readonly rules: readonly SchemaRule[];
}

const known = new WeakMap<StructuralSchema, SchemaRules>();

export function schemaRules(schema: StructuralSchema, isRoot: boolean): SchemaRules {
  const found = known.get(schema) ?? compileAll(schema, isRoot);
  known.set(schema, found);
  return found;
}

function compileAll(schema: StructuralSchema, isRoot: boolean): SchemaRules {
  const rules = schema["x-kubernetes-validations"] ?? [];
  const env = ruleEnvironment();
  try {
    const type = declareType(env, schema, "selfType", isRoot || schema["x-kubernetes-embedded-resource"] === true);
    if (type === undefined) return { type, rules: rules.map((rule) => unusable(rule, "rules need a declared type")) };
    return { type, rules: rules.map((rule) => compileRule(env, type, rule)) };
  } catch (error) {
    return { type: undefined, rules: rules.map((rule) => unusable(rule, firstLine(error))) };
  }
}

function compileRule(env: ReturnType<typeof ruleEnvironment>, type: CelType, rule: ValidationRule): SchemaRule {
  const isTransition = mentions(rule.rule, "oldSelf") || mentions(rule.messageExpression ?? "", "oldSelf");
  const scope = env.clone().registerVariable("self", type.name);
  if (isTransition)
    scope.registerVariable("oldSelf", rule.optionalOldSelf === true ? `optional<${type.name}>` : type.name);
  const { messageExpression } = rule;
  return {
    rule,
    compiled: compileExpression(scope, rule.rule, "bool"),
    message: messageExpression === undefined ? undefined : compileExpression(scope, messageExpression, "string"),
    isTransition,
  };
}

function unusable(rule: ValidationRule, problem: string): SchemaRule {
  return { rule, compiled: { ok: false, problem }, message: undefined, isTransition: false };
}
