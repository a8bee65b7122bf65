// What is to be known of the Secret with an object's credentials beside what is in it: whether it is held, on its way out, and needed by
// others. Only of one beside the object: one that is lent from another namespace does not go with the object's own.

import { namespaces } from "../../../apis/kube/builtin-kinds.ts";
import { formatRef, type KubeObject } from "../../../apis/kube/kube-object.ts";
import { isKubeError } from "../../../core/kube-error.ts";
import { finalizerOf, hasFinalizer, isBeingDeleted } from "../../../core/ownership.ts";
import type { Reader } from "../../../engine/feature.ts";
import { deleteForMoveAnnotation, heldSecretAnnotation } from "../apis/annotations.ts";
import type { CredentialsObserved } from "../core/model/observed.ts";
import type { Credentials } from "./cloud/cloud-of.ts";
import type { FrontDoor } from "./front-door.ts";

export type SecretFacts = NonNullable<CredentialsObserved["secret"]>;

interface Question {
  readonly door: FrontDoor;
  readonly object: KubeObject;
  readonly reader: Reader;
}

/** Index of a door's objects by `namespace/name` of the Secrets that they use or hold. */
export const secretIndex = "secret";

interface Identified extends KubeObject {
  readonly spec?: { readonly identityRef?: { readonly name?: string; readonly type?: string } };
}

/** The Secrets in its own namespace. */
export function secretIndexOf(object: Identified): readonly string[] {
  const { namespace = "", annotations = {} } = object.metadata;
  const { name, type } = object.spec?.identityRef ?? {};
  const used = [type === "ClusterIdentity" ? undefined : name, annotations[heldSecretAnnotation]];
  return [...new Set(used.flatMap((one) => (one ? [formatRef({ namespace, name: one })] : [])))];
}

/** Whether others of the same door use a Secret beside the object, too, and need it to clean up. */
export function sharedSecrets({ door, object, reader }: Question): (name: string) => boolean {
  const { namespace = "", uid } = object.metadata;
  return (name) =>
    reader
      .cached(door.root)
      .byIndex(secretIndex, formatRef({ namespace, name }))
      .some((one) => one.metadata.uid !== uid && hasFinalizer(one, finalizerOf(door.name)));
}

/** Undefined where the credentials are in no Secret beside the object. */
export function observeCredentials(
  { door, object }: Pick<Question, "door" | "object">,
  secret: SecretFacts | undefined,
  isShared: (name: string) => boolean,
): CredentialsObserved | undefined {
  const identity = door.identityOf(object);
  if (identity === undefined || identity.type === "ClusterIdentity") return undefined;
  const { name } = identity;
  const held = object.metadata.annotations?.[heldSecretAnnotation] || undefined;
  const shared = [...new Set([name, ...(held === undefined ? [] : [held])])].filter(isShared);
  return { name, held, shared, ...(secret === undefined ? {} : { secret }) };
}

/** Empty for one that a move takes away, and for one in another namespace. */
export async function secretFacts(
  { identity, secret }: Credentials,
  { door, object, reader }: Question,
): Promise<{ readonly secret?: SecretFacts }> {
  if (identity.type === "ClusterIdentity") return {};
  if (secret.metadata.annotations?.[deleteForMoveAnnotation] !== undefined) return {};
  const deleting = isBeingDeleted(secret);
  const isAsked = deleting && !isBeingDeleted(object);
  return {
    secret: {
      hasFinalizer: hasFinalizer(secret, finalizerOf(door.name)),
      deleting,
      isNamespaceStaying: isAsked && (await isStaying(object.metadata.namespace ?? "", reader)),
    },
  };
}

/** Who may not read it cannot tell, and holds on. */
async function isStaying(name: string, { kube, signal }: Reader): Promise<boolean> {
  try {
    return !isBeingDeleted(await kube.get(namespaces, { name }, { signal }));
  } catch (error) {
    if (isKubeError(error, "Forbidden", "NotFound")) return false;
    throw error;
  }
}
