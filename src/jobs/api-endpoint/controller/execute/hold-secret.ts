// Our finalizer on a Secret with credentials. Nothing else of a Secret is ever written, and nothing of its content is read here.

import { secrets } from "../../../../apis/kube/builtin-kinds.ts";
import type { ObjectRef } from "../../../../apis/kube/kube-object.ts";
import { isKubeError } from "../../../../core/kube-error.ts";
import { finalizerOf, isBeingDeleted } from "../../../../core/ownership.ts";
import type { Writer } from "../../../../engine/feature.ts";
import { addFinalizer, removeFinalizer } from "../../../../engine/round/guarded-writes.ts";
import type { FrontDoor } from "../front-door.ts";

/** One that is on its way out takes no new finalizer. */
export async function holdSecret({ name }: FrontDoor, ref: ObjectRef, { kube, signal }: Writer): Promise<void> {
  const secret = await kube.get(secrets, ref, { signal });
  if (!isBeingDeleted(secret)) await addFinalizer(kube, secrets, secret, finalizerOf(name));
}

/** Who may not change Secrets has held none, or cannot let it go either: nothing waits for that. */
export async function releaseSecret({ name }: FrontDoor, ref: ObjectRef, { kube, signal }: Writer): Promise<void> {
  try {
    await removeFinalizer(kube, secrets, await kube.get(secrets, ref, { signal }), finalizerOf(name));
  } catch (error) {
    if (!isKubeError(error, "NotFound", "Forbidden")) throw error;
  }
}
