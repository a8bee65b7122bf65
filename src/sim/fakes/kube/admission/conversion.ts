// Conversion of custom resources by their CRD's webhook, and the checks that keep it from changing what is not its own.

import type { Json, JsonObject } from "../json.ts";
import { objectsAt } from "../json-lists.ts";
import { isJsonObject, objectAt, sameJson, stringAt } from "../schema/json-value.ts";
import type { CallWebhook } from "./webhook-call.ts";

export interface ConversionRequest {
  /** `spec.conversion` of the CRD, strategy Webhook. */
  readonly conversion: JsonObject;
  readonly objects: readonly JsonObject[];
  readonly desiredApiVersion: string;
  readonly callWebhook: CallWebhook;
  readonly uid: string;
}

export type ConversionOutcome = { readonly objects: readonly JsonObject[] } | { readonly failed: string };

const timeoutSeconds = 30;

/** The webhook answered, but what it gave back cannot be taken for the objects it was sent. */
class UnusableObjects extends Error {}

/** Objects that are in the desired version already are not sent. On failure the answer to the client is a 500. */
export async function convertByWebhook(request: ConversionRequest): Promise<ConversionOutcome> {
  const { objects, desiredApiVersion, uid, conversion, callWebhook } = request;
  const foreign = objects.filter((object) => stringAt(object, "apiVersion") !== desiredApiVersion);
  if (foreign.length === 0) return { objects };
  const body = {
    kind: "ConversionReview",
    apiVersion: "apiextensions.k8s.io/v1",
    request: { uid, desiredAPIVersion: desiredApiVersion, objects: foreign },
    response: { uid: "", convertedObjects: null, result: { metadata: {} } },
  };
  const clientConfig = objectAt(objectAt(conversion, "webhook"), "clientConfig");
  try {
    const call = { clientConfig, query: `?timeout=${timeoutSeconds}s`, body, timeoutMs: timeoutSeconds * 1000 };
    const converted = decode(await callWebhook(call), uid, foreign, desiredApiVersion);
    const byOriginal = new Map(foreign.map((object, i) => [object, converted[i]]));
    return { objects: objects.map((object) => byOriginal.get(object) ?? object) };
  } catch (error) {
    const first = foreign[0];
    const who = `conversion webhook for ${stringAt(first, "apiVersion")}, Kind=${stringAt(first, "kind")}`;
    if (error instanceof UnusableObjects) return { failed: `${who} returned ${error.message}` };
    return { failed: `${who} failed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function decode(review: Json, uid: string, sent: readonly JsonObject[], desired: string): readonly JsonObject[] {
  const response = isJsonObject(review) ? objectAt(review, "response") : {};
  if (!isJsonObject(review) || stringAt(review, "kind") !== "ConversionReview")
    throw new Error("expected a ConversionReview");
  if (stringAt(response, "uid") !== uid) {
    throw new Error(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(stringAt(response, "uid"))}`);
  }
  const result = objectAt(response, "result");
  if (stringAt(result, "status") !== "Success")
    throw new Error(stringAt(result, "message") || "the webhook gave no reason");
  const converted = objectsAt(response, "convertedObjects");
  if (converted.length !== sent.length) {
    throw new UnusableObjects(`${converted.length} objects, expected ${sent.length}`);
  }
  return converted.map((object, i) => checked(object, sent[i] ?? {}, i, desired));
}

/** A webhook may change labels and annotations; the rest of the metadata stays as it was. */
function checked(object: JsonObject, original: JsonObject, index: number, desired: string): JsonObject {
  const where = `invalid object at index ${index}:`;
  const [mine, theirs] = [objectAt(original, "metadata"), objectAt(object, "metadata")];
  if (stringAt(object, "apiVersion") !== desired) {
    throw new UnusableObjects(
      `${where} invalid groupVersion (expected ${desired}, received ${stringAt(object, "apiVersion")})`,
    );
  }
  if (stringAt(object, "kind") !== stringAt(original, "kind")) {
    throw new UnusableObjects(
      `${where} invalid kind (expected ${stringAt(original, "kind")}, received ${stringAt(object, "kind")})`,
    );
  }
  for (const name of ["name", "namespace", "uid"]) {
    if (!sameJson(mine[name], theirs[name])) throw new UnusableObjects(`${where} metadata.${name} must not change`);
  }
  const { labels: _l, annotations: _a, ...kept } = mine;
  return {
    ...object,
    metadata: {
      ...kept,
      ...(theirs["labels"] === undefined ? {} : { labels: theirs["labels"] }),
      ...(theirs["annotations"] === undefined ? {} : { annotations: theirs["annotations"] }),
    },
  };
}
