// Fields of a clouds.yaml as text. A number or a list where text belongs is a problem once, and never quoted: it may be a secret.

import { isRecord, type Problem } from "../../apis/text/problem.ts";

export interface CloudFields {
  /** Undefined when it is absent, empty or no text. */
  text(name: string): string | undefined;
  /** The first of these that has text. */
  first(...names: readonly string[]): string | undefined;
  has(name: string): boolean;
  where(name: string): string;
}

export function entryFields(entry: Readonly<Record<string, unknown>>, where: string, problems: Problem[]): CloudFields {
  const reported = new Set<string>();
  const text = (name: string): string | undefined => {
    const value = entry[name];
    if (value === undefined || value === null || value === "") return undefined;
    if (typeof value === "string") return value;
    // openstacksdk takes a list of interfaces by preference.
    if (name === "interface" && Array.isArray(value) && typeof value[0] === "string") return value[0];
    if (!reported.has(name)) {
      reported.add(name);
      problems.push({ where: `${where}.${name}`, message: "it is not text", hint: "Put it in quotes." });
    }
    return undefined;
  };
  return {
    text,
    first(...names) {
      for (const name of names) {
        const value = text(name);
        if (value !== undefined) return value;
      }
      return undefined;
    },
    has: (name) => entry[name] !== undefined && entry[name] !== null && entry[name] !== "",
    where: (name) => `${where}.${name}`,
  };
}

/** Those of `auth`; undefined, and a problem, when there is none. */
export function authFields(
  entry: Readonly<Record<string, unknown>>,
  where: string,
  problems: Problem[],
): CloudFields | undefined {
  const auth = entry["auth"];
  if (!isRecord(auth)) {
    const message = auth === undefined || auth === null ? "it is not set" : "it is not a mapping";
    problems.push({ where: `${where}.auth`, message, hint: "Give auth_url and credentials below it." });
    return undefined;
  }
  return entryFields(auth, `${where}.auth`, problems);
}
