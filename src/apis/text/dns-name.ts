// What counts as a DNS name: RFC 1123 labels, perhaps with a closing dot, and never anything that a client could take for an
// address. The patterns are RE2, so that the API server's rules and this program's checks are the same text.

export const dnsNamePattern =
  "^[A-Za-z0-9]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?([.][A-Za-z0-9]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?)*[.]?$";
/** A last label that is a number, in any of the bases that resolvers read. */
export const numericEndPattern = "(^|[.])([0-9]+|0[xX][0-9A-Fa-f]*)[.]?$";
export const maxDnsNameLength = 253;

const dnsName = new RegExp(dnsNamePattern);
const numericEnd = new RegExp(numericEndPattern);

export function isDnsName(text: string): boolean {
  return withoutClosingDot(text).length <= maxDnsNameLength && dnsName.test(text) && !numericEnd.test(text);
}

/** `api.example.com.` and `api.example.com` are one name; records and certificates have it without the dot. */
export function withoutClosingDot(name: string): string {
  return name.endsWith(".") ? name.slice(0, -1) : name;
}
