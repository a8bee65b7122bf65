// The words in which an attempt to give away rights is refused.

import type { JsonObject } from "../json.ts";
import { stringsAt } from "../json-lists.ts";
import type { UserInfo } from "./user-info.ts";

const group = "rbac.authorization.k8s.io";
const failure = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure" };

export function refusedWrite(
  user: UserInfo,
  resource: string,
  name: string,
  missing: readonly JsonObject[],
): JsonObject {
  const who = `user ${quote(user.username)} (groups=${quoted(user.groups)})`;
  const rules = compact(missing).map(ruleText).sort();
  const message =
    `${resource}.${group} ${quote(name)} is forbidden: ${who} is attempting to grant RBAC permissions not currently held:\n` +
    rules.join("\n");
  return { ...failure, message, reason: "Forbidden", details: { name, group, kind: resource }, code: 403 };
}

export function unknownRole(resource: string, name: string): JsonObject {
  const message = `${resource}.${group} ${quote(name)} not found`;
  return { ...failure, message, reason: "NotFound", details: { name, group, kind: resource }, code: 404 };
}

/** Rights that differ in their verb only, written as one. */
function compact(rights: readonly JsonObject[]): readonly JsonObject[] {
  const byRest = new Map<string, { rest: JsonObject; verbs: string[] }>();
  for (const { verbs: _, ...rest } of rights) byRest.set(JSON.stringify(rest), { rest, verbs: [] });
  for (const right of rights) {
    const { verbs: _, ...rest } = right;
    const entry = byRest.get(JSON.stringify(rest));
    for (const verb of stringsAt(right, "verbs")) if (!entry?.verbs.includes(verb)) entry?.verbs.push(verb);
  }
  return [...byRest.values()].map(({ rest, verbs }) => ({ ...rest, verbs }));
}

function ruleText(rule: JsonObject): string {
  const parts = (
    [
      ["NonResourceURLs", "nonResourceURLs"],
      ["APIGroups", "apiGroups"],
      ["Resources", "resources"],
      ["ResourceNames", "resourceNames"],
      ["Verbs", "verbs"],
    ] as const
  ).flatMap(([word, field]) => {
    const list = stringsAt(rule, field);
    return list.length === 0 ? [] : [`${word}:${quoted(list)}`];
  });
  return `{${parts.join(", ")}}`;
}

function quoted(list: readonly string[]): string {
  return `[${list.map(quote).join(" ")}]`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
