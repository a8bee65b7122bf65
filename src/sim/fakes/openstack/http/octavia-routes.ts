// Octavia over HTTP: its paths, what they take and what they answer.

import { refuse } from "../cloud-fault.ts";
import type { CloudTables } from "../cloud-records.ts";
import { endpointOf } from "../keystone/catalogue.ts";
import { listFlavors, listZones, minorOf, providersOf } from "../octavia/capabilities.ts";
import * as monitors from "../octavia/health-monitors.ts";
import * as listeners from "../octavia/listeners.ts";
import * as balancers from "../octavia/load-balancers.ts";
import * as members from "../octavia/members.ts";
import * as pools from "../octavia/pools.ts";
import { statusTree } from "../octavia/status-tree.ts";
import { ownBalancer, ownListener, ownMember, ownMonitor, ownPool } from "../octavia/visible.ts";
import { decodeBody } from "./decode-body.ts";
import * as encode from "./encode-octavia.ts";
import * as bodies from "./octavia-bodies.ts";
import { listOf, row } from "./octavia-lists.ts";
import * as memberBodies from "./octavia-member-bodies.ts";
import { membersPut } from "./octavia-members-put.ts";
import { ok, type Reply, type Route, type RouteInput } from "./route.ts";

const base = "/v2.0/lbaas";

type Handle = (input: RouteInput) => Reply;

function octavia(method: Route["method"], path: string, operation: string, handle: Handle): Route {
  return { service: "octavia", method, path, operation, handle };
}

const [first, second] = [0, 1].map((at) => (input: RouteInput) => input.ids[at] ?? "") as [
  (input: RouteInput) => string,
  (input: RouteInput) => string,
];

const one = <K extends keyof CloudTables>(
  key: string,
  kind: K,
  write: (cloud: RouteInput["cloud"], row: CloudTables[K]) => unknown,
  status = 200,
) => {
  return (input: RouteInput, id: string): Reply => ({
    status,
    body: { [key]: write(input.cloud, row(input.cloud, kind, id)) },
  });
};

const balancer = one("loadbalancer", "loadbalancers", encode.encodeBalancer);
const madeBalancer = one("loadbalancer", "loadbalancers", encode.encodeBalancer, 201);
const listener = one("listener", "listeners", encode.encodeListener);
const madeListener = one("listener", "listeners", encode.encodeListener, 201);
const pool = one("pool", "pools", encode.encodePool);
const madePool = one("pool", "pools", encode.encodePool, 201);
const monitor = one("healthmonitor", "healthmonitors", encode.encodeMonitor);
const madeMonitor = one("healthmonitor", "healthmonitors", encode.encodeMonitor, 201);
const member = one("member", "members", encode.encodeMember);
const madeMember = one("member", "members", encode.encodeMember, 201);
const gone: Reply = { status: 204 };
const accepted: Reply = { status: 202 };

export const octaviaRoutes: readonly Route[] = [
  octavia("GET", "/", "list versions", ({ cloud }) =>
    ok({ versions: versions(minorOf(cloud), endpointOf(cloud, "octavia")) }),
  ),
  octavia("GET", `${base}/providers`, "list providers", ({ cloud }) =>
    ok({ providers: Object.keys(providersOf(cloud)).map((name) => ({ name, description: name })) }),
  ),
  octavia("GET", `${base}/flavors`, "list flavors", ({ cloud }) =>
    ok({ flavors: listFlavors(cloud), flavors_links: [] }),
  ),
  octavia("GET", `${base}/availabilityzones`, "list availability zones", ({ cloud }) =>
    ok({ availability_zones: listZones(cloud), availability_zones_links: [] }),
  ),

  octavia("GET", `${base}/loadbalancers`, "list load balancers", listOf("loadbalancers", encode.encodeBalancer)),
  octavia("POST", `${base}/loadbalancers`, "create load balancer", (input) => {
    const wanted = decodeBody(input.body, "loadbalancer", bodies.balancerPost);
    return madeBalancer(input, balancers.createLoadBalancer(input.cloud, input.caller, wanted).id);
  }),
  octavia("GET", `${base}/loadbalancers/:`, "get load balancer", (input) =>
    balancer(input, ownBalancer(input.cloud, input.caller, first(input)).id),
  ),
  octavia("PUT", `${base}/loadbalancers/:`, "update load balancer", (input) => {
    const change = decodeBody(input.body, "loadbalancer", bodies.balancerPut);
    return balancer(input, balancers.updateLoadBalancer(input.cloud, input.caller, first(input), change).id);
  }),
  octavia("DELETE", `${base}/loadbalancers/:`, "delete load balancer", (input) => {
    const cascade = input.query.get("cascade")?.toLowerCase() === "true";
    balancers.deleteLoadBalancer(input.cloud, input.caller, first(input), cascade);
    return gone;
  }),
  octavia("GET", `${base}/loadbalancers/:/status`, "get status tree", (input) =>
    ok(encode.encodeStatusTree(statusTree(input.cloud, input.caller, first(input)))),
  ),
  octavia("PUT", `${base}/loadbalancers/:/failover`, "failover load balancer", (input) => {
    balancers.failoverLoadBalancer(input.cloud, input.caller, first(input));
    return accepted;
  }),

  octavia("GET", `${base}/listeners`, "list listeners", listOf("listeners", encode.encodeListener)),
  octavia("POST", `${base}/listeners`, "create listener", (input) => {
    const wanted = decodeBody(input.body, "listener", bodies.listenerPost);
    return madeListener(input, listeners.createListener(input.cloud, input.caller, wanted).id);
  }),
  octavia("GET", `${base}/listeners/:`, "get listener", (input) =>
    listener(input, ownListener(input.cloud, input.caller, first(input)).id),
  ),
  octavia("PUT", `${base}/listeners/:`, "update listener", (input) => {
    const change = decodeBody(input.body, "listener", bodies.listenerPut);
    return listener(input, listeners.updateListener(input.cloud, input.caller, first(input), change).id);
  }),
  octavia("DELETE", `${base}/listeners/:`, "delete listener", (input) => {
    listeners.deleteListener(input.cloud, input.caller, first(input));
    return gone;
  }),

  octavia("GET", `${base}/pools`, "list pools", listOf("pools", encode.encodePool)),
  octavia("POST", `${base}/pools`, "create pool", (input) => {
    const wanted = decodeBody(input.body, "pool", bodies.poolPost);
    return madePool(input, pools.createPool(input.cloud, input.caller, wanted).id);
  }),
  octavia("GET", `${base}/pools/:`, "get pool", (input) =>
    pool(input, ownPool(input.cloud, input.caller, first(input)).id),
  ),
  octavia("PUT", `${base}/pools/:`, "update pool", (input) => {
    const { algorithm, ...rest } = decodeBody(input.body, "pool", bodies.poolPut);
    const change = algorithm === undefined ? rest : { ...rest, algorithm };
    return pool(input, pools.updatePool(input.cloud, input.caller, first(input), change).id);
  }),
  octavia("DELETE", `${base}/pools/:`, "delete pool", (input) => {
    pools.deletePool(input.cloud, input.caller, first(input));
    return gone;
  }),

  octavia("GET", `${base}/healthmonitors`, "list health monitors", listOf("healthmonitors", encode.encodeMonitor)),
  octavia("POST", `${base}/healthmonitors`, "create health monitor", (input) => {
    const wanted = decodeBody(input.body, "healthmonitor", memberBodies.monitorPost);
    return madeMonitor(input, monitors.createHealthMonitor(input.cloud, input.caller, wanted).id);
  }),
  octavia("GET", `${base}/healthmonitors/:`, "get health monitor", (input) =>
    monitor(input, ownMonitor(input.cloud, input.caller, first(input)).id),
  ),
  octavia("PUT", `${base}/healthmonitors/:`, "update health monitor", (input) => {
    const change = decodeBody(input.body, "healthmonitor", memberBodies.monitorPut);
    return monitor(input, monitors.updateHealthMonitor(input.cloud, input.caller, first(input), change).id);
  }),
  octavia("DELETE", `${base}/healthmonitors/:`, "delete health monitor", (input) => {
    monitors.deleteHealthMonitor(input.cloud, input.caller, first(input));
    return gone;
  }),

  octavia("GET", `${base}/pools/:/members`, "list members", (input) => {
    const { id } = ownPool(input.cloud, input.caller, first(input));
    return listOf("members", encode.encodeMember, `pool:${id}`)(input);
  }),
  octavia("POST", `${base}/pools/:/members`, "create member", (input) => {
    const wanted = decodeBody(input.body, "member", memberBodies.memberPost);
    return madeMember(input, members.createMember(input.cloud, input.caller, first(input), wanted).id);
  }),
  octavia("PUT", `${base}/pools/:/members`, "merge members", (input) => {
    membersPut(input, first(input));
    return accepted;
  }),
  octavia("GET", `${base}/pools/:/members/:`, "get member", (input) =>
    member(input, ownMember(input.cloud, input.caller, first(input), second(input)).id),
  ),
  octavia("PUT", `${base}/pools/:/members/:`, "update member", (input) => {
    const change = decodeBody(input.body, "member", memberBodies.memberPut);
    return member(input, members.updateMember(input.cloud, input.caller, first(input), second(input), change).id);
  }),
  octavia("DELETE", `${base}/pools/:/members/:`, "delete member", (input) => {
    members.deleteMember(input.cloud, input.caller, first(input), second(input));
    return gone;
  }),
  octavia("GET", `${base}/flavorprofiles`, "list flavor profiles", ({ caller }) =>
    caller.admin ? ok({ flavorprofiles: [] }) : refuse(403, "Policy does not allow this request to be performed."),
  ),
];

/** Ascending, the last one current. */
function versions(minor: number, url: string): unknown {
  return Array.from({ length: minor + 1 }, (_, each) => ({
    id: `v2.${each}`,
    status: each === minor ? "CURRENT" : "SUPPORTED",
    updated: "2022-08-29T00:00:00Z",
    links: [{ href: `${url}/v2`, rel: "self" }],
  }));
}
