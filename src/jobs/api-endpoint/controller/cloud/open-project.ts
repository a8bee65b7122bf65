// From an object to the cloud project its balancers are in: its credentials, authenticated.

import { formatRef, type KubeObject, refOf } from "../../../../apis/kube/kube-object.ts";
import type { MonotonicMs } from "../../../../core/clock-times.ts";
import { MainstayError } from "../../../../core/errors.ts";
import type { KubeReader } from "../../../../ports/kube.ts";
import type { OpenStack } from "../../../../ports/openstack.ts";
import { locationOf } from "../../core/situation/location.ts";
import type { FrontDoor } from "../front-door.ts";
import { type Credentials, cloudIn, credentialsOf } from "./cloud-of.ts";
import type { RefusedReads } from "./refused-reads.ts";
import type { Session } from "./sessions.ts";
import type { SilentCloud } from "./silent-clouds.ts";

export interface CredentialsRequest {
  readonly door: FrontDoor;
  readonly object: KubeObject;
  readonly kube: KubeReader;
  readonly signal: AbortSignal;
}

export async function readCredentials({ door, object, kube, signal }: CredentialsRequest): Promise<Credentials> {
  const identity = door.identityOf(object);
  if (identity !== undefined)
    return await credentialsOf({ kube, identity, namespace: object.metadata.namespace ?? "", signal });
  throw new MainstayError({
    reason: "CredentialsUnusable",
    message: `${object.kind} ${formatRef(refOf(object))}: spec.identityRef is not set`,
    hint: "Name the Secret with the clouds.yaml.",
  });
}

/** Of all objects: one wrong password is not tried for each that uses it, and a Keystone that is silent is not asked for each. */
export interface Logins {
  readonly refused: RefusedReads;
  readonly silent: SilentCloud;
}

export interface ProjectRequest {
  readonly credentials: Credentials;
  readonly openStack: OpenStack;
  readonly logins: Logins;
  readonly monotonicMs: MonotonicMs;
  readonly signal: AbortSignal;
}

export async function openProject({
  credentials,
  openStack,
  logins,
  monotonicMs,
  signal,
}: ProjectRequest): Promise<Session> {
  const project = openStack.project(cloudIn(credentials));
  const { ref, identity, secret } = credentials;
  const name = JSON.stringify([formatRef(ref), identity.cloudName, identity.region]);
  const version = secret.metadata.resourceVersion ?? "";
  // Others may have a token already: silence is known of those who share one.
  const identify = () => logins.silent.ask({ service: name, monotonicMs, signal }, () => project.identify({ signal }));
  const identified = await logins.refused.read({ name, version, monotonicMs }, identify);
  const { endpointKey, tokenKey, services } = identified;
  return {
    project,
    endpointKey,
    sharingKey: `${endpointKey} ${tokenKey}`,
    location: locationOf(identified),
    hasOctavia: services.includes("load-balancer"),
  };
}
