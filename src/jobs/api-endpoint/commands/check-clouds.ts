// Do the credentials of every object open its cloud, and is Octavia there? Only asked when somebody wants to know: it logs in.

import { formatRef, type KubeObject, refOf } from "../../../apis/kube/kube-object.ts";
import { type Finding, fail, ok } from "../../../cli/doctor/finding.ts";
import { MainstayError } from "../../../core/errors.ts";
import type { KubeReader } from "../../../ports/kube.ts";
import type { OpenStack } from "../../../ports/openstack.ts";
import { cloudOf } from "../controller/cloud/cloud-of.ts";
import type { Claims } from "../core/front-doors/open-stack-cluster-door.ts";
import { isTooOld, tooOldWords } from "../core/model/provider-features.ts";
import { frontDoorOf } from "./front-door-of.ts";

export interface CloudCheck {
  readonly kube: KubeReader;
  readonly claims: Claims;
  /** Given: credentials are tried. */
  readonly openStack?: OpenStack;
}

export async function checkClouds(
  objects: readonly KubeObject[],
  { kube, claims, openStack }: CloudCheck,
): Promise<readonly Finding[]> {
  if (objects.length === 0) return [];
  if (openStack === undefined)
    return [ok("clouds", `not asked; --clouds tries the credentials of ${counted(objects.length)}`)];
  return await Promise.all(
    objects.map(async (object) => {
      const check = `cloud of ${object.kind} ${formatRef(refOf(object))}`;
      try {
        return ok(check, await identify(object, { kube, claims, openStack }));
      } catch (error) {
        if (!(error instanceof MainstayError)) throw error;
        return fail(check, error.message, error.hint ?? `mainstay runbook ${error.reason} says what to do.`);
      }
    }),
  );
}

async function identify(object: KubeObject, { kube, claims, openStack }: Required<CloudCheck>): Promise<string> {
  const identity = frontDoorOf(object, claims).identityOf(object);
  const { signal } = new AbortController();
  if (identity === undefined)
    throw new MainstayError({
      reason: "CredentialsUnusable",
      message: "spec.identityRef is not set",
      hint: "Name the Secret with the clouds.yaml.",
    });
  const cloud = await cloudOf({ kube, identity, namespace: object.metadata.namespace ?? "", signal });
  const project = openStack.project(cloud);
  const { projectId, services } = await project.identify({ signal });
  if (!services.includes("load-balancer"))
    throw new MainstayError({
      reason: "OpenStackServiceMissing",
      message: `project ${projectId}: the catalogue has no load-balancer service`,
      hint: "Octavia must be there, in the region and interface that the clouds.yaml names.",
    });
  const version = await project.octavia.version({ signal });
  if (isTooOld(version))
    throw new MainstayError({
      reason: "OctaviaTooOld",
      message: `project ${projectId}: ${tooOldWords(version)}`,
      hint: "Upgrade the cloud's Octavia, or use another cloud.",
    });
  return `project ${projectId} can be used, with Octavia API ${version.join(".")}`;
}

function counted(objects: number): string {
  return objects === 1 ? "1 object" : `${objects} objects`;
}
