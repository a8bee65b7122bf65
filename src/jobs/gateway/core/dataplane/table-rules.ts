// The own table of one family without its elements: sets, maps and rules. It depends on the gateway alone and never on a document, so
// it is made once. The way of a packet that opens a connection:
//
//   admit ─▶ translate ─▶ single | by_connection_N | by_client_N ─▶ (routing) ─▶ forward ─▶ source
//
// Later packets of a connection take the forward chain only, to be counted: the kernel translates them.

import { familyOf } from "../../../../core/net/ip.ts";
import { bucketCounts, type Forwarding } from "../model/document.ts";
import type { LocalGateway } from "../model/local-gateway.ts";
import { hashChain } from "./elements.ts";
import { gatewayNames } from "./gateway-names.ts";
import { addressText, hex, type NftWords, tableName } from "./nft-family.ts";
import { bucketSeed, marksFrom, ourMarks, slotSeed, slots } from "./packet-marks.ts";

export function renderTable(words: NftWords, local: LocalGateway): string {
  const parts = [...sets(words), ownAddresses(words, local), ...chains(words, local)];
  return [`table ${words.ip} ${tableName} {`, ...parts.map((part) => part.replace(/^(?=.)/gm, "  ")), "}", ""].join(
    "\n",
  );
}

function sets({ addressType }: NftWords): readonly string[] {
  const port = `${addressType} . inet_proto . inet_service`;
  const endpoint = `${addressType} . inet_service`;
  return [
    block("set addresses", [`type ${addressType}`]),
    block("set sources", [`type ${addressType}`]),
    block("map source_of", [`type ${addressType} . mark : ${addressType}`]),
    block("set restricted", [`type ${port}`]),
    block("set allowed", [`type ${port} . ${addressType}`, "flags interval"]),
    block("map empty", [`type ${port} : verdict`]),
    // Its counter counts connections.
    block("map forwardings", [`type ${port} : verdict`, "counter"]),
    block("map endpoint", [`type ${port} : ${endpoint}`]),
    block("map endpoints", [`type ${port} . mark : ${endpoint}`]),
    block("set keeps_client", [`type ${port}`]),
    block("set hairpin", [`type ${port} . ${addressType}`]),
    block("set returning", [`type ${port}`]),
    block("map returns_as", [`type ${port} : ${endpoint}`]),
    block("set received", [`type ${port}`, "counter"]),
    block("set sent", [`type ${port}`, "counter"]),
  ];
}

function ownAddresses(words: NftWords, local: LocalGateway): string {
  const own = local.ownAddresses.filter((address) => familyOf(address) === words.family);
  const elements = [...new Set(own.map((address) => addressText(words, address)))];
  return block("set own", [
    `type ${words.addressType}`,
    ...(elements.length === 0 ? [] : [`elements = { ${elements.join(", ")} }`]),
  ]);
}

function chains(words: NftWords, local: LocalGateway): readonly string[] {
  const opened = `${words.ip} daddr . meta l4proto . th dport`;
  return [
    block("chain admit", [
      "type filter hook prerouting priority dstnat - 10; policy accept;",
      "ct state != new accept",
      `${opened} @restricted ${opened} . ${words.ip} saddr != @allowed counter drop`,
      `${opened} vmap @empty`,
    ]),
    block("chain refuse", [
      "meta l4proto tcp counter reject with tcp reset",
      `counter reject with ${words.portUnreachable}`,
    ]),
    block("chain translate", [
      "type nat hook prerouting priority dstnat; policy accept;",
      `${opened} vmap @forwardings`,
      `${fromInside(local)}${words.ip} saddr . meta l4proto . th sport @returning ${markConnection(local)}`,
    ]),
    ...hashChains(words, local),
    clearMarks("prerouting", "dstnat"),
    ...untranslated(words, local),
    ...forwarded(words),
    ...sources(words, local),
    clearMarks("postrouting", "srcnat"),
  ];
}

function hashChains(words: NftWords, local: LocalGateway): readonly string[] {
  const opened = `${words.ip} daddr . meta l4proto . th dport`;
  const to = `dnat ${words.ip} addr . port to`;
  const hashed = { none: `${words.ip} saddr . th sport`, client: `${words.ip} saddr` };
  const chain = (affinity: Forwarding["affinity"], count: (typeof bucketCounts)[number]) =>
    block(`chain ${hashChain(affinity, count)}`, [
      markConnection(local),
      `meta mark set jhash ${hashed[affinity]} mod ${count} seed ${hex(bucketSeed)} offset ${hex(marksFrom.bucket)}`,
      `${to} ${opened} . meta mark map @endpoints`,
    ]);
  const several = bucketCounts.filter((count) => count > 1);
  return [
    block("chain single", [markConnection(local), `${to} ${opened} map @endpoint`]),
    ...several.map((count) => chain("none", count)),
    ...several.map((count) => chain("client", count)),
  ];
}

/** A mark chooses the endpoint or the source, and is gone before anything else can see it. */
function clearMarks(hook: "prerouting" | "postrouting", priority: "dstnat" | "srcnat"): string {
  return block(`chain clear_${hook}`, [
    `type filter hook ${hook} priority ${priority} + 10; policy accept;`,
    `meta mark & ${hex(ourMarks.mask)} == ${hex(ourMarks.value)} meta mark set 0`,
  ]);
}

/**
 * What is addressed to us and was not translated never reaches a program of the gateway's: no refusal may end a connection that another
 * gateway carries. The last rule is about addresses that keepalived has and the table does not know yet.
 */
function untranslated(words: NftWords, local: LocalGateway): readonly string[] {
  const { external, internal } = gatewayNames(local);
  const linkLocal = words.family === 6 ? "ip6 daddr != fe80::/10 " : "";
  const unknown = `iifname { ${[...new Set([external, internal])].join(", ")} } ${linkLocal}${words.ip} daddr != @own fib daddr type local goto untranslated`;
  const knowsOwn = local.ownAddresses.some((address) => familyOf(address) === words.family);
  return [
    block("chain untranslated", [
      `meta l4proto ${words.icmp} accept`,
      "tcp flags & (fin | syn | rst | ack) == syn counter reject with tcp reset",
      "counter drop",
    ]),
    block("chain untranslated_source", [`meta l4proto ${words.icmp} accept`, "counter drop"]),
    block("chain input", [
      "type filter hook input priority filter; policy accept;",
      `${words.ip} daddr @addresses goto untranslated`,
      `${words.ip} daddr @sources goto untranslated_source`,
      ...(knowsOwn ? [unknown] : []),
    ]),
  ];
}

/** nftables takes `ct original proto-dst` only in a rule that says this. */
const withPorts = "meta l4proto { tcp, udp, sctp }";

/** What the client connected to, also of translated packets. */
function openedBy({ ip }: NftWords): string {
  return `ct original ${ip} daddr . meta l4proto . ct original proto-dst`;
}

/** A gateway that does not lead, and is reached all the same, does not pass packets on. */
function forwarded(words: NftWords): readonly string[] {
  const connection = openedBy(words);
  return [
    block("chain forward", [
      "type filter hook forward priority filter; policy accept;",
      "ct status dnat goto count",
      `${words.ip} daddr @addresses counter drop`,
      `${words.ip} daddr @sources counter drop`,
    ]),
    block("chain count", [
      `${withPorts} ct direction original ${connection} @received accept`,
      `${withPorts} ct direction reply ${connection} @sent accept`,
    ]),
  ];
}

/**
 * Clients from inside are never kept: their endpoint would answer them directly. Where both sides are one interface, that is known of
 * endpoints only. `returns_as` picks up connections in which the endpoint speaks first after another gateway took over.
 */
function sources(words: NftWords, local: LocalGateway): readonly string[] {
  const { external, internal } = gatewayNames(local);
  const oneArmed = external === internal;
  const connection = openedBy(words);
  const fromOutside = oneArmed ? "" : `iifname != ${internal} `;
  const outwards = oneArmed ? "" : `iifname ${internal} oifname ${external} `;
  return [
    block("chain source", [
      "type nat hook postrouting priority srcnat; policy accept;",
      `ct status dnat ct original ${words.ip} daddr @addresses goto choose_source`,
      `${outwards}snat ${words.ip} addr . port to ${words.ip} saddr . meta l4proto . th sport map @returns_as`,
    ]),
    block("chain choose_source", [
      `${fromOutside}${withPorts} ${connection} @keeps_client ${connection} . ${words.ip} saddr != @hairpin accept`,
      `meta mark set jhash ${words.ip} saddr . th sport mod ${slots} seed ${hex(slotSeed)} offset ${hex(marksFrom.slot)}`,
      `snat ${words.ip} to ct original ${words.ip} daddr . meta mark map @source_of`,
    ]),
  ];
}

function fromInside(local: LocalGateway): string {
  const { external, internal } = gatewayNames(local);
  return external === internal ? "" : `iifname ${internal} `;
}

/** Only the operator's bits. */
function markConnection({ connectionMark: { bits, mask } }: LocalGateway): string {
  return `ct mark set ct mark & ${hex(~mask >>> 0)} | ${hex(bits)}`;
}

function block(head: string, lines: readonly string[]): string {
  return [`${head} {`, ...lines.map((line) => `  ${line}`), "}"].join("\n");
}
