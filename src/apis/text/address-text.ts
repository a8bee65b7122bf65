// Whether a text is an IP address or a range of addresses, and nothing more: core/net/ip.ts parses them.

const octet = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
const ipv4 = new RegExp(`^${octet}([.]${octet}){3}$`);
const group = /^[0-9A-Fa-f]{1,4}$/;

export function isAddress(text: string): boolean {
  return familyOf(text) !== undefined;
}

/** An address, or an address with the length of a prefix. */
export function isAddressOrRange(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const family = familyOf(address);
  if (family === undefined || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

function familyOf(text: string): 4 | 6 | undefined {
  if (ipv4.test(text)) return 4;
  return isIpv6(text) ? 6 : undefined;
}

/** Eight groups, one run of zeros perhaps left out, the last two perhaps written as IPv4. */
function isIpv6(text: string): boolean {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.map((half) => (half === "" ? [] : half.split(":")));
  const last = groups.at(-1)?.at(-1) ?? "";
  const isMixed = last.includes(".");
  if (isMixed && !ipv4.test(last)) return false;
  const all = groups.flat();
  const hex = isMixed ? all.slice(0, -1) : all;
  const count = hex.length + (isMixed ? 2 : 0);
  return hex.every((one) => group.test(one)) && (halves.length === 2 ? count < 8 : count === 8);
}
