// A failure of the proxy in front of a server. It is told apart from the server's own failures, because the remedy differs.

export class ProxyError extends Error {
  readonly code: "ERR_PROXY" | "ERR_PROXY_UNTRUSTED";

  /** `proxy` is its host and port: the address itself may hold a password. */
  constructor(proxy: string, what: string, cause?: unknown) {
    const why = cause instanceof Error ? `: ${cause.message}` : "";
    super(`the proxy ${proxy} ${what}${why}`, { cause });
    this.name = "ProxyError";
    this.code = isUntrusted(cause) ? "ERR_PROXY_UNTRUSTED" : "ERR_PROXY";
  }
}

function isUntrusted(cause: unknown): boolean {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return code.includes("CERT") || code.includes("SIGNATURE");
}
