// The `token` subresource of service accounts: a token made on request, as `kubectl create token` asks for it. Nothing is stored.
// Tokens bound to another object are refused: nobody here would end them with it.

import { issuer } from "../auth/account-tokens.ts";
import { invalid } from "../field-cause.ts";
import type { JsonObject } from "../json.ts";
import { stringsAt } from "../json-lists.ts";
import type { ResourceDefinition, ResourceVersionDefinition } from "../resource.ts";
import { isJsonObject, objectAt, stringAt } from "../schema/json-value.ts";
import type { StructuralSchema } from "../schema/structural-schema.ts";
import { isoSeconds } from "../server-context.ts";
import { badRequest, invalidObject, notFound } from "./api-error.ts";
import { type Call, nowIso, storedObject } from "./call.ts";
import { decodeObject, parseBody } from "./decode-body.ts";
import { writeOptions } from "./write-options.ts";

const defaultSeconds = 3_600;
const shortestSeconds = 600;
const longestSeconds = 2 ** 32;

const text: StructuralSchema = { type: "string" };
const schema: StructuralSchema = {
  type: "object",
  properties: {
    apiVersion: text,
    kind: text,
    metadata: { type: "object" },
    spec: {
      type: "object",
      properties: {
        audiences: { type: "array", items: text },
        expirationSeconds: { type: "integer", format: "int64" },
        boundObjectRef: { type: "object", properties: { apiVersion: text, kind: text, name: text, uid: text } },
      },
    },
    status: { type: "object", properties: { token: text, expirationTimestamp: text } },
  },
};
const version: ResourceVersionDefinition = {
  name: "v1",
  served: false,
  storage: false,
  schema,
  columns: [],
  hasStatus: false,
};
const tokenRequests: ResourceDefinition = {
  group: "authentication.k8s.io",
  kind: "TokenRequest",
  listKind: "TokenRequestList",
  plural: "tokenrequests",
  singular: "tokenrequest",
  shortNames: [],
  categories: [],
  namespaced: true,
  versions: [version],
  strategy: {},
};

export function requestToken(call: Call): JsonObject {
  const { server, resource, name, namespace = "" } = call;
  const raw = parseBody(call, tokenRequests.kind);
  const options = writeOptions(call.info, "CreateOptions");
  const request = decodeObject({ ...call, resource: tokenRequests, version }, raw, options, "body");
  checkNames(call, objectAt(request, "metadata"));
  const { audiences, lastsSeconds } = wishOf(objectAt(request, "spec"));
  const account = storedObject(call);
  if (account === undefined) throw notFound(resource, name);
  const uid = stringAt(objectAt(account, "metadata"), "uid");
  const { token, expiresMs } = server.accounts.issue({ namespace, name, uid, audiences, lastsSeconds });
  return {
    kind: tokenRequests.kind,
    apiVersion: "authentication.k8s.io/v1",
    metadata: { name, namespace, uid, creationTimestamp: nowIso(call) },
    spec: { audiences, expirationSeconds: lastsSeconds, boundObjectRef: null },
    status: { token, expirationTimestamp: isoSeconds(expiresMs) },
  };
}

function checkNames({ name, namespace }: Call, metadata: JsonObject): void {
  const [asked, place] = [stringAt(metadata, "name"), stringAt(metadata, "namespace")];
  if (place !== "" && place !== namespace)
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  if (asked !== "" && asked !== name)
    throw invalidObject(tokenRequests, name, [
      invalid("metadata.name", asked, "must match the service account name if specified"),
    ]);
}

function wishOf(spec: JsonObject): { readonly audiences: readonly string[]; readonly lastsSeconds: number } {
  const given = spec["expirationSeconds"];
  const lastsSeconds = typeof given === "number" ? given : defaultSeconds;
  const refuse = (why: string) =>
    invalidObject(tokenRequests, "", [invalid("spec.expirationSeconds", lastsSeconds, why)]);
  if (lastsSeconds < shortestSeconds) throw refuse("may not specify a duration less than 10 minutes");
  if (lastsSeconds > longestSeconds) throw refuse("may not specify a duration larger than 2^32 seconds");
  const bound = spec["boundObjectRef"];
  if (isJsonObject(bound))
    throw badRequest(
      `cannot bind token to object of type /${stringAt(bound, "apiVersion")}, Kind=${stringAt(bound, "kind")}`,
    );
  const audiences = stringsAt(spec, "audiences");
  return { audiences: audiences.length === 0 ? [issuer] : audiences, lastsSeconds };
}
