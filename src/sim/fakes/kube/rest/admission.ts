// What stands between a well-formed write and storage: the namespace must take it, webhooks may change or refuse it.

import { present } from "../../../../core/present.ts";
import { type AdmissionRequest, type AdmissionWorld, mutate, validate } from "../admission/webhooks.ts";
import { authorize } from "../auth/authorize.ts";
import { escalation } from "../auth/escalation.ts";
import { forbiddenStatus } from "../auth/forbidden.ts";
import type { JsonObject } from "../json.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import { versionOf } from "../server-context.ts";
import { ApiError, forbidden, notFound } from "./api-error.ts";
import type { Call } from "./call.ts";
import { viewOf } from "./object-view.ts";

const namespaceStorage = "/namespaces";

/** New objects need a namespace that exists and stays. */
export function admitIntoNamespace(call: Call, name: string): void {
  const { server, resource, namespace } = call;
  if (!resource.namespaced || namespace === undefined) return;
  const found = server.store.get(namespaceStorage, undefined, namespace);
  if (found === undefined) throw notFound({ group: "", plural: "namespaces" }, namespace);
  if (stringAt(objectAt(found, "status"), "phase") !== "Terminating") return;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const message = `namespace ${namespace} is being terminated`;
  throw forbidden(resource, name, why, [{ field: "metadata.namespace", reason: "NamespaceTerminating", message }]);
}

/** Roles and bindings give away rights: only what the writer has. */
export function admitPrivileges(
  { user, server, resource }: Call,
  object: JsonObject,
  old: JsonObject | undefined,
): void {
  if (resource.group !== "rbac.authorization.k8s.io") return;
  const refused = escalation(user, object, old, server.rbac);
  if (refused !== undefined) throw new ApiError(refused);
}

export interface Admitted {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
  readonly dryRun: boolean;
  readonly options: JsonObject;
}

export async function runMutatingWebhooks(call: Call, admitted: Admitted): Promise<JsonObject | undefined> {
  if (!hasWebhooks(call)) return admitted.object;
  return settle(call, await mutate(admissionRequest(call, admitted), admissionWorld(call)));
}

/** True when time went by meanwhile: another write may have taken what this one was promised, such as a node port. */
export async function runValidatingWebhooks(call: Call, admitted: Admitted): Promise<boolean> {
  if (!hasWebhooks(call)) return false;
  settle(call, await validate(admissionRequest(call, admitted), admissionWorld(call)));
  return true;
}

/** A write that turns out to create needs the right to do so. */
export function admitCreation({ user, server, resource, version, namespace, name, subresource }: Call): void {
  const attributes = {
    verb: "create",
    group: resource.group,
    version: version.name,
    resource: resource.plural,
    name,
    ...present({ subresource, namespace }),
  };
  const decision = authorize(user, attributes, server.rbac);
  if (!decision.allowed) throw new ApiError(forbiddenStatus(user, attributes, decision.reason));
}

// A broken webhook must not be able to keep its own configuration from being repaired.
function hasWebhooks({ server, resource }: Call): boolean {
  if (resource.group === "admissionregistration.k8s.io") return false;
  return configurations(server.store, "mutating").length + configurations(server.store, "validating").length > 0;
}

function configurations(store: Call["server"]["store"], kind: "mutating" | "validating"): readonly JsonObject[] {
  return store.list(`admissionregistration.k8s.io/${kind}webhookconfigurations`).map(([, object]) => object);
}

function settle(call: Call, outcome: Awaited<ReturnType<typeof mutate>>): JsonObject | undefined {
  call.warnings.push(...outcome.warnings);
  if ("refused" in outcome) throw new ApiError(outcome.refused);
  return outcome.object;
}

function admissionRequest(call: Call, { operation, object, oldObject, dryRun, options }: Admitted): AdmissionRequest {
  const { resource, version, subresource, namespace, user } = call;
  const metadata = objectAt(object ?? oldObject, "metadata");
  return {
    operation,
    resource,
    version: version.name,
    ...present({ subresource, namespace }),
    name: stringAt(metadata, "name"),
    object,
    oldObject,
    options: { ...options, ...optionsInQuery(call) },
    dryRun,
    user,
  };
}

/** Options as the client gave them; what it left out is absent here too. */
function optionsInQuery({ info: { query } }: Call): JsonObject {
  const words = ["fieldManager", "fieldValidation", "propagationPolicy"].flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const dryRun = query.getAll("dryRun");
  return { ...Object.fromEntries(words), ...(dryRun.length === 0 ? {} : { dryRun }) };
}

function admissionWorld({ server, resource }: Call): AdmissionWorld {
  return {
    mutatingConfigurations: configurations(server.store, "mutating"),
    validatingConfigurations: configurations(server.store, "validating"),
    namespace: (name) => server.store.get(namespaceStorage, undefined, name),
    callWebhook: server.callWebhook,
    uuid: () => server.random.uuid(),
    convert: (object, version) => viewOf(server, resource, versionOf(resource, version), object),
  };
}
