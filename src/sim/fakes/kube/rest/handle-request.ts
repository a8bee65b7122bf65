// One request from its bytes to its answer: who asks, may they, what is it about, which verb does it. Refusals become Status objects here.

import { present } from "../../../../core/present.ts";
import type { KubeHttpRequest, KubeHttpResponse } from "../../../../ports/kube-transport.ts";
import { authenticate } from "../auth/authenticate.ts";
import { authorize, type RequestAttributes } from "../auth/authorize.ts";
import { forbiddenStatus } from "../auth/forbidden.ts";
import { impersonate } from "../auth/impersonate.ts";
import type { UserInfo } from "../auth/user-info.ts";
import type { ServerContext } from "../server-context.ts";
import { ApiError, noSuchResource, unauthorized } from "./api-error.ts";
import type { Call } from "./call.ts";
import { dispatch } from "./dispatch.ts";
import { jsonResponse, pageNotFound, warningHeader } from "./http-response.ts";
import { type RequestInfo, requestInfo } from "./request-info.ts";
import { serverPath } from "./server-paths.ts";

export async function handleRequest(
  server: ServerContext,
  request: KubeHttpRequest,
  signal: AbortSignal | undefined,
): Promise<KubeHttpResponse> {
  const warnings: string[] = [];
  try {
    const info = requestInfo(request);
    const user = identify(server, info);
    const decision = authorize(user, attributesOf(info), server.rbac);
    if (!decision.allowed) throw new ApiError(forbiddenStatus(user, attributesOf(info), decision.reason));
    if (info.resource === undefined) return serverPath(server, info);
    const call = callOf(server, info, user, signal, warnings);
    return call === undefined ? unknownResource(server, info) : await dispatch(call);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return jsonResponse(error.code, error.status, { ...warningHeader(warnings), ...retryAfter(error) });
  }
}

function identify(server: ServerContext, info: RequestInfo): UserInfo {
  const user = authenticate(info.headers, server);
  if (user === undefined) throw unauthorized();
  const acting = impersonate(user, info.headers, server.rbac);
  if ("refused" in acting) throw new ApiError(acting.refused);
  return acting.user;
}

function attributesOf({ resource, method, path }: RequestInfo): RequestAttributes {
  if (resource === undefined) return { verb: method.toLowerCase(), path };
  const { verb, group, version, plural, namespace, subresource } = resource;
  const name = resource.name ?? resource.selectedName;
  // The namespace object itself is asked for inside its own namespace.
  const scope = group === "" && plural === "namespaces" ? (name ?? namespace) : namespace;
  return {
    verb,
    group,
    version,
    resource: plural,
    ...present({ subresource, name }),
    ...(scope === undefined ? {} : { namespace: scope }),
  };
}

function callOf(
  server: ServerContext,
  info: RequestInfo,
  user: UserInfo,
  signal: AbortSignal | undefined,
  warnings: string[],
): Call | undefined {
  const asked = info.resource;
  if (asked === undefined) return undefined;
  const resource = server.registry.find(asked.group, asked.version, asked.plural);
  const version = resource?.versions.find(({ name }) => name === asked.version);
  if (resource === undefined || version === undefined) return undefined;
  if (!resource.namespaced && asked.namespace !== undefined) return undefined;
  const { namespace, name = "", subresource } = asked;
  if (version.deprecationWarning !== undefined) warnings.push(version.deprecationWarning);
  return { server, info, user, resource, version, namespace, name, subresource, signal, warnings };
}

// Groups of the server itself answer with a Status, groups it has never heard of with a plain page.
function unknownResource(server: ServerContext, { resource }: RequestInfo): KubeHttpResponse {
  const ofServer = server.registry
    .all()
    .some(
      ({ group, versions, crd }) =>
        crd === undefined && group === resource?.group && versions.some(({ name }) => name === resource.version),
    );
  if (ofServer) throw noSuchResource();
  return pageNotFound();
}

function retryAfter(error: ApiError): Readonly<Record<string, string>> {
  return error.code === 504 || error.code === 429 ? { "retry-after": "1" } : {};
}
