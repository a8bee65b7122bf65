// Named formats in rules: `format.dns1123Label().validate(self)` is empty, or the list of what is wrong.

import { type Environment, Optional } from "@marcbachmann/cel-js";
import { hasFormat } from "../formats.ts";
import { registerNamespace } from "./namespace.ts";

class CelFormat {
  readonly name: string;
  readonly check: (text: string) => boolean;
  constructor(name: string, check: (text: string) => boolean) {
    this.name = name;
    this.check = check;
  }
}

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const label1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const value = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

const isLabel = (text: string): boolean => text.length <= 63 && label.test(text);
const isLabel1035 = (text: string): boolean => text.length <= 63 && label1035.test(text);
const isSubdomain = (text: string): boolean => text.length <= 253 && text.split(".").every((part) => label.test(part));
const isValue = (text: string): boolean => text.length <= 63 && value.test(text);

/** A prefix gets something appended, so it may end in a dash. */
const asPrefix =
  (check: (text: string) => boolean) =>
  (text: string): boolean =>
    check(text.replace(/-$/, "a"));

const checks: Readonly<Record<string, (text: string) => boolean>> = {
  dns1123Label: isLabel,
  dns1123Subdomain: isSubdomain,
  dns1035Label: isLabel1035,
  dns1123LabelPrefix: asPrefix(isLabel),
  dns1123SubdomainPrefix: asPrefix(isSubdomain),
  dns1035LabelPrefix: asPrefix(isLabel1035),
  qualifiedName: isQualifiedName,
  labelValue: isValue,
  uri: (text) => hasFormat("uri", text),
  uuid: (text) => hasFormat("uuid", text),
  byte: (text) => hasFormat("byte", text),
  date: (text) => hasFormat("date", text),
  datetime: (text) => hasFormat("datetime", text),
};

export function registerFormats(env: Environment): void {
  env.registerType("kubernetes.NamedFormat", CelFormat);
  registerNamespace(env, "format", "FormatNamespace");
  env.registerFunction(
    "kubernetes.NamedFormat.validate(string): optional<list<string>>",
    ({ name, check }: CelFormat, text: string) =>
      check(text) ? Optional.none() : Optional.of([`'${text}' is not a valid ${name}`]),
  );
  env.registerFunction("FormatNamespace.named(string): optional<kubernetes.NamedFormat>", (_: unknown, name: string) =>
    Optional.of(formatNamed(name)),
  );
  for (const name of Object.keys(checks)) {
    env.registerFunction(`FormatNamespace.${name}(): kubernetes.NamedFormat`, () => formatNamed(name));
  }
}

function formatNamed(name: string): CelFormat | undefined {
  const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
  return check === undefined ? undefined : new CelFormat(name, check);
}

function isQualifiedName(text: string): boolean {
  const [name = "", prefix, ...rest] = text.split("/").reverse();
  return (
    rest.length === 0 &&
    name !== "" &&
    isValue(name) &&
    (prefix === undefined || (prefix !== "" && isSubdomain(prefix)))
  );
}
