// deploy/webhook/*.yaml: what a cluster needs for admission and for objects in several versions. Certificates come from cert-manager,
// which writes its authority into the places that the annotations name.

import { stringify } from "yaml";
import { webhookConversion } from "../../src/apis/kube/crd.ts";
import type { KubeObject } from "../../src/apis/kube/kube-object.ts";
import { convertPath, validatingWebhookConfiguration } from "../../src/apis/kube/webhook-configuration.ts";
import { allJobs } from "../../src/jobs/all.ts";

const namespace = "mainstay-system";
const service = "mainstay-webhook";
const injectAnnotation = { "cert-manager.io/inject-ca-from": `${namespace}/${service}` };

export function webhookManifests(): readonly (readonly [name: string, text: string])[] {
  const clientConfigAt = (path: string) => ({ service: { namespace, name: service, path, port: 443 } });
  const conversion = webhookConversion(clientConfigAt(convertPath));
  const converted = allJobs
    .flatMap(({ definitions }) => definitions)
    .flatMap(({ withConversion }) => withConversion?.(conversion) ?? []);
  const asked = allJobs.flatMap(({ admission }) => admission);
  return [
    ["certificate.yaml", manifest(...certificate())],
    ["service.yaml", manifest(webhookService())],
    [
      "validating-webhook-configuration.yaml",
      manifest(annotated(validatingWebhookConfiguration(asked, clientConfigAt))),
    ],
    ...converted.map((crd) => [`${crd.metadata.name}.yaml`, manifest(annotated(crd))] as const),
  ];
}

function annotated<T extends KubeObject>(object: T): T {
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, ...injectAnnotation } } };
}

function webhookService(): object {
  const ports = [{ name: "webhook", port: 443, targetPort: "webhook" }];
  const spec = { selector: { "app.kubernetes.io/name": "mainstay" }, ports };
  return { apiVersion: "v1", kind: "Service", metadata: { name: service, namespace }, spec };
}

function certificate(): readonly object[] {
  const apiVersion = "cert-manager.io/v1";
  const issuer = { apiVersion, kind: "Issuer", metadata: { name: service, namespace }, spec: { selfSigned: {} } };
  const spec = {
    secretName: `${service}-tls`,
    dnsNames: [`${service}.${namespace}.svc`, `${service}.${namespace}.svc.cluster.local`],
    issuerRef: { kind: "Issuer", name: service },
  };
  return [issuer, { apiVersion, kind: "Certificate", metadata: { name: service, namespace }, spec }];
}

function manifest(...objects: readonly object[]): string {
  const texts = objects.map((object) => stringify(object, { aliasDuplicateObjects: false, lineWidth: 120 }));
  return `# Generated from src/apis by \`npm run generate\`; edit those files, not this one.\n${texts.join("---\n")}`;
}
