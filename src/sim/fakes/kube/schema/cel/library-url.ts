// URLs in rules. Parsed as a request line would be: absolute, or a path from the root; ports stay as written.

import { type Environment, EvaluationError } from "@marcbachmann/cel-js";

class CelUrl {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  constructor(scheme: string, host: string, path: string, query: string) {
    this.scheme = scheme;
    this.host = host;
    this.path = path;
    this.query = query;
  }
  toString(): string {
    const origin = this.scheme === "" ? "" : `${this.scheme}://${this.host}`;
    return `${origin}${this.path}${this.query === "" ? "" : `?${this.query}`}`;
  }
}

const absolute = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?#\s]*))?([^?#\s]*)(?:\?(\S*))?$/;
const rooted = /^(\/[^?\s]*)(?:\?(\S*))?$/;

export function registerUrl(env: Environment): void {
  env.registerType("kubernetes.URL", CelUrl);
  env.registerOperator("kubernetes.URL == kubernetes.URL", (a: CelUrl, b: CelUrl) => String(a) === String(b));
  env.registerFunction("isURL(string): bool", (text: string) => parseUrl(text) !== undefined);
  env.registerFunction("url(string): kubernetes.URL", needUrl);
  env.registerFunction("kubernetes.URL.getScheme(): string", (url: CelUrl) => url.scheme);
  env.registerFunction("kubernetes.URL.getHost(): string", (url: CelUrl) => url.host);
  env.registerFunction("kubernetes.URL.getHostname(): string", (url: CelUrl) => splitHost(url.host).hostname);
  env.registerFunction("kubernetes.URL.getPort(): string", (url: CelUrl) => splitHost(url.host).port);
  env.registerFunction("kubernetes.URL.getEscapedPath(): string", (url: CelUrl) => encodeURI(decodeURI(url.path)));
  env.registerFunction("kubernetes.URL.getQuery(): map<string, list<string>>", (url: CelUrl) => queryOf(url.query));
}

function parseUrl(text: string): CelUrl | undefined {
  const [, path, query = ""] = rooted.exec(text) ?? [];
  if (path !== undefined) return new CelUrl("", "", path, query);
  const [, scheme, authority = "", rest = "", search = ""] = absolute.exec(text) ?? [];
  if (scheme === undefined || (authority === "" && !rest.startsWith("/") && rest === "")) return undefined;
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  return isHost(host) ? new CelUrl(scheme.toLowerCase(), host, rest, search) : undefined;
}

function isHost(host: string): boolean {
  return /^(\[[0-9A-Fa-f:.%]+\]|[^[\]:]*)(:\d*)?$/.test(host);
}

function needUrl(text: string): CelUrl {
  const url = parseUrl(text);
  if (url === undefined) throw new EvaluationError(`URL parse error during conversion from string: '${text}'`);
  return url;
}

function splitHost(host: string): { readonly hostname: string; readonly port: string } {
  const [, hostname = "", port = ""] = /^(.*?)(?::(\d*))?$/.exec(host) ?? [];
  return { hostname: hostname.replace(/^\[(.*)\]$/, "$1"), port };
}

function queryOf(query: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const [key, value] of new URLSearchParams(query)) values.set(key, [...(values.get(key) ?? []), value]);
  return values;
}
