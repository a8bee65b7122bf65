// DNSEndpoint of external-dns: DNS records that external-dns publishes.

import type { Kind, KubeObject } from "../kube/kube-object.ts";

export interface DnsEndpointRecord {
  readonly dnsName: string;
  readonly recordType: string;
  readonly recordTTL?: number;
  readonly targets: readonly string[];
}

export interface DnsEndpoint extends KubeObject {
  readonly spec?: { readonly endpoints?: readonly DnsEndpointRecord[] };
}

export const dnsEndpoints: Kind<DnsEndpoint> = {
  group: "externaldns.k8s.io",
  version: "v1alpha1",
  kind: "DNSEndpoint",
  plural: "dnsendpoints",
  namespaced: true,
};
