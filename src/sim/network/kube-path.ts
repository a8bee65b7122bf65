// What a request to the API server is about, read from its path.

export interface KubePath {
  /** As storage names it: `group/plural`. */
  readonly resource: string;
  readonly plural: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  readonly watch: boolean;
}

const pattern =
  /^\/(?:api\/[^/]+|apis\/(?<group>[^/]+)\/[^/]+)(?:\/namespaces\/(?<namespace>[^/]+)(?=\/))?\/(?<plural>[^/]+)(?:\/(?<name>[^/]+))?(?:\/(?<sub>[^/]+))?$/;

export function parseKubePath(path: string): KubePath | undefined {
  const [where = "", query = ""] = path.split("?", 2);
  const groups = pattern.exec(where)?.groups;
  const plural = groups?.["plural"];
  if (plural === undefined) return undefined;
  return {
    resource: `${groups?.["group"] ?? ""}/${plural}`,
    plural,
    namespace: groups?.["namespace"],
    name: groups?.["name"],
    subresource: groups?.["sub"],
    watch: /(^|&)watch=(true|1)/.test(query),
  };
}

/** `configmaps/default/a`, `specimens/default/a/status`; the path itself when it is about no resource. */
export function targetOf(path: string, parsed: KubePath | undefined): string {
  if (parsed === undefined) return path.split("?", 1)[0] ?? path;
  const { plural, namespace, name, subresource } = parsed;
  return [plural, namespace, name, subresource].filter((part) => part !== undefined).join("/");
}

/** The key of a named object in storage. */
export function keyOfPath({ namespace, name = "" }: KubePath): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
