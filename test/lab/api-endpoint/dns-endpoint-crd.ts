// A definition of external-dns's DNSEndpoint with the fields that we write, for a server where external-dns is not installed. Whatever
// else somebody writes is pruned, so that a field with another name would not be found again.

import { dnsEndpoints } from "../../../src/apis/external-dns/dns-endpoint.ts";
import type { KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { openCrd } from "../../../src/sim/fakes/kube/open-crd.ts";

const record = {
  type: "object",
  required: ["dnsName", "recordType", "targets"],
  properties: {
    dnsName: { type: "string", minLength: 1 },
    recordType: { type: "string", enum: ["A", "AAAA", "CNAME", "TXT", "SRV", "NS"] },
    recordTTL: { type: "integer", format: "int64", minimum: 0 },
    targets: { type: "array", items: { type: "string" } },
  },
};

const schema = {
  type: "object",
  properties: {
    spec: { type: "object", properties: { endpoints: { type: "array", items: record } } },
    status: { type: "object", properties: { observedGeneration: { type: "integer", format: "int64" } } },
  },
};

export function dnsEndpointCrd(): KubeObject {
  const crd = openCrd(dnsEndpoints) as KubeObject & { readonly spec: object };
  const version = { name: dnsEndpoints.version, served: true, storage: true, schema: { openAPIV3Schema: schema } };
  return {
    ...crd,
    spec: { ...crd.spec, versions: [{ ...version, subresources: { status: {} } }] },
  } as KubeObject;
}
