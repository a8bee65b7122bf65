// HTTPS_PROXY, HTTP_PROXY and NO_PROXY, read as Go's programs read them, so that what works for kubectl works here.

import { BlockList, isIP } from "node:net";
import { MainstayError } from "../../core/errors.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export function environmentProxy(server: string, environment: Environment): string | undefined {
  const url = new URL(server);
  const name = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const proxy = environment[name] || environment[name.toLowerCase()];
  if (!proxy || bypasses(url, environment["NO_PROXY"] || environment["no_proxy"] || "")) return undefined;
  const address = proxy.includes("://") ? proxy : `http://${proxy}`;
  const problem = proxyProblem(address);
  if (problem === undefined) return address;
  throw new MainstayError({
    reason: "ConfigurationInvalid",
    message: `environment: ${name}: ${problem}`,
    hint: "Correct the variable, or list the server in NO_PROXY.",
  });
}

/** Never quotes the address: it may hold a password. */
export function proxyProblem(address: string): string | undefined {
  const protocol = URL.canParse(address) ? new URL(address).protocol : undefined;
  if (protocol === undefined) return "not an address";
  if (["http:", "https:", "socks5:"].includes(protocol)) return undefined;
  return `only http, https and socks5 proxies are supported, not ${protocol.slice(0, -1)}`;
}

function bypasses(url: URL, noProxy: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  if (host === "localhost" || isLoopback(host)) return true;
  const entries = noProxy
    .toLowerCase()
    .split(",")
    .map((entry) => entry.trim());
  return entries.some((entry) => entry !== "" && matches(entry, host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  if (entry.includes("/")) return inSubnet(entry, host);
  const [, name = entry, wantedPort] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
  if (wantedPort !== undefined && wantedPort !== port) return false;
  const bare = name.replace(/^\[|\]$/g, "");
  if (isIP(bare) !== 0 || isIP(host) !== 0) return bare === host;
  // `example.com` covers itself and what is below it, `.example.com` only what is below it.
  const suffix = bare.replace(/^\*?\./, "");
  return host.endsWith(`.${suffix}`) || (host === suffix && bare === suffix);
}

function inSubnet(entry: string, host: string): boolean {
  const [network = "", bits = ""] = entry.split("/");
  const family = familyOf(network);
  if (isIP(host) === 0 || isIP(network) === 0 || family !== familyOf(host) || !/^\d+$/.test(bits)) return false;
  if (Number(bits) > (family === "ipv6" ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family);
  return list.check(host, family);
}

function isLoopback(host: string): boolean {
  return host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}
