// What the demonstration's cluster holds at first, whichever jobs there are: their definitions with their webhooks, and a Lease.

import { leases, namespaces } from "../../apis/kube/builtin-kinds.ts";
import { webhookConversion } from "../../apis/kube/crd.ts";
import { apiVersionOf, type KubeObject } from "../../apis/kube/kube-object.ts";
import {
  convertPath,
  validatingWebhookConfiguration,
  validatingWebhookConfigurations,
} from "../../apis/kube/webhook-configuration.ts";
import { installCrds } from "../../cli/install-crds.ts";
import { type Definition, definitionsOf, type JobDeclaration } from "../../core/job/declaration.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Kube } from "../../ports/kube.ts";
import { demoLease } from "./demo-managers.ts";
import type { DemoPart } from "./demo-part.ts";

/** No socket answers there: the fake API server asks in this process, by the path alone. */
const webhookAt = (path: string) => ({ url: `https://mainstay.example.com${path}` });

export async function furnish(
  kube: Kube,
  clock: Clock,
  { jobs, parts }: { readonly jobs: readonly JobDeclaration[]; readonly parts: readonly DemoPart[] },
): Promise<void> {
  const ours = definitionsOf(jobs).map(converting);
  const neighbours = parts.flatMap((part) => part.neighbours).map((crd) => ({ crd }));
  await installCrds(kube, clock, [...ours, ...neighbours]);
  await furnishLease(kube);
  const asked = jobs.flatMap(({ admission }) => admission);
  await kube.create(validatingWebhookConfigurations, validatingWebhookConfiguration(asked, webhookAt));
  for (const part of parts) await part.furnish();
}

function converting(definition: Definition): Definition {
  const { withConversion } = definition;
  return withConversion === undefined
    ? definition
    : { ...definition, crd: withConversion(webhookConversion(webhookAt(convertPath))) };
}

/** As a former holder leaves it: the first manager need not wait for anybody. */
async function furnishLease(kube: Kube): Promise<void> {
  const { namespace: name } = demoLease.ref;
  await kube.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  await kube.create(leases, {
    apiVersion: apiVersionOf(leases),
    kind: "Lease",
    metadata: demoLease.ref,
    spec: { leaseDurationSeconds: 1 },
  } as KubeObject);
}
