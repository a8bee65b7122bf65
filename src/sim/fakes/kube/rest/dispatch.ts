// From a routed call to its verb, and from the verb's result to the form the client accepts.

import type { KubeHttpResponse } from "../../../../ports/kube-transport.ts";
import { isReview, review } from "../auth/reviews.ts";
import type { JsonObject } from "../json.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import { withMetadata } from "../server-context.ts";
import { admitCreation } from "./admission.ts";
import { ApiError, methodNotAllowed, noSuchResource, notFound } from "./api-error.ts";
import { type Call, nowIso, storedObject } from "./call.ts";
import { createObject } from "./create-object.ts";
import { decodeObject, parseBody } from "./decode-body.ts";
import { deleteCollection } from "./delete-collection.ts";
import { deleteObject } from "./delete-object.ts";
import { deleteOptions } from "./delete-options.ts";
import { jsonResponse } from "./http-response.ts";
import { listObjects } from "./list-objects.ts";
import { viewOf } from "./object-view.ts";
import { patchObject } from "./patch-object.ts";
import { checkGetRevision } from "./read-revision.ts";
import { accepted, listResponse, objectResponse, presentEvent } from "./represent.ts";
import { readScale, writeScale } from "./scale.ts";
import { requestToken } from "./token-request.ts";
import { checkNames, otherUid, updateObject } from "./update-object.ts";
import { watchObjects } from "./watch-objects.ts";
import { type WriteOptions, writeOptions } from "./write-options.ts";

export async function dispatch(call: Call): Promise<KubeHttpResponse> {
  const { resource, subresource, info } = call;
  const verb = info.resource?.verb ?? "";
  if (resource.verbs !== undefined && !resource.verbs.includes(verb)) throw methodNotAllowed();
  if (subresource !== undefined) return onSubresource(call, verb, subresource);
  switch (verb) {
    case "get":
      return objectResponse(call, 200, await readObject(call));
    case "list":
      return listResponse(call, await listObjects(call));
    case "watch":
      return watchObjects(call, presentEvent(call));
    case "create":
      return create(call);
    case "update":
      return replace(call);
    case "patch":
      return patch(call);
    case "delete":
      return remove(call);
    case "deletecollection":
      if (resource.namespaced && call.namespace === undefined) throw methodNotAllowed();
      return listResponse(call, await deleteCollection(call));
    default:
      throw methodNotAllowed();
  }
}

async function onSubresource(call: Call, verb: string, subresource: string): Promise<KubeHttpResponse> {
  const { version, resource } = call;
  if (subresource === "scale" && version.scale !== undefined) {
    if (verb === "get") return objectResponse(call, 200, await readScale(call));
    if (verb === "update" || verb === "patch") return objectResponse(call, 200, await writeScale(call));
    throw methodNotAllowed();
  }
  if (subresource === "token" && version.issuesTokens === true) {
    if (verb === "create") return jsonResponse(201, requestToken(call));
    throw methodNotAllowed();
  }
  const known =
    (subresource === "status" && version.hasStatus) || (resource.strategy.subresources?.includes(subresource) ?? false);
  if (!known) throw resource.crd === undefined ? noSuchResource() : notFound(resource, call.name);
  if (verb === "get") return objectResponse(call, 200, await readObject(call));
  if (verb === "update") return replace(call);
  if (verb === "patch") return patch(call);
  throw methodNotAllowed();
}

async function readObject(call: Call): Promise<JsonObject> {
  const { server, resource, version, name } = call;
  accepted(call);
  checkGetRevision(call);
  const stored = storedObject(call);
  if (stored === undefined) throw notFound(resource, name);
  return viewOf(server, resource, version, stored);
}

async function create(call: Call): Promise<KubeHttpResponse> {
  const { resource, server, user, name, namespace } = call;
  if (name !== "" || (resource.namespaced && namespace === undefined)) throw methodNotAllowed();
  const raw = parseBody(call, resource.kind);
  const options = writeOptions(call.info, "CreateOptions");
  if (isReview(resource.kind) && resource.crd === undefined) {
    const question = namespace === undefined ? raw : withMetadata(raw, { namespace });
    const answer = review(resource.kind, question, {
      user,
      authorities: server,
      rbac: server.rbac,
      nowIso: nowIso(call),
    });
    if (answer["kind"] === "Status") throw new ApiError(answer);
    return jsonResponse(201, answer);
  }
  return objectResponse(call, 201, await createObject(call, decodeObject(call, raw, options, "body"), options));
}

async function replace(call: Call): Promise<KubeHttpResponse> {
  if (call.name === "") throw methodNotAllowed();
  const raw = parseBody(call, call.resource.kind);
  const options = writeOptions(call.info, "UpdateOptions");
  const object = decodeObject(call, raw, options, "body");
  if (call.resource.strategy.createsOnUpdate === true && storedObject(call) === undefined)
    return objectResponse(call, 201, await createByUpdate(call, object, options));
  return objectResponse(call, 200, await updateObject(call, options, () => ({ object, replaces: true })));
}

/** Who names a uid means an object that was there; a resource version alone is not asked for. */
async function createByUpdate(call: Call, object: JsonObject, options: WriteOptions): Promise<JsonObject> {
  const metadata = objectAt(object, "metadata");
  checkNames(call, metadata);
  const uid = stringAt(metadata, "uid");
  if (uid !== "") throw otherUid(call, uid, "");
  admitCreation(call);
  return createObject(call, withMetadata(object, { resourceVersion: undefined }), options);
}

async function patch(call: Call): Promise<KubeHttpResponse> {
  if (call.name === "") throw methodNotAllowed();
  const { object, created } = await patchObject(call);
  return objectResponse(call, created ? 201 : 200, object);
}

async function remove(call: Call): Promise<KubeHttpResponse> {
  const { resource } = call;
  const { object, gone } = await deleteObject(call, deleteOptions(call.info));
  if (!gone || resource.strategy.returnsDeleted === true) return objectResponse(call, 200, object);
  const metadata = objectAt(object, "metadata");
  return jsonResponse(200, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: {
      name: stringAt(metadata, "name"),
      ...(resource.group === "" ? {} : { group: resource.group }),
      kind: resource.plural,
      uid: metadata["uid"],
    },
  });
}
