// The credentials for a gateway's agent, read from the Secret that its pool names.

import { type Secret, secrets } from "../../../../apis/kube/builtin-kinds.ts";
import { MainstayError } from "../../../../core/errors.ts";
import { isKubeError } from "../../../../core/kube-error.ts";
import type { KubeReader } from "../../../../ports/kube.ts";
import type { GatewaySpec } from "../../apis/gateway-pool.ts";
import { type FeedAccess, feedAccess } from "./feed-access.ts";

/** Rejects where there is none that can be used. */
export async function accessOf(
  { name, credentialsRef }: GatewaySpec,
  { kube, signal }: { readonly kube: KubeReader; readonly signal: AbortSignal },
): Promise<FeedAccess> {
  if (credentialsRef === undefined) return { tls: {} };
  const where = `Secret ${credentialsRef.namespace}/${credentialsRef.name}`;
  let secret: Secret;
  try {
    secret = await kube.get(secrets, credentialsRef, { signal });
  } catch (error) {
    if (!isKubeError(error, "NotFound")) throw error;
    throw unusable(name, `${where}: there is no such object`);
  }
  const access = feedAccess(secret);
  if ("problem" in access) throw unusable(name, access.problem);
  return access;
}

function unusable(gateway: string, problem: string): MainstayError {
  const hint = "Create or correct it; the gateway goes on with what it carries.";
  return new MainstayError({ reason: "GatewayCredentialsUnusable", message: `gateway ${gateway}: ${problem}`, hint });
}
