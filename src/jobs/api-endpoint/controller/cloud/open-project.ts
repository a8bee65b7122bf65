// From an object to the cloud project its balancers are in: its credentials, authenticated.

import { formatRef, type KubeObject, refOf } from "../../../../apis/kube/kube-object.ts";
import { MainstayError } from "../../../../core/errors.ts";
import type { KubeReader } from "../../../../ports/kube.ts";
import type { OpenStack } from "../../../../ports/openstack.ts";
import { locationOf } from "../../core/situation/location.ts";
import type { FrontDoor } from "../front-door.ts";
import { cloudOf } from "./cloud-of.ts";
import type { Session } from "./sessions.ts";

export interface ProjectRequest {
  readonly door: FrontDoor;
  readonly object: KubeObject;
  readonly kube: KubeReader;
  readonly openStack: OpenStack;
  readonly signal: AbortSignal;
}

export async function openProject({ door, object, kube, openStack, signal }: ProjectRequest): Promise<Session> {
  const identity = door.identityOf(object);
  if (identity === undefined) {
    throw new MainstayError({
      reason: "CredentialsUnusable",
      message: `${object.kind} ${formatRef(refOf(object))}: spec.identityRef is not set`,
      hint: "Name the Secret with the clouds.yaml.",
    });
  }
  const project = openStack.project(
    await cloudOf({ kube, identity, namespace: object.metadata.namespace ?? "", signal }),
  );
  const identified = await project.identify({ signal });
  const { endpointKey, services } = identified;
  return { project, endpointKey, location: locationOf(identified), hasOctavia: services.includes("load-balancer") };
}
