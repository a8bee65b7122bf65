// keepalived's configuration for one gateway: an instance for each group that the gateway is in. Its adverts carry one address that
// never changes and every other address is "excluded" from them, so gateways whose documents differ for a while still agree on who
// leads. What cannot be written as one word of one statement is left out: no input yields a second statement.

import { invariant } from "../../../../core/errors.ts";
import { canonicalAddress, familyOf } from "../../../../core/net/ip.ts";
import type { GatewayDocument, VrrpGroup } from "../model/document.ts";
import type { LocalGateway } from "../model/local-gateway.ts";
import { instanceAddresses, type PlacedAddress } from "./instance-addresses.ts";
import { basePriority } from "./priorities.ts";

export interface KeepalivedSettings {
  /** The track file: it holds 0, or `readyBonus` while the gateway's rules are current. */
  readonly readyFile: string;
  /** What a gateway beside this one that runs ch-k8s-lbaas expects; counts in `compat` mode only. */
  readonly compat?: CompatSettings;
}

export interface CompatSettings {
  /** keepalived cuts it after eight characters, here and there. */
  readonly password: string;
  /** Absent: by the group's order, as without `compat`. */
  readonly priority?: number;
}

type Told = Pick<GatewayDocument, "vrrp" | "groups" | "addresses">;
type Local = Pick<LocalGateway, "name" | "externalInterface" | "internalInterface">;

/** What the gateway itself is configured with has been checked before: here a text that keepalived could misread throws. */
export function renderKeepalived(document: Told, local: Local, settings: KeepalivedSettings): string {
  invariant(localProblems(local, settings).length === 0, localProblems(local, settings).join("; "));
  const instances = document.groups.flatMap((group) => renderInstance(document, group, local, settings));
  return [...renderGlobals(document, local, settings), ...instances, ""].join("\n");
}

const plainName = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/;
// What means something to keepalived is in none of them: white space, quotes, braces, `!`, `#`, `$`, `@`, `~`, `\`.
const plainInterface = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,14}$/;
const plainPath = /^(\/[A-Za-z0-9_.+-]+)+$/;
const plainPassword = /^[A-Za-z0-9_.,:;=+*/%&()<>?^|-]+$/;

/** Why keepalived cannot be configured with what the gateway knows of itself. */
export function localProblems(local: Local, { readyFile, compat }: KeepalivedSettings): readonly string[] {
  const expected: readonly (readonly [string, string | undefined, RegExp])[] = [
    ["the gateway's name", local.name, plainName],
    ["the external interface", local.externalInterface, plainInterface],
    ["the internal interface", local.internalInterface, plainInterface],
    ["the ready file", readyFile, plainPath],
    // Not shown: it is a secret, if a weak one.
    ["the VRRP password", compat?.password, plainPassword],
  ];
  return expected.flatMap(([what, text, pattern]) =>
    text === undefined || pattern.test(text) ? [] : [`${what} has characters that keepalived reads as something else`],
  );
}

function renderGlobals({ vrrp }: Told, { name }: Local, { readyFile }: KeepalivedSettings) {
  return [
    ...block("global_defs", [
      `router_id ${name}`,
      `vrrp_version ${vrrp.mode === "compat" ? 2 : 3}`,
      "vrrp_garp_master_repeat 3",
      "vrrp_garp_master_delay 1",
      "vrrp_garp_master_refresh 10",
    ]),
    // A weight of 0 would be FAULT; with this one a gateway that is not ready still leads where no other is.
    ...block("track_file ready", [`file ${readyFile}`, "weight 1"]),
  ];
}

function renderInstance(document: Told, group: VrrpGroup, local: Local, settings: KeepalivedSettings) {
  const { advertised, excluded } = instanceAddresses(document, group, local);
  if (!isSound(group) || !group.order.includes(local.name) || advertised.length === 0) return [];
  return block(`vrrp_instance ${group.name}`, [
    "state BACKUP",
    `interface ${local.externalInterface}`,
    `virtual_router_id ${group.virtualRouterId}`,
    ...(document.vrrp.mode === "compat"
      ? compatLines(group, local, settings.compat ?? { password: "useless" })
      : vrrp3Lines(document.vrrp, group, local)),
    ...block("track_interface", [local.internalInterface]),
    ...block("virtual_ipaddress", advertised.map(addressLine)),
    ...(excluded.length === 0 ? [] : block("virtual_ipaddress_excluded", excluded.map(addressLine))),
  ]);
}

function isSound({ name, virtualRouterId }: VrrpGroup): boolean {
  return plainName.test(name) && Number.isInteger(virtualRouterId) && virtualRouterId >= 1 && virtualRouterId <= 255;
}

function vrrp3Lines({ advertIntervalMs, unicast }: Told["vrrp"], group: VrrpGroup, { name }: Local) {
  // Adverts name their interval in hundredths of a second, in twelve bits.
  const hundredths = Math.min(Math.max(Math.round((advertIntervalMs || 0) / 10), 1), 4_095);
  const addressOf = (gateway: string) => (Object.hasOwn(unicast, gateway) ? v4Address(unicast[gateway]) : undefined);
  const own = addressOf(name);
  const peers = [...new Set(group.order)].filter((peer) => peer !== name).map(addressOf);
  const known = peers.filter((peer) => peer !== undefined);
  return [
    `priority ${basePriority(group.order.indexOf(name))}`,
    `advert_int ${hundredths / 100}`,
    ...(own === undefined || known.length === 0 ? [] : [`unicast_src_ip ${own}`, ...block("unicast_peer", known)]),
    ...block("track_file", ["ready"]),
  ];
}

/** As the reference speaks it: multicast, a second between adverts. */
function compatLines(group: VrrpGroup, { name }: Local, { password, priority }: CompatSettings) {
  const lines = ["advert_int 1", ...block("authentication", ["auth_type PASS", `auth_pass ${password.slice(0, 8)}`])];
  // A priority that is set stands against a fixed one of the other gateway: readiness must not add to it.
  return priority === undefined
    ? [`priority ${basePriority(group.order.indexOf(name))}`, ...lines, ...block("track_file", ["ready"])]
    : [`priority ${Math.min(Math.max(Math.trunc(priority || 100), 1), 254)}`, ...lines];
}

function v4Address(text: string | undefined): string | undefined {
  return text !== undefined && familyOf(text) === 4 ? canonicalAddress(text) : undefined;
}

function addressLine({ address, interface: name }: PlacedAddress): string {
  return `${address}/${familyOf(address) === 4 ? 32 : 128} dev ${name}`;
}

function block(head: string, lines: readonly string[]): readonly string[] {
  return [`${head} {`, ...lines.map((line) => `  ${line}`), "}"];
}
