// One kubeconfig file as data: decoded, checked field by field, its relative paths made absolute. Unknown fields are
// ignored, as kubectl does: newer writers must not break older readers.

import { dirname, resolve } from "node:path";
import { parse as parseYaml, YAMLParseError } from "yaml";
import { z } from "zod";

const text = z.string().min(1);
/** People leave fields empty, and tools write `null`: both mean absent. */
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === null || value === "" ? undefined : value), schema.optional());

/** Folded and block scalars leave white space in. */
const base64 = z.preprocess((value) => (typeof value === "string" ? value.replace(/\s+/g, "") : value), z.base64());

const clusterSchema = z.object({
  server: text,
  "certificate-authority": optional(text),
  "certificate-authority-data": optional(base64),
  "insecure-skip-tls-verify": optional(z.boolean()),
  "tls-server-name": optional(text),
  "proxy-url": optional(text),
  extensions: optional(z.array(z.object({ name: text, extension: z.unknown() }))),
});

const execSchema = z.object({
  apiVersion: text,
  command: text,
  args: optional(z.array(z.string())),
  env: optional(z.array(z.object({ name: text, value: z.string() }))),
  installHint: optional(z.string()),
  provideClusterInfo: optional(z.boolean()),
  interactiveMode: optional(z.enum(["Never", "IfAvailable", "Always"])),
});

const userSchema = z.object({
  "client-certificate": optional(text),
  "client-certificate-data": optional(base64),
  "client-key": optional(text),
  "client-key-data": optional(base64),
  token: optional(text),
  tokenFile: optional(text),
  username: optional(text),
  password: optional(text),
  as: optional(text),
  "as-uid": optional(text),
  "as-groups": optional(z.array(text)),
  "as-user-extra": optional(z.record(z.string(), z.array(z.string()))),
  exec: optional(execSchema),
  "auth-provider": optional(z.unknown()),
});

const contextSchema = z.object({ cluster: text, user: optional(z.string()), namespace: optional(text) });

const named = <K extends string, T extends z.ZodType>(key: K, schema: T) =>
  optional(z.array(z.object({ name: text, [key]: schema } as { name: typeof text } & Record<K, T>)));

const fileSchema = z.object({
  apiVersion: optional(z.literal("v1")),
  kind: optional(z.literal("Config")),
  clusters: named("cluster", clusterSchema),
  users: named("user", userSchema),
  contexts: named("context", contextSchema),
  "current-context": optional(text),
});

export type Cluster = z.infer<typeof clusterSchema>;
export type User = z.infer<typeof userSchema>;
export type Context = z.infer<typeof contextSchema>;
export type ExecPlugin = z.infer<typeof execSchema>;

/** A value and the file it came from, for messages. */
export interface Sourced<T> {
  readonly value: T;
  readonly file: string;
}

export interface Kubeconfig {
  readonly files: readonly string[];
  readonly clusters: ReadonlyMap<string, Sourced<Cluster>>;
  readonly users: ReadonlyMap<string, Sourced<User>>;
  readonly contexts: ReadonlyMap<string, Sourced<Context>>;
  readonly currentContext: string | undefined;
}

export type Parsed = { readonly config: Kubeconfig } | { readonly problems: readonly string[] };

export function parseKubeconfig(source: string, file: string): Parsed {
  const raw = readYaml(source);
  if ("problem" in raw) return { problems: [`${file}: ${raw.problem}`] };
  const result = fileSchema.safeParse(raw.value ?? {});
  if (!result.success) return { problems: result.error.issues.map((issue) => describeIssue(file, raw.value, issue)) };
  const { clusters, users, contexts } = result.data;
  const at = (path: string | undefined) => (path === undefined ? undefined : resolve(dirname(file), path));
  return {
    config: {
      files: [file],
      clusters: byName(file, clusters, ({ cluster }) => ({
        ...cluster,
        "certificate-authority": at(cluster["certificate-authority"]),
      })),
      users: byName(file, users, ({ user }) => absoluteUser(user, at)),
      contexts: byName(file, contexts, ({ context }) => context),
      currentContext: result.data["current-context"],
    },
  };
}

function readYaml(source: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: parseYaml(source, { logLevel: "error" }) as unknown };
  } catch (error) {
    // Only the place: the parser's own words quote the file, which may hold a token.
    const place = error instanceof YAMLParseError ? error.linePos?.[0] : undefined;
    return { problem: `not YAML${place === undefined ? "" : ` (line ${place.line}, column ${place.col})`}` };
  }
}

function absoluteUser(user: User, at: (path: string | undefined) => string | undefined): User {
  // A command without a slash is looked up in PATH; one with a slash is relative to the file.
  const command = user.exec?.command;
  const local = command?.includes("/") === true;
  return {
    ...user,
    "client-certificate": at(user["client-certificate"]),
    "client-key": at(user["client-key"]),
    tokenFile: at(user.tokenFile),
    exec: user.exec === undefined ? undefined : { ...user.exec, command: (local && at(command)) || user.exec.command },
  };
}

/** The first entry of a name wins, as in kubectl. */
function byName<E extends { readonly name: string }, T>(
  file: string,
  entries: readonly E[] | undefined,
  value: (entry: E) => T,
): ReadonlyMap<string, Sourced<T>> {
  const map = new Map<string, Sourced<T>>();
  for (const entry of entries ?? []) {
    if (!map.has(entry.name)) map.set(entry.name, { value: value(entry), file });
  }
  return map;
}

/** `~/.kube/config: users[0] "admin": user.token: expected string`. Never the value: it may be a secret. */
function describeIssue(file: string, raw: unknown, issue: z.core.$ZodIssue): string {
  const [list, index, ...rest] = issue.path;
  if (list === undefined) return `${file}: not a kubeconfig, which is a mapping with clusters, users and contexts`;
  const lists = typeof raw === "object" && raw !== null ? (raw as Readonly<Record<PropertyKey, unknown>>) : {};
  const entry: unknown =
    Array.isArray(lists[list ?? ""]) && typeof index === "number" ? (lists[list ?? ""] as unknown[])[index] : undefined;
  const name = typeof entry === "object" && entry !== null && "name" in entry ? ` "${String(entry.name)}"` : "";
  const where = [String(list ?? "file"), ...(index === undefined ? [] : [`[${String(index)}]${name}`])].join("");
  const field = rest.length === 0 ? "" : ` ${rest.map(String).join(".")}`;
  return `${file}: ${where}${field}: ${issue.message}`;
}
