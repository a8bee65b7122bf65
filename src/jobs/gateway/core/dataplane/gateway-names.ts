// Names that the operator gave, as a script may hold them: quoted interfaces, and a table and a chain that nftables takes as names. What is
// neither is a problem for whoever reads the configuration, and never gets into a script.

import { invariant } from "../../../../core/errors.ts";
import { canonicalAddress } from "../../../../core/net/ip.ts";
import type { LocalGateway } from "../model/local-gateway.ts";

const interfaceName = /^[A-Za-z0-9_.-]{1,15}$/;
const nftName = /^[A-Za-z][A-Za-z0-9_./-]{0,127}$/;

/** What is wrong with a gateway's own settings, as far as its ruleset needs them. */
export function localProblems(local: LocalGateway): readonly string[] {
  const { bits, mask } = local.connectionMark;
  const names = [local.acceptIn?.table, local.acceptIn?.chain].filter((name) => name !== undefined);
  return [
    ...[local.externalInterface, local.internalInterface]
      .filter((name) => !interfaceName.test(name))
      .map((name) => `${JSON.stringify(name)} is no name of an interface`),
    ...names
      .filter((name) => !nftName.test(name))
      .map((name) => `${JSON.stringify(name)} is no name of a table or chain`),
    ...(isWord(bits) && isWord(mask) && (bits & ~mask) === 0
      ? []
      : [`the mark ${bits} is not within the mask ${mask}`]),
    ...local.ownAddresses
      .filter((address) => canonicalAddress(address) === undefined)
      .map((address) => `${JSON.stringify(address)} is no address`),
  ];
}

export function gatewayNames(local: LocalGateway): { readonly external: string; readonly internal: string } {
  return { external: quoted(local.externalInterface), internal: quoted(local.internalInterface) };
}

/** `inet filter forward`. */
export function acceptChain(acceptIn: NonNullable<LocalGateway["acceptIn"]>): string {
  const { family, table, chain } = acceptIn;
  for (const name of [table, chain])
    invariant(nftName.test(name), `a name of a table or chain: ${JSON.stringify(name)}`);
  return `${family} ${table} ${chain}`;
}

function quoted(name: string): string {
  invariant(interfaceName.test(name), `a name of an interface: ${JSON.stringify(name)}`);
  return `"${name}"`;
}

function isWord(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff;
}
