// Refuses requests with a host name that is not ours (DNS rebinding) and requests from pages of other sites. A numeric address cannot
// be rebound, and localhost is always ours.

import { familyOf } from "../../core/net/ip.ts";
import { ApiFailure } from "../api-failure.ts";

export interface RequestHeaders {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly "sec-fetch-site"?: string | undefined;
}

/** `hosts`: names, without ports, under which this server is known beside its addresses. */
export function checkHost({ host = "" }: RequestHeaders, hosts: readonly string[]): void {
  const name = hostName(host);
  if (name === "localhost" || isAddress(name) || hosts.some((known) => known.toLowerCase() === name)) return;
  throw new ApiFailure(
    "wrong-host",
    "this server does not answer to that host name",
    "Use its address, or add the name to dashboard.hosts in the configuration.",
  );
}

/** Programs send no Origin; a page of another site always does when it changes something. */
export function checkOrigin({ host = "", origin, "sec-fetch-site": site }: RequestHeaders): void {
  const foreign = origin === undefined ? site === "cross-site" || site === "same-site" : !isOurs(origin, host);
  if (foreign) throw new ApiFailure("foreign-origin", "requests from pages of other sites are not answered");
}

function isOurs(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: named } = new URL(origin);
  return (protocol === "http:" || protocol === "https:") && named === host.toLowerCase();
}

function hostName(host: string): string {
  return host.replace(/:\d*$/, "").toLowerCase();
}

function isAddress(name: string): boolean {
  return familyOf(name.startsWith("[") ? name.slice(1, -1) : name) === (name.startsWith("[") ? 6 : 4);
}
