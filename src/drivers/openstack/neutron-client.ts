// The Neutron port over HTTP: which request each operation is.

import { z } from "zod";
import type { TagFilter } from "../../core/openstack/neutron-objects.ts";
import { present } from "../../core/present.ts";
import type { Neutron, NeutronReader } from "../../ports/neutron.ts";
import type { CloudCallOptions } from "../../ports/openstack.ts";
import { listAll, listByValues } from "./list-all.ts";
import type { Subject } from "./login/subject.ts";
import { floatingIpWrites } from "./neutron-floating-ips.ts";
import { knownAliases } from "./neutron-if-match.ts";
import { portCalls } from "./neutron-ports.ts";
import type { ProjectCalls } from "./project-calls.ts";
import { extension, floatingIp, network, port, router, subnet } from "./wire/decode-neutron.ts";
import type { QueryValues } from "./wire/query.ts";
import { wrapped } from "./wire/wire.ts";

const base = "/v2.0";

export function neutronClient(calls: ProjectCalls): Neutron {
  const get = <T>(kind: string, id: string, schema: z.ZodType<T>, options?: CloudCallOptions) =>
    calls.read(
      { subject: about("get", kind, id), method: "GET", path: one(`${keyOf(kind)}s`, id) },
      wrapped(keyOf(kind), schema),
      options,
    );
  const lists = reader(calls);
  const aliases = knownAliases(calls, lists.extensions);
  return {
    ...lists,
    ...floatingIpWrites(calls, aliases),
    ...portCalls(calls, aliases),
    getNetwork: (id, options) => get("network", id, network, options),
    getSubnet: (id, options) => get("subnet", id, subnet, options),
    getRouter: (id, options) => get("router", id, router, options),
    replaceTags: (resource, id, tags, options) =>
      calls.send(
        {
          subject: about("tag", resource.slice(0, -1), id),
          method: "PUT",
          path: `${one(resource, id)}/tags`,
          body: { tags },
        },
        options,
      ),
  };
}

type Lists = Omit<NeutronReader, "getNetwork" | "getSubnet" | "getPort" | "getRouter">;

function reader(calls: ProjectCalls): Lists {
  const list = <T extends { readonly id: string }>(
    kinds: string,
    query: QueryValues,
    schema: z.ZodType<T>,
    options?: CloudCallOptions,
  ) =>
    listAll(
      calls,
      { subject: about("list", kinds), path: `${base}/${keyOf(kinds)}`, key: keyOf(kinds), query },
      schema,
      options,
    );
  const own = async <T extends { readonly id: string }>(
    kinds: string,
    query: QueryValues,
    schema: z.ZodType<T>,
    options?: CloudCallOptions,
  ) => {
    const { projectId } = await calls.authentication(options?.signal);
    return list(kinds, { ...query, project_id: projectId }, schema, options);
  };
  return {
    async extensions(options) {
      const call = { subject: about("list", "extensions"), method: "GET", path: `${base}/extensions` } as const;
      const found = await calls.read(call, wrapped("extensions", z.array(extension)), options);
      return new Set(found.map(({ alias }) => alias));
    },
    listNetworks: (query, options) =>
      list(
        "networks",
        {
          name: query.name,
          description: query.description,
          project_id: query.projectId,
          "router:external": query.external,
          ...tagQuery(query),
        },
        network,
        options,
      ),
    listSubnets: (query, options) =>
      list(
        "subnets",
        {
          name: query.name,
          description: query.description,
          project_id: query.projectId,
          network_id: query.networkId,
          ip_version: query.ipVersion,
          gateway_ip: query.gatewayIp,
          cidr: query.cidr,
          ipv6_address_mode: query.ipv6AddressMode,
          ipv6_ra_mode: query.ipv6RaMode,
          ...tagQuery(query),
        },
        subnet,
        options,
      ),
    listPorts: ({ networkId, deviceOwner, ids, deviceIds, descriptions, tags }, options) => {
      const rest = { network_id: networkId, device_owner: deviceOwner, ...tagQuery(present({ tags })) };
      const parts = { id: ids, device_id: deviceIds, description: descriptions };
      return listByParts(parts, rest, (values) => own("ports", values, port, options));
    },
    listRouters: ({ ids }, options) => listByValues(ids, (some) => own("routers", { id: some }, router, options)),
    listFloatingIps: ({ portIds, descriptions, addresses, tags }, options) => {
      const parts = { port_id: portIds, description: descriptions, floating_ip_address: addresses };
      const list = (values: QueryValues) => own("floating IPs", values, floatingIp, options);
      return listByParts(parts, tagQuery(present({ tags })), list);
    },
  };
}

/** The longest part is asked for piece by piece, the others are few; an empty part fits nothing. */
async function listByParts<T extends { readonly id: string }>(
  values: Readonly<Record<string, readonly string[] | undefined>>,
  query: QueryValues,
  list: (query: QueryValues) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const parts = Object.entries(values).flatMap(([key, some]) => (some === undefined ? [] : [{ key, some }]));
  const [longest, ...rest] = parts.toSorted((a, b) => b.some.length - a.some.length);
  if (parts.some(({ some }) => some.length === 0)) return [];
  if (longest === undefined) return list(query);
  const fixed = { ...query, ...Object.fromEntries(rest.map(({ key, some }) => [key, some])) };
  return listByValues(longest.some, (some) => list({ ...fixed, [longest.key]: some }));
}

function tagQuery({ tags, tagsAny, notTags, notTagsAny }: TagFilter): QueryValues {
  const joined = (values: readonly string[] | undefined) =>
    values === undefined || values.length === 0 ? undefined : values.join(",");
  return {
    tags: joined(tags),
    "tags-any": joined(tagsAny),
    "not-tags": joined(notTags),
    "not-tags-any": joined(notTagsAny),
  };
}

function about(verb: Subject["verb"], kind: string, name?: string): Subject {
  return { service: "neutron", verb, kind, ...present({ name }) };
}

/** `floating IPs` is `floatingips` in paths and answers. */
function keyOf(kinds: string): string {
  return kinds.replaceAll(" ", "").toLowerCase();
}

function one(collection: string, id: string): string {
  return `${base}/${collection}/${encodeURIComponent(id)}`;
}
