// What a request is about, read from its method and path alone: which verb on which resource, or a path of the server itself.

import type { KubeHttpRequest } from "../../../../ports/kube-transport.ts";

export interface ResourceRequest {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  /** The one object that a field selector of a collection names: rights to it by name are enough. */
  readonly selectedName: string | undefined;
  readonly subresource: string | undefined;
}

export interface RequestInfo {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Undefined: a path of the server, such as /version. */
  readonly resource: ResourceRequest | undefined;
}

export function requestInfo(request: KubeHttpRequest): RequestInfo {
  const mark = request.path.indexOf("?");
  const path = mark < 0 ? request.path : request.path.slice(0, mark);
  const query = new URLSearchParams(mark < 0 ? "" : request.path.slice(mark + 1));
  const method = request.method.toUpperCase();
  const resource = resourceRequest(method, path, query);
  return { method, path, query, headers: request.headers, body: request.body ?? "", resource };
}

function resourceRequest(method: string, path: string, query: URLSearchParams): ResourceRequest | undefined {
  const parts = path.split("/").filter((word) => word !== "");
  const words = path.includes("%") ? parts.map(decodeURIComponent) : parts;
  const root = words.shift();
  const group = root === "api" ? "" : root === "apis" ? words.shift() : undefined;
  const version = words.shift();
  if (group === undefined || version === undefined || words.length === 0) return undefined;
  // The old way to ask for a watch: /api/v1/watch/namespaces/x/pods.
  const watchPath = words[0] === "watch" && words.length > 1;
  if (watchPath) words.shift();
  const scope = namespaceScope(words);
  const [plural = "", name, ...rest] = scope.words;
  const subresource = rest.length === 0 ? undefined : rest.join("/");
  const verb = verbOf(method, name, watchPath || (name === undefined && asksForWatch(query)));
  const selectedName = name === undefined && method !== "POST" ? nameSelectedBy(query) : undefined;
  return { verb, group, version, plural, namespace: scope.namespace, name, selectedName, subresource };
}

function namespaceScope(words: readonly string[]): { namespace: string | undefined; words: readonly string[] } {
  const [first, namespace, third] = words;
  const ofNamespaceItself = third === undefined || third === "status" || third === "finalize";
  if (first !== "namespaces" || namespace === undefined || ofNamespaceItself) return { namespace: undefined, words };
  return { namespace, words: words.slice(2) };
}

function asksForWatch(query: URLSearchParams): boolean {
  const value = query.get("watch");
  return value !== null && value !== "0" && value !== "false";
}

function nameSelectedBy(query: URLSearchParams): string | undefined {
  const term = /(?:^|,)metadata\.name==?([^,\\]+)(?:,|$)/.exec(query.get("fieldSelector") ?? "");
  return term?.[1];
}

function verbOf(method: string, name: string | undefined, watch: boolean): string {
  if (method === "GET" || method === "HEAD") return watch ? "watch" : name === undefined ? "list" : "get";
  if (method === "POST") return "create";
  if (method === "PUT") return "update";
  if (method === "PATCH") return "patch";
  if (method === "DELETE") return name === undefined ? "deletecollection" : "delete";
  return method.toLowerCase();
}
