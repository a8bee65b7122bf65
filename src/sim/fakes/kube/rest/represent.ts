// Answers in the form the client accepts: JSON or YAML; the object itself, its metadata only, or a Table.

import type { KubeHttpResponse } from "../../../../ports/kube-transport.ts";
import type { JsonObject } from "../json.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import { partialMetadata, partialMetadataList } from "../table/partial-metadata.ts";
import { type Representation, representation } from "../table/representation.ts";
import { asTable } from "../table/table.ts";
import { notAcceptable } from "./api-error.ts";
import { apiVersionOfCall, type Call } from "./call.ts";
import { jsonResponse, warningHeader, yamlResponse } from "./http-response.ts";
import type { ListedPage } from "./list-objects.ts";
import type { Present } from "./watch-objects.ts";

const acceptedTypes = "application/json, application/yaml, application/vnd.kubernetes.protobuf";

export function accepted(call: Call): Representation {
  const form = representation(call.info.headers["accept"] ?? "");
  if (form === undefined) throw notAcceptable(acceptedTypes);
  return form;
}

export function objectResponse(call: Call, status: number, object: JsonObject): KubeHttpResponse {
  const form = accepted(call);
  if (form.as === "Table") return encoded(call, form, status, table(call, [object], listMetaOf(object), true));
  if (form.as === "PartialObjectMetadataList") throw notAcceptable(acceptedTypes);
  return encoded(call, form, status, form.as === "Object" ? object : partialMetadata(object));
}

export function listResponse(call: Call, { objects, metadata }: ListedPage): KubeHttpResponse {
  const form = accepted(call);
  const { resource } = call;
  if (form.as === "Table") return encoded(call, form, 200, table(call, objects, metadata, true));
  if (form.as === "PartialObjectMetadata") throw notAcceptable(acceptedTypes);
  if (form.as !== "Object") return encoded(call, form, 200, partialMetadataList(objects, metadata));
  const items =
    resource.crd === undefined ? objects.map(({ kind: _kind, apiVersion: _version, ...rest }) => rest) : objects;
  const listMeta = resource.crd === undefined ? metadata : { continue: "", ...metadata };
  return encoded(call, form, 200, {
    kind: resource.listKind,
    apiVersion: apiVersionOfCall(call),
    metadata: listMeta,
    items,
  });
}

export function presentEvent(call: Call): Present {
  const form = accepted(call);
  if (form.as === "Object") return (object) => object;
  if (form.as !== "Table") return (object) => partialMetadata(object);
  let first = true;
  return (object) => {
    const answer = table(call, [object], listMetaOf(object), first);
    first = false;
    return answer;
  };
}

function listMetaOf(object: JsonObject): JsonObject {
  const metadata = objectAt(object, "metadata");
  return { resourceVersion: stringAt(metadata, "resourceVersion") };
}

function table(call: Call, objects: readonly JsonObject[], listMeta: JsonObject, withColumns: boolean): JsonObject {
  const requested = call.info.query.get("includeObject");
  return asTable({
    resource: call.resource,
    version: call.version.name,
    objects,
    listMeta,
    nowMs: call.server.clock.nowMs(),
    includeObject: requested === "Object" || requested === "None" ? requested : "Metadata",
    withColumns,
  });
}

function encoded(call: Call, form: Representation, status: number, value: JsonObject): KubeHttpResponse {
  const headers = warningHeader(call.warnings);
  return form.encoding === "yaml" ? yamlResponse(status, value, headers) : jsonResponse(status, value, headers);
}
