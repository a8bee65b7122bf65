// What differs between two documents, as one transaction of deleted and added elements. It costs what the change costs: whatever is the
// same object in both, or has the same content, is not rendered. After it the kernel holds what `renderRuleset` of the second would load.

import { sameJson } from "../../../../apis/text/json-path.ts";
import { invariant } from "../../../../core/errors.ts";
import type { Forwarding, GatewayDocument, VirtualAddress, VrrpGroup } from "../model/document.ts";
import {
  addressElements,
  type ElementSet,
  type Emit,
  elementKey,
  elementSets,
  forwardingElements,
  groupElements,
} from "./elements.ts";
import { type NftWords, nftFamilies } from "./nft-family.ts";
import { renderElements } from "./render-elements.ts";
import { sameForwarding } from "./same-forwarding.ts";

/** Undefined: nothing to do. Both documents must have passed `checkDocument`, and the first must be what the kernel holds. */
export function renderChange(before: GatewayDocument, after: GatewayDocument): string | undefined {
  const [gone, come] = [new Gathered(), new Gathered()];
  emitAddresses(before, after, gone.emit);
  emitAddresses(after, before, come.emit);
  const forwardings = changed(before.forwardings, after.forwardings);
  for (const forwarding of forwardings.gone) forwardingElements(forwarding, gone.emit);
  for (const forwarding of forwardings.come) forwardingElements(forwarding, come.emit);
  const script = [...gone.commands("delete", come), ...come.commands("add", gone)].join("");
  return script === "" ? undefined : script;
}

/** Elements of what is in `one` and not, or not like this, in `other`. */
function emitAddresses(one: GatewayDocument, other: GatewayDocument, emit: Emit): void {
  const groups = byName(one.groups);
  const otherGroups = byName(other.groups);
  const sameGroup = (name: string) =>
    sameJson(groups.get(name)?.sourceAddresses, otherGroups.get(name)?.sourceAddresses);
  for (const group of one.groups) if (!sameGroup(group.name)) groupElements(group, emit);
  const known = new Map(other.addresses.map(({ address, group }) => [address, group]));
  for (const address of one.addresses) {
    if (known.get(address.address) === address.group && sameGroup(address.group)) continue;
    emitAddress(address, groups, emit);
  }
}

function emitAddress(address: VirtualAddress, groups: ReadonlyMap<string, VrrpGroup>, emit: Emit): void {
  const group = groups.get(address.group);
  invariant(group !== undefined, `${address.address}: a group of the document, not ${address.group}`);
  addressElements(address, group, emit);
}

function byName(groups: readonly VrrpGroup[]): ReadonlyMap<string, VrrpGroup> {
  return new Map(groups.map((group) => [group.name, group]));
}

interface Changed {
  readonly gone: readonly Forwarding[];
  readonly come: readonly Forwarding[];
}

/** Neighbours in both lists first, then by identity, then by key: most documents differ from the one before in a few places. */
function changed(before: readonly Forwarding[], after: readonly Forwarding[]): Changed {
  const gone = before.filter((one, index) => !sameAt(after, index, one));
  const come = after.filter((one, index) => !sameAt(before, index, one));
  const [earlier, later] = [new Set(gone), new Set(come)];
  const byKey = new Map(gone.filter((one) => !later.has(one)).map((one) => [elementKey(one), one]));
  const left = come.filter((one) => {
    if (earlier.has(one)) return false;
    const partner = byKey.get(elementKey(one));
    return partner === undefined || !sameForwarding(partner, one) || !byKey.delete(elementKey(one));
  });
  return { gone: [...byKey.values()], come: left };
}

function sameAt(list: readonly Forwarding[], index: number, forwarding: Forwarding): boolean {
  const other = list[index];
  return other !== undefined && sameForwarding(other, forwarding);
}

/** Elements by family and set, with their data. */
class Gathered {
  readonly #elements = new Map<string, Map<string, string>>();

  readonly emit: Emit = (words, set, key, data = "") => {
    const name = `${words.ip} ${set}`;
    const ofSet = this.#elements.get(name);
    if (ofSet === undefined) this.#elements.set(name, new Map([[key, data]]));
    else ofSet.set(key, data);
  };

  /** For what is not the same in `other`. */
  commands(verb: "add" | "delete", other: Gathered): readonly string[] {
    return nftFamilies.flatMap((words) =>
      elementSets.flatMap((set) => renderElements(verb, words, set, this.#texts(verb, words, set, other))),
    );
  }

  #texts(verb: "add" | "delete", words: NftWords, set: ElementSet, other: Gathered): readonly string[] {
    const name = `${words.ip} ${set}`;
    const theirs = other.#elements.get(name);
    return [...(this.#elements.get(name) ?? [])]
      .filter(([key, data]) => theirs?.get(key) !== data)
      .map(([key, data]) => (verb === "add" && data !== "" ? `${key} : ${data}` : key));
  }
}
