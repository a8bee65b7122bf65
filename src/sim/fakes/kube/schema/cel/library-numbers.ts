// Quantities and semantic versions in rules.

import { type Environment, EvaluationError } from "@marcbachmann/cel-js";
import { parseQuantity, Quantity, quantityOf } from "./quantity.ts";
import { compareSemver, parseSemver, Semver } from "./semver.ts";

export function registerNumbers(env: Environment): void {
  registerQuantity(env);
  registerSemver(env);
}

function registerQuantity(env: Environment): void {
  const type = "kubernetes.Quantity";
  env.registerType(type, Quantity);
  env.registerOperator(`${type} == ${type}`, (a: Quantity, b: Quantity) => a.nanos === b.nanos);
  env.registerFunction("isQuantity(string): bool", (text: string) => parseQuantity(text) !== undefined);
  env.registerFunction(`quantity(string): ${type}`, needQuantity);
  env.registerFunction(`${type}.isInteger(): bool`, (quantity: Quantity) => quantity.isInteger);
  env.registerFunction(`${type}.asInteger(): int`, asInteger);
  env.registerFunction(`${type}.asApproximateFloat(): double`, (quantity: Quantity) => quantity.approximate);
  env.registerFunction(`${type}.sign(): int`, (quantity: Quantity) => sign(quantity.nanos));
  env.registerFunction(`${type}.add(${type}): ${type}`, (a: Quantity, b: Quantity) => new Quantity(a.nanos + b.nanos));
  env.registerFunction(
    `${type}.add(int): ${type}`,
    (a: Quantity, b: bigint) => new Quantity(a.nanos + quantityOf(b).nanos),
  );
  env.registerFunction(`${type}.sub(${type}): ${type}`, (a: Quantity, b: Quantity) => new Quantity(a.nanos - b.nanos));
  env.registerFunction(
    `${type}.sub(int): ${type}`,
    (a: Quantity, b: bigint) => new Quantity(a.nanos - quantityOf(b).nanos),
  );
  env.registerFunction(`${type}.isLessThan(${type}): bool`, (a: Quantity, b: Quantity) => a.nanos < b.nanos);
  env.registerFunction(`${type}.isGreaterThan(${type}): bool`, (a: Quantity, b: Quantity) => a.nanos > b.nanos);
  env.registerFunction(`${type}.compareTo(${type}): int`, (a: Quantity, b: Quantity) => sign(a.nanos - b.nanos));
}

function registerSemver(env: Environment): void {
  const type = "kubernetes.Semver";
  env.registerType(type, Semver);
  env.registerOperator(`${type} == ${type}`, (a: Semver, b: Semver) => compareSemver(a, b) === 0);
  env.registerFunction("isSemver(string): bool", (text: string) => parseSemver(text) !== undefined);
  env.registerFunction(
    "isSemver(string, bool): bool",
    (text: string, lenient: boolean) => parseSemver(text, lenient) !== undefined,
  );
  env.registerFunction(`semver(string): ${type}`, (text: string) => needSemver(text, false));
  env.registerFunction(`semver(string, bool): ${type}`, needSemver);
  env.registerFunction(`${type}.major(): int`, (version: Semver) => version.major);
  env.registerFunction(`${type}.minor(): int`, (version: Semver) => version.minor);
  env.registerFunction(`${type}.patch(): int`, (version: Semver) => version.patch);
  env.registerFunction(`${type}.isLessThan(${type}): bool`, (a: Semver, b: Semver) => compareSemver(a, b) < 0);
  env.registerFunction(`${type}.isGreaterThan(${type}): bool`, (a: Semver, b: Semver) => compareSemver(a, b) > 0);
  env.registerFunction(`${type}.compareTo(${type}): int`, (a: Semver, b: Semver) => BigInt(compareSemver(a, b)));
}

function needQuantity(text: string): Quantity {
  const quantity = parseQuantity(text);
  if (quantity === undefined) throw new EvaluationError(`quantities must match the regular expression: '${text}'`);
  return quantity;
}

function asInteger(quantity: Quantity): bigint {
  if (!quantity.isInteger) throw new EvaluationError("cannot convert value to integer");
  return quantity.integer;
}

function needSemver(text: string, lenient: boolean): Semver {
  const version = parseSemver(text, lenient);
  if (version === undefined) throw new EvaluationError(`not a semantic version: '${text}'`);
  return version;
}

function sign(value: bigint): bigint {
  return value < 0n ? -1n : value > 0n ? 1n : 0n;
}
