// The one network or subnet that a selector means. None and many are answers of their own, in words.

import type { Network, Subnet } from "../../../../core/openstack/neutron-objects.ts";
import { isOpenStackError } from "../../../../core/openstack/openstack-error.ts";
import type { NeutronReader } from "../../../../ports/neutron.ts";
import type { CloudCallOptions } from "../../../../ports/openstack.ts";
import type { NetworkSelector, SubnetFilter, SubnetSelector } from "../../core/model/intent.ts";
import type { Found } from "../../core/model/observed.ts";
import type { AskPlace } from "./place-answers.ts";

export interface Resolver {
  readonly neutron: NeutronReader;
  readonly call: CloudCallOptions;
  readonly ask: AskPlace;
}

export async function findNetwork(
  selector: NetworkSelector,
  extra: { readonly external?: boolean },
  { neutron, call, ask }: Resolver,
): Promise<Found<Network>> {
  const { id } = selector;
  if (id !== undefined)
    return await ask(`network ${id}`, () => byId("network", id, () => neutron.getNetwork(id, call)), isOne);
  const { projectID, ...filter } = selector.filter;
  const query = { ...filter, ...(projectID === undefined ? {} : { projectId: projectID }), ...extra };
  const { external, ...shown } = { ...selector.filter, ...extra };
  const noun = external === true ? "external network" : "network";
  const list = async () => theOnly(noun, shown, await neutron.listNetworks(query, call));
  return await ask(`network ${JSON.stringify(query)}`, list, isOne);
}

export async function findSubnet(
  selector: SubnetSelector,
  within: Pick<Network, "id" | "name"> | undefined,
  { neutron, call, ask }: Resolver,
): Promise<Found<Subnet>> {
  const { id } = selector;
  if (id !== undefined)
    return await ask(`subnet ${id}`, () => byId("subnet", id, () => neutron.getSubnet(id, call)), isOne);
  const query = { ...subnetQuery(selector.filter), ...(within === undefined ? {} : { networkId: within.id }) };
  const list = async () => theOnly("subnet", selector.filter, await neutron.listSubnets(query, call), within);
  return await ask(`subnet ${JSON.stringify(query)}`, list, isOne);
}

function subnetQuery({ projectID, gatewayIP, ipv6RAMode, ...filter }: SubnetFilter) {
  return {
    ...filter,
    ...(projectID === undefined ? {} : { projectId: projectID }),
    ...(gatewayIP === undefined ? {} : { gatewayIp: gatewayIP }),
    ...(ipv6RAMode === undefined ? {} : { ipv6RaMode: ipv6RAMode }),
  };
}

function isOne({ found }: Found<unknown>): boolean {
  return found === "one";
}

async function byId<T>(what: string, id: string, get: () => Promise<T>): Promise<Found<T>> {
  try {
    return { found: "one", value: await get() };
  } catch (error) {
    if (!isOpenStackError(error, "NotFound")) throw error;
    return { found: "none", message: `${what} ${id}: the project can see no such ${what}` };
  }
}

function theOnly<T extends { readonly id: string }>(
  noun: string,
  filter: object,
  found: readonly T[],
  within?: Pick<Network, "id" | "name">,
): Found<T> {
  const [first, ...others] = found;
  const which = `${filterWords(filter)}${within === undefined ? "" : ` in network ${within.name || within.id}`}`;
  if (first === undefined) return { found: "none", message: `no ${noun}${which}` };
  if (others.length === 0) return { found: "one", value: first };
  const ids = found.map(({ id }) => id).toSorted();
  const more = ids.length > 3 ? ", …" : "";
  return { found: "many", message: `${found.length} ${noun}s${which}: ${ids.slice(0, 3).join(", ")}${more}` };
}

/** As the user wrote it, with its fields' names. */
function filterWords({ name, ...others }: { readonly name?: string }): string {
  const fields = Object.entries(others).map(([field, value]) => `${field} ${[value].flat().join(", ")}`);
  return [name === undefined ? "" : ` named ${name}`, fields.length === 0 ? "" : ` with ${fields.join(" and ")}`].join(
    "",
  );
}
