// Small objects that behaviours create, and how a refusal is caught. Each shows only what matters.

import type { Kind, KubeObject, ObjectMeta } from "../../../src/apis/kube/kube-object.ts";
import { KubeError } from "../../../src/core/kube-error.ts";

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

export function configMap(metadata: ObjectMeta, data: Readonly<Record<string, string>> = {}): ConfigMap {
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data };
}

export interface Service extends KubeObject {
  readonly spec: {
    readonly clusterIP?: string;
    readonly ports: readonly { readonly name?: string; readonly port: number; readonly protocol?: string }[];
  };
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly { readonly ip: string }[] } };
}

/** Headless: needs no address, so that it costs the server nothing. */
export function service(
  metadata: ObjectMeta,
  ports: readonly { name?: string; port: number }[] = [{ port: 80 }],
): Service {
  return { apiVersion: "v1", kind: "Service", metadata, spec: { clusterIP: "None", ports } };
}

/** A CustomResourceDefinition of a kind that takes anything. */
export function customResource({ group, version, kind, plural, namespaced }: Kind): KubeObject {
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const spec = {
    group,
    scope: namespaced ? "Namespaced" : "Cluster",
    names: { kind, plural, singular: kind.toLowerCase() },
    versions: [{ name: version, served: true, storage: true, schema }],
  };
  const metadata = { name: `${plural}.${group}` };
  return { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata, spec } as KubeObject;
}

/** The KubeError a call is refused with; anything else fails the behaviour. */
export async function refusal(call: Promise<unknown>): Promise<KubeError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof KubeError) return error;
    throw error;
  }
  throw new Error("the server accepted what it should refuse");
}
