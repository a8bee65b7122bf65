// A cluster with its machines, a fake cloud shaped like the lab's, and a manager, in virtual time: what the api-endpoint controllers
// are tried on. Builders show only what a test is about.

import { stringify } from "yaml";
import { clusters, machines, openStackMachines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { namespaces, secrets } from "../../../src/apis/kube/builtin-kinds.ts";
import type { Kind, KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { byText } from "../../../src/core/by-text.ts";
import type { LoadBalancer } from "../../../src/core/openstack/octavia-objects.ts";
import { present } from "../../../src/core/present.ts";
import type { Feature } from "../../../src/engine/feature.ts";
import type { ApiEndpoint } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import { apiEndpointCrd } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint-crd.ts";
import type { ApiServerLoadBalancer } from "../../../src/jobs/api-endpoint/apis/load-balancer/api-server-load-balancer.ts";
import {
  type OpenStackCluster,
  openStackClusters,
} from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import { openStackClusterCrd } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster-crd.ts";
import { apiEndpointFeature, openStackClusterFeature } from "../../../src/jobs/api-endpoint/controller/front-doors.ts";
import type { CallWebhook } from "../../../src/sim/fakes/kube/admission/webhook-call.ts";
import { openCrd } from "../../../src/sim/fakes/kube/open-crd.ts";
import type { FakeOpenStackOptions } from "../../../src/sim/fakes/openstack/cloud-settings.ts";
import { createLabShaped, type LabShaped } from "../../../src/sim/fakes/openstack/lab-shaped.ts";
import { seededRandom } from "../../../src/sim/time/seeded-random.ts";
import { JobWorld } from "../../support/job-world.ts";
import type { TestManager } from "../../support/test-manager.ts";

export const namespace = "clusters";
const managedBy = { "cluster.x-k8s.io/managed-by": "mainstay" };

export interface ClusterOptions {
  readonly spec?: OpenStackCluster["spec"];
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface WorldOptions {
  /** Of the fake cloud: its providers, version, services. */
  readonly cloud?: Partial<FakeOpenStackOptions>;
  readonly callWebhook?: CallWebhook;
}

export class EndpointWorld extends JobWorld {
  readonly lab: LabShaped;
  #machines = 0;

  constructor({ cloud = {}, callWebhook }: WorldOptions = {}) {
    super(callWebhook === undefined ? {} : { callWebhook });
    this.lab = createLabShaped({ clock: this.clock, random: seededRandom(5), ...cloud });
  }

  get cloud() {
    return this.lab.fake.project(this.lab.clouds.password);
  }

  async furnish(): Promise<void> {
    await this.define(
      openStackClusterCrd(),
      apiEndpointCrd,
      ...[clusters, machines, openStackMachines].map((kind) => openCrd(kind)),
    );
    await this.kube.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    await this.putCredentials(cloudsYaml(this.lab));
  }

  async putCredentials(text: string, name = "cloud"): Promise<void> {
    const data = { "clouds.yaml": Buffer.from(text).toString("base64") };
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name, namespace }, data };
    await this.kube.apply(secrets, secret, { fieldManager: "test", force: true });
  }

  features(): readonly Feature[] {
    const { fake: openStack } = this.lab;
    return [openStackClusterFeature({ openStack, claims: "annotated" }), apiEndpointFeature({ openStack })];
  }

  work(): TestManager {
    return this.manager();
  }

  /** A Cluster and its OpenStackCluster, as Cluster API leaves them: owned, with one mapping for each of these zones. */
  async cluster(name: string, { spec = {}, annotations = {} }: ClusterOptions = {}): Promise<void> {
    const { metadata } = await this.put(clusters, name, { infrastructureRef: { kind: "OpenStackCluster", name } });
    const owner = { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name, uid: metadata.uid ?? "" };
    await this.kube.create<KubeObject>(openStackClusters, {
      apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
      kind: "OpenStackCluster",
      metadata: { name, namespace, annotations: { ...managedBy, ...annotations }, ownerReferences: [owner] },
      spec: { identityRef, network: { id: this.lab.networkId }, ...spec },
    } as KubeObject);
  }

  /** The other door, for the Cluster of the same name. Not made yet: some tests only write it down. */
  apiEndpoint(
    name: string,
    spec: ApiEndpoint["spec"] = {},
    annotations: ClusterOptions["annotations"] = {},
  ): ApiEndpoint {
    return {
      apiVersion: "mainstay.dev/v1alpha1",
      kind: "APIEndpoint",
      metadata: { name, namespace, annotations },
      spec: {
        clusterRef: { name },
        identityRef,
        network: { id: this.lab.networkId },
        controlPlaneEndpoint: { host: `api.${name}.example.com`, port: 6443 },
        apiServerLoadBalancer: this.zones(),
        ...spec,
      },
    };
  }

  zones(names: readonly string[] = ["az1", "az2", "az3"]): ApiServerLoadBalancer {
    const { networkId, subnetIds } = this.lab;
    const availabilityZoneSubnets = names.map((availabilityZone) => {
      const id = subnetIds[Number(availabilityZone.slice(2)) - 1] ?? "";
      return { availabilityZone, subnet: { id } };
    });
    return { enabled: true, network: { id: networkId }, availabilityZoneSubnets };
  }

  async machine(cluster: string, zone: string, name = `${cluster}-${zone}`): Promise<string> {
    this.#machines += 1;
    return await this.machineAt(cluster, zone, `10.0.${zone.slice(2)}.${10 + this.#machines}`, name);
  }

  async machineAt(cluster: string, zone: string, address: string, name = `${cluster}-${zone}`): Promise<string> {
    const labels = { "cluster.x-k8s.io/cluster-name": cluster, "cluster.x-k8s.io/control-plane": "" };
    const addresses = [{ type: "InternalIP", address }];
    await this.put(openStackMachines, name, {}, { labels, status: { addresses } });
    const infrastructureRef = { kind: "OpenStackMachine", name };
    await this.put(machines, name, { clusterName: cluster, failureDomain: zone, infrastructureRef }, { labels });
    return address;
  }

  async removeMachine(name: string): Promise<void> {
    for (const kind of [machines, openStackMachines]) await this.kube.delete(kind, { name, namespace });
  }

  async put(
    kind: Kind,
    name: string,
    spec: object,
    { labels = {}, status }: { readonly labels?: Readonly<Record<string, string>>; readonly status?: object } = {},
  ): Promise<KubeObject> {
    const object = {
      apiVersion: `${kind.group}/${kind.version}`,
      kind: kind.kind,
      metadata: { name, namespace, labels },
      spec,
      ...present({ status }),
    };
    return await this.kube.create<KubeObject>(kind, object);
  }

  async read(name: string): Promise<OpenStackCluster> {
    return await this.kube.get(openStackClusters, { name, namespace });
  }

  async patch(name: string, body: object): Promise<void> {
    await this.kube.patch(openStackClusters, { name, namespace }, { type: "merge", body });
  }

  async remove(name: string): Promise<void> {
    await this.kube.delete(openStackClusters, { name, namespace });
  }

  async balancers(): Promise<readonly LoadBalancer[]> {
    const found = this.cloud.octavia.listLoadBalancers({});
    await this.clock.advance(1_000);
    return (await found).toSorted(byText(({ name }) => name));
  }

  async notes(): Promise<readonly string[]> {
    return (await this.events()).map(({ note }) => note);
  }
}

const identityRef = { name: "cloud", cloudName: "lab" };

export function cloudsYaml({ clouds }: LabShaped): string {
  const { authUrl, auth } = clouds.password;
  if (auth.type !== "password" || !("name" in auth.user) || !("name" in auth.scope))
    throw new Error("a password is wanted");
  const { user, scope, password } = auth;
  return stringify({
    clouds: {
      lab: {
        auth: {
          auth_url: authUrl,
          username: user.name,
          password,
          project_name: scope.name,
          ...domain("user", user.domain),
          ...domain("project", scope.domain),
        },
      },
    },
  });
}

/** Of the same project. */
export function applicationCredentialYaml({ clouds }: LabShaped): string {
  const { authUrl, auth } = clouds["application-credential"];
  if (auth.type !== "application-credential" || !("id" in auth.credential))
    throw new Error("an application credential with an id is wanted");
  const { credential, secret } = auth;
  const application = { application_credential_id: credential.id, application_credential_secret: secret };
  return stringify({
    clouds: { lab: { auth_type: "v3applicationcredential", auth: { auth_url: authUrl, ...application } } },
  });
}

function domain(whose: string, ref: { readonly id: string } | { readonly name: string }): Record<string, string> {
  return "id" in ref ? { [`${whose}_domain_id`]: ref.id } : { [`${whose}_domain_name`]: ref.name };
}
