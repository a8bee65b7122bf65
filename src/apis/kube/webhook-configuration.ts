// How the API server is told to ask us about OpenStackClusters and APIEndpoints. Writes that change neither spec nor annotations,
// such as a finalizer's, are not asked about, so that nothing hangs on the webhook that need not.

import { externallyManagedAnnotation } from "../../jobs/api-endpoint/apis/annotations.ts";
import { apiEndpoints } from "../../jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import { capoFinalizer, openStackClusters } from "../../jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import { managedByLabel, managedByValue, type WebhookClientConfig } from "./crd.ts";
import type { Kind, KubeObject } from "./kube-object.ts";

export const validatePath = "/validate";
export const convertPath = "/convert";

export const validatingWebhookConfigurations: Kind = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "ValidatingWebhookConfiguration",
  plural: "validatingwebhookconfigurations",
  namespaced: false,
};

const annotations = (object: string) => `(has(${object}.metadata.annotations) ? ${object}.metadata.annotations : {})`;
const finalizers = "(has(object.metadata.finalizers) ? object.metadata.finalizers : [])";
const labels = "(has(object.metadata.labels) ? object.metadata.labels : {})";
const managedBy = `'${externallyManagedAnnotation}'`;
/** CAPO's own objects are CAPO's to judge: they bear its finalizer, and nobody gave them to us. */
const notOfCapo = `!('${capoFinalizer}' in ${finalizers}) || ${finalizers}.exists(f, f.startsWith('mainstay.dev/')) || ${managedBy} in ${annotations("object")} || ${managedBy} in ${labels}`;
const changed = `oldObject == null || object.spec != oldObject.spec || ${annotations("object")} != ${annotations("oldObject")}`;

interface MatchCondition {
  readonly name: string;
  /** CEL. */
  readonly expression: string;
}

/** `clientConfigAt`: where the webhook is, for one of the paths above. */
export function validatingWebhookConfiguration(clientConfigAt: (path: string) => WebhookClientConfig): KubeObject {
  const webhook = (kind: Kind, more: readonly MatchCondition[] = []) => ({
    name: `${kind.plural}.mainstay.dev`,
    clientConfig: clientConfigAt(validatePath),
    // One version is enough: the API server converts the others before it asks.
    rules: [
      {
        apiGroups: [kind.group],
        apiVersions: [kind.version],
        resources: [kind.plural],
        operations: ["CREATE", "UPDATE"],
        scope: "Namespaced",
      },
    ],
    matchPolicy: "Equivalent",
    matchConditions: [{ name: "spec-or-annotations-change", expression: changed }, ...more],
    failurePolicy: "Fail",
    sideEffects: "None",
    timeoutSeconds: 5,
    admissionReviewVersions: ["v1"],
  });
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "mainstay", labels: { [managedByLabel]: managedByValue } },
    webhooks: [webhook(openStackClusters, [{ name: "not-of-capo", expression: notOfCapo }]), webhook(apiEndpoints)],
  } as KubeObject;
}
