// The ValidatingWebhookConfiguration for our kinds. Writes that change neither spec nor annotations, such as a finalizer's, are not
// sent to the webhook, so that they do not depend on it.

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

/** The annotations of `object` or `oldObject`, in CEL. */
export const annotationsInCel = (object: string) =>
  `(has(${object}.metadata.annotations) ? ${object}.metadata.annotations : {})`;
const changed = `oldObject == null || object.spec != oldObject.spec || ${annotationsInCel("object")} != ${annotationsInCel("oldObject")}`;

/** A kind that is asked about, and which of its objects. */
export interface AskedKind {
  readonly kind: Kind;
  /** In CEL; absent: all. */
  readonly only?: readonly { readonly name: string; readonly expression: string }[];
}

/** `clientConfigAt`: where the webhook is, for one of the paths above. */
export function validatingWebhookConfiguration(
  kinds: readonly AskedKind[],
  clientConfigAt: (path: string) => WebhookClientConfig,
): KubeObject {
  const webhook = ({ kind, only = [] }: AskedKind) => ({
    name: `${kind.plural}.mainstay.dev`,
    clientConfig: clientConfigAt(validatePath),
    // One version is enough: the API server converts the others before it asks.
    rules: [
      {
        apiGroups: [kind.group],
        apiVersions: [kind.version],
        resources: [kind.plural],
        operations: ["CREATE", "UPDATE"],
        scope: kind.namespaced ? "Namespaced" : "Cluster",
      },
    ],
    matchPolicy: "Equivalent",
    matchConditions: [{ name: "spec-or-annotations-change", expression: changed }, ...only],
    failurePolicy: "Fail",
    sideEffects: "None",
    timeoutSeconds: 5,
    admissionReviewVersions: ["v1"],
  });
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "mainstay", labels: { [managedByLabel]: managedByValue } },
    webhooks: kinds.map(webhook),
  } as KubeObject;
}
