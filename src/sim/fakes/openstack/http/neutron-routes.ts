// Neutron over HTTP: its paths, what they take and what they answer.

import { z } from "zod";
import type { FloatingIpSeen, TaggedResource } from "../../../../core/openstack/neutron-objects.ts";
import type { Cloud } from "../cloud.ts";
import { refuse } from "../cloud-fault.ts";
import type { CloudTables } from "../cloud-records.ts";
import { endpointOf } from "../keystone/catalogue.ts";
import type { Caller } from "../keystone/directory.ts";
import { comparesRevisions, extensionsOf } from "../neutron/extensions.ts";
import { createFloatingIp, deleteFloatingIp, updateFloatingIp, visibleFloatingIp } from "../neutron/floating-ips.ts";
import { createPort, deletePort, updatePort } from "../neutron/ports.ts";
import { replaceTags } from "../neutron/tags.ts";
import * as visible from "../neutron/visible.ts";
import { decodeBody } from "./decode-body.ts";
import * as encode from "./encode-neutron.ts";
import { floatingIpPost, floatingIpPut, portPost, portPut } from "./neutron-bodies.ts";
import { filters } from "./neutron-filters.ts";
import { neutronPage } from "./paging.ts";
import { filtered } from "./query-filter.ts";
import { ok, type Reply, type Route, type RouteInput } from "./route.ts";

const base = "/v2.0";

interface Kind<K extends TaggedResource> {
  readonly key: string;
  readonly find: (cloud: Cloud, caller: Caller, id: string) => CloudTables[K];
  readonly sees: (cloud: Cloud, caller: Caller, row: CloudTables[K]) => boolean;
  readonly write: (cloud: Cloud, row: CloudTables[K]) => unknown;
}

const owns = (_cloud: Cloud, caller: Caller, row: { readonly projectId: string }) => visible.owns(caller, row);

const kinds: { readonly [K in TaggedResource]: Kind<K> } = {
  networks: {
    key: "network",
    find: visible.visibleNetwork,
    sees: (_cloud, caller, row) => visible.seesNetwork(caller, row),
    write: encode.encodeNetwork,
  },
  subnets: { key: "subnet", find: visible.visibleSubnet, sees: visible.seesSubnet, write: encode.encodeSubnet },
  ports: { key: "port", find: visible.visiblePort, sees: owns, write: encode.encodePort },
  routers: { key: "router", find: visible.visibleRouter, sees: owns, write: encode.encodeRouter },
  floatingips: { key: "floatingip", find: visibleFloatingIp, sees: owns, write: encode.encodeFloatingIp },
};

const words: Readonly<Record<TaggedResource, readonly [one: string, all: string]>> = {
  networks: ["network", "networks"],
  subnets: ["subnet", "subnets"],
  ports: ["port", "ports"],
  routers: ["router", "routers"],
  floatingips: ["floating ip", "floating ips"],
};

export const neutronRoutes: readonly Route[] = [
  neutron("GET", "/", "list versions", ({ cloud }) =>
    ok({
      versions: [
        { id: "v2.0", status: "CURRENT", links: [{ rel: "self", href: `${endpointOf(cloud, "neutron")}/v2.0/` }] },
      ],
    }),
  ),
  neutron("GET", `${base}/extensions`, "list extensions", ({ cloud }) =>
    ok({
      extensions: [...extensionsOf(cloud)].map((alias) => ({
        alias,
        name: alias,
        description: "",
        links: [],
        updated: "",
      })),
    }),
  ),
  ...readRoutes("networks"),
  ...readRoutes("subnets"),
  ...readRoutes("ports"),
  ...readRoutes("routers"),
  ...readRoutes("floatingips"),
  neutron("POST", `${base}/floatingips`, "create floating ip", (input) => {
    const made = createFloatingIp(input.cloud, input.caller, decodeBody(input.body, "floatingip", floatingIpPost));
    return { status: 201, body: { floatingip: encode.encodeFloatingIp(input.cloud, made) } };
  }),
  neutron("PUT", `${base}/floatingips/:`, "update floating ip", (input) => {
    const change = decodeBody(input.body, "floatingip", floatingIpPut);
    const changed = updateFloatingIp(input.cloud, input.caller, input.ids[0] ?? "", change, revisionIn(input));
    return ok({ floatingip: encode.encodeFloatingIp(input.cloud, changed) });
  }),
  neutron("DELETE", `${base}/floatingips/:`, "delete floating ip", (input) => {
    deleteFloatingIp(input.cloud, input.caller, input.ids[0] ?? "", revisionIn(input));
    return { status: 204 };
  }),
  neutron("POST", `${base}/ports`, "create port", (input) => {
    const made = createPort(input.cloud, input.caller, decodeBody(input.body, "port", portPost));
    return { status: 201, body: { port: encode.encodePort(input.cloud, made) } };
  }),
  neutron("PUT", `${base}/ports/:`, "update port", (input) => {
    const change = decodeBody(input.body, "port", portPut);
    const revision = revisionIn(input)?.revisionNumber;
    const changed = updatePort(input.cloud, input.caller, input.ids[0] ?? "", change, revision);
    return ok({ port: encode.encodePort(input.cloud, changed) });
  }),
  neutron("DELETE", `${base}/ports/:`, "delete port", (input) => {
    deletePort(input.cloud, input.caller, input.ids[0] ?? "", revisionIn(input)?.revisionNumber);
    return { status: 204 };
  }),
];

/** What the caller says the revision is. Anything else in the header is ignored. */
function revisionIn({ cloud, headers }: RouteInput): FloatingIpSeen | undefined {
  const [, number] = /^revision_number=(\d+)$/.exec(headers["if-match"] ?? "") ?? [];
  if (number === undefined) return undefined;
  if (!comparesRevisions(cloud)) refuse(400, "This server does not support constraining operations", "BadRequest");
  return { revisionNumber: Number(number) };
}

function neutron(
  method: Route["method"],
  path: string,
  operation: string,
  handle: (input: RouteInput) => Reply,
): Route {
  return { service: "neutron", method, path, operation, handle };
}

function readRoutes<K extends TaggedResource>(resource: K): readonly Route[] {
  const { key, find, sees, write } = kinds[resource];
  const [single, several] = words[resource];
  return [
    neutron("GET", `${base}/${resource}`, `list ${several}`, ({ cloud, caller, query, path }) => {
      const all = cloud.tables[resource].all();
      const found = filtered(
        all.filter((row) => sees(cloud, caller, row)),
        query,
        filters[resource],
      );
      const page = neutronPage(found, query, endpointOf(cloud, "neutron") + path);
      const links = page.links.length === 0 ? {} : { [`${resource}_links`]: page.links };
      return ok({ [resource]: page.rows.map((row) => write(cloud, row)), ...links });
    }),
    neutron("GET", `${base}/${resource}/:`, `get ${single}`, ({ cloud, caller, ids }) =>
      ok({ [key]: write(cloud, find(cloud, caller, ids[0] ?? "")) }),
    ),
    neutron("PUT", `${base}/${resource}/:/tags`, "replace tags", ({ cloud, caller, ids, body }) => {
      const tags = decodeBody(body, "tags", z.array(z.string()));
      replaceTags(cloud, caller, resource, ids[0] ?? "", tags);
      return ok({ tags });
    }),
  ];
}
