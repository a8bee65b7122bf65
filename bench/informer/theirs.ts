// The informer of @kubernetes/client-node, as its documentation shows it.

import { CoreV1Api, KubeConfig, makeInformer } from "@kubernetes/client-node";
import { measure } from "./child.ts";

const namespace = process.env["BENCH_NAMESPACE"] ?? "";
const config = new KubeConfig();
config.loadFromFile(process.env["BENCH_KUBECONFIG"] ?? "");
const api = config.makeApiClient(CoreV1Api);
const path = `/api/v1/namespaces/${namespace}/services`;
const informer = makeInformer(config, path, () => api.listNamespacedService({ namespace }));

await measure({
  sync: async (expected, onAdded) => {
    informer.on("add", (service) => onAdded(service.metadata?.name ?? ""));
    await informer.start();
    if (informer.list().length !== expected) throw new Error(`in sync with ${informer.list().length} objects`);
  },
  get: (name) => api.readNamespacedService({ name, namespace }),
});
