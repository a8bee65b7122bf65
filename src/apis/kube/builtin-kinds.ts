// The kinds of Kubernetes itself that Mainstay reads or writes.

import type { Kind, KubeObject } from "./kube-object.ts";

function kind(group: string, version: string, name: string, plural: string, namespaced: boolean): Kind<KubeObject> {
  return { group, version, kind: name, plural, namespaced };
}

/** Values are base64. */
export interface Secret extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

export const namespaces = kind("", "v1", "Namespace", "namespaces", false);
export const nodes = kind("", "v1", "Node", "nodes", false);
export const pods = kind("", "v1", "Pod", "pods", true);
export const services = kind("", "v1", "Service", "services", true);
export const secrets: Kind<Secret> = kind("", "v1", "Secret", "secrets", true);
export const configMaps = kind("", "v1", "ConfigMap", "configmaps", true);
export const serviceAccounts = kind("", "v1", "ServiceAccount", "serviceaccounts", true);
export const leases = kind("coordination.k8s.io", "v1", "Lease", "leases", true);
/** As they are read. */
export const events = kind("events.k8s.io", "v1", "Event", "events", true);
/** The same Events as they are written: only here may `lastTimestamp` and `count` be set, by which many readers sort and count. */
export const coreEvents = kind("", "v1", "Event", "events", true);
export const tokenReviews = kind("authentication.k8s.io", "v1", "TokenReview", "tokenreviews", false);
export const subjectAccessReviews = kind(
  "authorization.k8s.io",
  "v1",
  "SubjectAccessReview",
  "subjectaccessreviews",
  false,
);
export const endpointSlices = kind("discovery.k8s.io", "v1", "EndpointSlice", "endpointslices", true);
export const customResourceDefinitions = kind(
  "apiextensions.k8s.io",
  "v1",
  "CustomResourceDefinition",
  "customresourcedefinitions",
  false,
);
