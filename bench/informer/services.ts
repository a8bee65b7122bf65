// The objects of the benchmark: headless Services in a namespace of its own, made before and removed after.

import { namespaces, services } from "../../src/apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../src/apis/kube/kube-object.ts";
import type { Kube } from "../../src/ports/kube.ts";

export async function createService(kube: Kube, namespace: string, name: string): Promise<void> {
  const service: KubeObject & { readonly spec: unknown } = {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name,
      namespace,
      labels: { app: name, tier: "bench" },
      annotations: { "example.com/owner": "benchmark" },
    },
    spec: { clusterIP: "None", selector: { app: name }, ports: [{ name: "http", port: 80, targetPort: 8080 }] },
  };
  await kube.create(services, service);
}

export async function removeService(kube: Kube, namespace: string, name: string): Promise<void> {
  await kube.delete(services, { namespace, name });
}

export async function createServices(kube: Kube, namespace: string, count: number): Promise<void> {
  await kube.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const names = Array.from({ length: count }, (_, index) => `bench-${index}`);
  const worker = async (): Promise<void> => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) await createService(kube, namespace, name);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

export async function removeServices(kube: Kube, namespace: string): Promise<void> {
  await kube.request({ method: "DELETE", path: `/api/v1/namespaces/${namespace}/services`, deadlineMs: 120_000 });
  await kube.delete(namespaces, { name: namespace });
}
