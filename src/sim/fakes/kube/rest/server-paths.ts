// Paths that are no resources: version, health, discovery, OpenAPI.

import type { KubeHttpResponse } from "../../../../ports/kube-transport.ts";
import { discovery } from "../discovery/discovery.ts";
import { openApi } from "../openapi/openapi.ts";
import type { ServerContext } from "../server-context.ts";
import { jsonResponse, once, pageNotFound, textResponse } from "./http-response.ts";
import type { RequestInfo } from "./request-info.ts";

const version = {
  major: "1",
  minor: "36",
  emulationMajor: "1",
  emulationMinor: "36",
  minCompatibilityMajor: "1",
  minCompatibilityMinor: "35",
  gitVersion: "v1.36.4",
  gitCommit: "simulated",
  gitTreeState: "clean",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "none",
  compiler: "none",
  platform: "linux/amd64",
};

export function serverPath(server: ServerContext, info: RequestInfo): KubeHttpResponse {
  const { path, query, headers } = info;
  if (path === "/version" || path === "/version/") return jsonResponse(200, version);
  if (/^\/(healthz|readyz|livez)(\/|$)/.test(path)) return healthPage(path, query.has("verbose"));
  const accept = headers["accept"] ?? "";
  const document = path.startsWith("/openapi/")
    ? openApi(server.registry, info.path, accept)
    : discovery(server.registry, path, accept);
  if (document === undefined) return pageNotFound();
  const { contentType, body } = document;
  return {
    status: 200,
    headers: { "content-type": contentType },
    body: once(typeof body === "string" ? body : JSON.stringify(body)),
  };
}

function healthPage(path: string, verbose: boolean): KubeHttpResponse {
  if (!verbose) return textResponse(200, "ok");
  return textResponse(200, `[+]ping ok\n[+]storage ok\n${path.split("/")[1] ?? ""} check passed\n`);
}
