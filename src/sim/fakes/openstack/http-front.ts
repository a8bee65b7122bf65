// The fake cloud as HTTP, without sockets: a request goes in, an answer comes out, over the same state as the ports. All services live
// below one root: /identity, /network, /load-balancer, /compute.

import type { OpenStackService } from "../../../core/openstack/openstack-error.ts";
import { present } from "../../../core/present.ts";
import { balancerOf } from "./balancer-of.ts";
import type { CloudCall, CloudCallPlan } from "./call-handler.ts";
import { actingAs } from "./cloud.ts";
import { CloudFault, refuse } from "./cloud-fault.ts";
import type { FakeOpenStack } from "./fake-openstack.ts";
import { encodeFault } from "./http/encode-fault.ts";
import { keystoneReply } from "./http/keystone-routes.ts";
import { neutronRoutes } from "./http/neutron-routes.ts";
import { novaRoutes } from "./http/nova-routes.ts";
import { octaviaRoutes } from "./http/octavia-routes.ts";
import { idsIn, type Reply, type Route } from "./http/route.ts";
import { validToken } from "./keystone/authenticate.ts";
import { servicesOf } from "./keystone/catalogue.ts";

export interface CloudHttpRequest {
  readonly method: string;
  /** From the root, with its query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface CloudHttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a listener gets: an answer, or the order to close the connection without one. */
export type CloudHttpOutcome = CloudHttpResponse | "hang-up";

const roots: Readonly<Record<string, OpenStackService>> = {
  identity: "keystone",
  network: "neutron",
  "load-balancer": "octavia",
  compute: "nova",
};

const routes: readonly Route[] = [...octaviaRoutes, ...neutronRoutes, ...novaRoutes];

export async function handleCloudRequest(fake: FakeOpenStack, request: CloudHttpRequest): Promise<CloudHttpOutcome> {
  const { pathname, searchParams } = new URL(request.path, "http://fake");
  const [, root = "", rest = ""] = /^\/([^/]+)(.*)$/.exec(pathname) ?? [];
  const service = Object.hasOwn(roots, root) ? roots[root] : undefined;
  if (service === undefined || !servicesOf(fake.cloud).includes(service)) return response({ status: 404 });
  // /v2 and /v2.0 are one, for Octavia and Neutron; Nova's version stands in its root.
  const path = rest.replace(/^\/v2(?=\/|$)/, "/v2.0").replace(/^\/v2\.1(?=\/|$)/, "");
  const found = service === "keystone" ? undefined : findRoute(service, request.method, path);
  const call = callOf(fake, service, request, found);
  const callPlan = fake.calls.begin(call);
  await waitFor(fake, call, callPlan);
  if (callPlan.turnAway === "unreachable") return "hang-up";
  const reply = turnedAway(service, callPlan) ?? answer(fake, service, request, { path, query: searchParams, found });
  return callPlan.loseReply === undefined && callPlan.lateMs === undefined ? response(reply) : "hang-up";
}

interface Found {
  readonly route: Route;
  readonly ids: readonly string[];
}

interface Target {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly found: Found | undefined;
}

function findRoute(service: OpenStackService, method: string, path: string): Found | undefined {
  for (const route of routes) {
    if (route.service !== service || route.method !== method) continue;
    const ids = idsIn(route.path, path);
    if (ids !== undefined) return { route, ids };
  }
  return undefined;
}

function callOf(
  { cloud }: FakeOpenStack,
  service: OpenStackService,
  { method }: CloudHttpRequest,
  found: Found | undefined,
): CloudCall {
  const operation = found?.route.operation ?? (service === "keystone" ? "authenticate" : `${method} elsewhere`);
  const target = found?.ids.at(-1);
  const balancerId = target === undefined ? undefined : balancerOf(cloud, target);
  return {
    service,
    operation,
    write: method !== "GET" && service !== "keystone",
    ...present({ target, balancerId }),
  };
}

async function waitFor(
  { cloud }: FakeOpenStack,
  call: CloudCall,
  { delayMs = 0, lateMs = 0 }: CloudCallPlan,
): Promise<void> {
  const ms = cloud.settings.answerMs(call.service, call.operation) + delayMs + lateMs;
  if (ms > 0) await new Promise<void>((resolve) => void cloud.clock.after(ms, resolve));
}

function turnedAway(service: OpenStackService, { turnAway }: CloudCallPlan): Reply | undefined {
  if (turnAway === undefined || turnAway === "unreachable") return undefined;
  return encodeFault(service, new CloudFault({ message: "turned away", ...turnAway }));
}

function answer(
  fake: FakeOpenStack,
  service: OpenStackService,
  request: CloudHttpRequest,
  { path, query, found }: Target,
): Reply {
  const { cloud } = fake;
  const { method, headers } = request;
  try {
    const body = decodeJson(request.body);
    if (service === "keystone") return keystoneReply({ cloud, method, path, headers, body });
    const isVersions = found?.route.path === "/";
    const token = isVersions ? undefined : validToken(cloud, headers["x-auth-token"], service);
    if (found === undefined) refuse(404, "The resource could not be found.");
    const caller = token?.caller ?? nobody;
    if (!isVersions && token?.caller === undefined) refuse(401, "Authentication required");
    return actingAs(cloud, caller.userName, () =>
      found.route.handle({ cloud, caller, ids: found.ids, path, query, headers, body }),
    );
  } catch (error) {
    if (error instanceof CloudFault) return encodeFault(service, error);
    throw error;
  }
}

const nobody = { userId: "", userName: "", projectId: "", projectName: "", roles: [], admin: false };

function decodeJson(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return refuse(400, "Malformed JSON in request body.");
  }
}

function response({ status, body, headers = {} }: Reply): CloudHttpResponse {
  if (body === undefined) return { status, headers, body: "" };
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}
