// Plain calls on one namespace's objects for behaviours below the client: method, path, body; status and decoded body back.

import type { GetContext } from "../kube-target.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // Wire data of many shapes: behaviours say what they expect of it.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

const types = {
  json: "application/json",
  merge: "application/merge-patch+json",
  jsonPatch: "application/json-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

export async function call(
  get: GetContext,
  method: string,
  path: string,
  body?: unknown,
  type: keyof typeof types | string = "json",
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const contentType = Object.entries(types).find(([name]) => name === type)?.[1] ?? type;
  const response = await get().transport.send({
    method,
    path,
    headers: { ...(body === undefined ? {} : { "content-type": contentType }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `/api/v1/namespaces/<the suite's>/configmaps[/name]` */
export function pathOf(get: GetContext, plural: string, name = "", group = ""): string {
  const root = group === "" ? "/api/v1" : `/apis/${group}`;
  return `${root}/namespaces/${get().namespace}/${plural}${name === "" ? "" : `/${name}`}`;
}

export function configMap(name: string, extra: object = {}, metadata: object = {}): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata }, ...extra };
}

/** Creates and gives back the stored object; anything but 201 fails the behaviour. */
export async function created(get: GetContext, path: string, object: object): Promise<Answer["body"]> {
  const answer = await call(get, "POST", path, object);
  if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
  return answer.body;
}

export function fieldsOf(answer: Answer): readonly string[] {
  return (answer.body?.details?.causes ?? []).map((cause: { readonly field: string }) => cause.field);
}

export function messagesOf(answer: Answer): readonly string[] {
  return (answer.body?.details?.causes ?? []).map(
    (cause: { readonly field: string; readonly message: string }) => `${cause.field}: ${cause.message}`,
  );
}
