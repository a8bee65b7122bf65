// OpenAPI v3 of what the server serves, group version by group version: enough for `kubectl explain`, for its merge
// patches, and for it to learn which query parameters we understand.

import { resourcesOf, type ServedResource } from "../discovery/api-resources.ts";
import type { ServedDocument } from "../discovery/document.ts";
import { servedGroups } from "../discovery/served-groups.ts";
import type { JsonObject } from "../json.ts";
import type { ResourceRegistry } from "../resource.ts";
import { fingerprint } from "./fingerprint.ts";
import { metaSchemas, scaleSchemas } from "./meta-schemas.ts";
import { resourcePaths } from "./resource-paths.ts";
import { resourceSchemas } from "./resource-schemas.ts";

const root = "/openapi/v3";

/** `path` without query. Undefined: not one of our documents. */
export function openApi(registry: ResourceRegistry, path: string, accept: string): ServedDocument | undefined {
  if (path === "/openapi/v2") return emptyVersion2(accept);
  if (path === root || path === `${root}/`) return document(index(registry));
  if (!path.startsWith(`${root}/`)) return undefined;
  const asked = path.slice(root.length + 1);
  const found = groupVersions(registry).find(({ key }) => key === asked);
  return found === undefined ? undefined : document(describe(found.resources));
}

interface GroupVersion {
  /** `api/v1`, `apis/coordination.k8s.io/v1`. */
  readonly key: string;
  readonly resources: readonly ServedResource[];
}

function groupVersions(registry: ResourceRegistry): readonly GroupVersion[] {
  return servedGroups(registry).flatMap(({ name, versions }) =>
    versions.map((version) => ({
      key: name === "" ? `api/${version}` : `apis/${name}/${version}`,
      resources: resourcesOf(registry, name, version),
    })),
  );
}

/** Clients keep a document for as long as its hash stays the same. */
function index(registry: ResourceRegistry): JsonObject {
  const paths = groupVersions(registry).map(({ key, resources }) => {
    const hash = resources.map(({ resource }) => fingerprint(resource)).join("");
    return [key, { serverRelativeURL: `${root}/${key}?hash=${hash}` }] as const;
  });
  return { paths: Object.fromEntries(paths) };
}

function describe(resources: readonly ServedResource[]): JsonObject {
  const scaled = resources.some(({ version }) => version.scale !== undefined);
  return {
    openapi: "3.0.0",
    info: { title: "Mainstay's fake Kubernetes API server", version: "v1" },
    paths: merged(resources.map(resourcePaths)),
    components: {
      schemas: merged([...resources.map(resourceSchemas), metaSchemas, scaled ? scaleSchemas : {}]),
    },
  };
}

/** Of two parts with the same name the later one stands. */
function merged(parts: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
}

/**
 * kubectl falls back to OpenAPI v2 for kinds it does not find in v3, and needs an answer to say so. Everything we serve is
 * in v3, so this one is empty; as protocol buffers, which kubectl asks for, it is its first field, the version of the format.
 */
function emptyVersion2(accept: string): ServedDocument {
  const asked = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
  // The real server answers with a dot where the client wrote @, which no media type may contain.
  const contentType = asked.replace("@", ".");
  if (accept.includes(asked)) return { contentType, body: "\n\u00032.0" };
  return document({
    swagger: "2.0",
    info: { title: "Mainstay's fake Kubernetes API server", version: "v1" },
    paths: {},
  });
}

function document(body: JsonObject): ServedDocument {
  return { contentType: "application/json", body };
}
