// An API server that knows our kinds in all their versions, with our webhooks behind it: in the same process for the fake, over
// HTTPS on loopback for the real one. Everything a test makes is in a namespace of its own.

import { randomBytes } from "node:crypto";
import { namespaces } from "../../../src/apis/kube/builtin-kinds.ts";
import { type WebhookClientConfig, webhookConversion } from "../../../src/apis/kube/crd.ts";
import type { Kind, KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { apiVersionOf } from "../../../src/apis/kube/kube-object.ts";
import { convertPath } from "../../../src/apis/kube/webhook-configuration.ts";
import { valueAt } from "../../../src/apis/text/json-path.ts";
import { installCrds } from "../../../src/cli/install-crds.ts";
import { isKubeError, type KubeError } from "../../../src/core/kube-error.ts";
import { systemClock } from "../../../src/drivers/system/system-clock.ts";
import { apiEndpoints } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import { apiEndpointCrd } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint-crd.ts";
import {
  openStackClusters,
  openStackClustersV1beta2,
} from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import { openStackClusterCrd } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster-crd.ts";
import type { KubeTargetSession } from "../../contract/kube-target.ts";

export interface ApiTarget {
  readonly session: KubeTargetSession;
  readonly clientConfigAt: (path: string) => WebhookClientConfig;
}

/** Open JSON: tests write what users write, right or wrong. */
export interface Loose extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

/** A kind whose objects may say anything. */
function loose({ example: _, ...kind }: Kind): Kind<Loose> {
  return kind;
}

/** An OpenStackCluster in v1beta1, the same in v1beta2, and an APIEndpoint. */
export const clusters = loose(openStackClusters);
export const later = loose(openStackClustersV1beta2);
export const endpoints = loose(apiEndpoints);

/** What stands at a path such as `spec.apiServer.port`. */
export function at(object: Loose, path: string): unknown {
  return valueAt(object, path.split("."));
}

export async function installApi({ session, clientConfigAt }: ApiTarget): Promise<void> {
  const conversion = webhookConversion(clientConfigAt(convertPath));
  const definitions = [openStackClusterCrd(conversion), apiEndpointCrd];
  await installCrds(
    session.admin,
    systemClock,
    definitions.map((crd) => ({ crd })),
  );
  for (const { spec } of definitions) {
    for (const { name } of spec.versions) {
      const path = `/apis/${spec.group}/${name}/${spec.names.plural}`;
      await eventually(`serving ${path}`, () => session.admin.request({ method: "GET", path }));
    }
  }
}

export async function freshNamespace({ admin }: KubeTargetSession): Promise<string> {
  const name = `api-${randomBytes(4).toString("hex")}`;
  await admin.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  return name;
}

export function make(kind: Kind, namespace: string, spec: object, metadata: object = {}): Loose {
  const name = `c-${randomBytes(3).toString("hex")}`;
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { name, namespace, ...metadata },
    spec: { ...spec },
  };
}

export async function refusal(call: Promise<unknown>): Promise<KubeError> {
  const outcome = await call.then(
    (value) => new Error(`not refused: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (isKubeError(outcome)) return outcome;
  throw outcome;
}

export async function eventually<T>(what: string, attempt: () => Promise<T>): Promise<T> {
  let last: unknown;
  for (let tries = 0; tries < 100; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      last = error;
      await new Promise<void>((resolve) => void systemClock.after(100, resolve));
    }
  }
  throw new Error(`${what}: never happened`, { cause: last });
}

export const ids = {
  network: "6c90b532-7ba0-418a-a276-5ae55060b5b0",
  one: "cad5a91a-36de-4388-823b-b0cc82cadfdc",
  two: "e2407c18-c4e7-4d3d-befa-8eec5d8756f2",
  three: "11111111-2222-4333-8444-555555555555",
} as const;

export const identityRef = { name: "creds", cloudName: "openstack" };
export const endpoint = { host: "api.mycluster.example.com", port: 6443 };
export const zone = (availabilityZone: string, id: string) => ({ availabilityZone, subnet: { id } });
export const block = {
  network: { id: ids.network },
  availabilityZoneSubnets: [zone("az1", ids.one), zone("az2", ids.two)],
};
export const zonesSpec = { identityRef, controlPlaneEndpoint: endpoint, apiServerLoadBalancer: block };
