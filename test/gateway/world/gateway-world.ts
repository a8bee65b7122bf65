// Services, Nodes, two gateways with real agents on fake machines, and a fake cloud, in virtual time: what the gateway controller is tried
// on. Builders show only what a test is about.

import { endpointSlices, nodes, secrets } from "../../../src/apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { isKubeError } from "../../../src/core/kube-error.ts";
import { hmacTokens } from "../../../src/drivers/system/hmac-tokens.ts";
import type { Feature } from "../../../src/engine/feature.ts";
import { createMetrics } from "../../../src/engine/report/metrics.ts";
import {
  type GatewayPool,
  type GatewayPoolSpec,
  type GatewaySpec,
  gatewayPools,
} from "../../../src/jobs/gateway/apis/gateway-pool.ts";
import { gatewayPoolCrd } from "../../../src/jobs/gateway/apis/gateway-pool-crd.ts";
import type { Service } from "../../../src/jobs/gateway/apis/kube-objects.ts";
import { gatewayFeature } from "../../../src/jobs/gateway/controller/feature.ts";
import { serviceKind } from "../../../src/jobs/gateway/controller/observe.ts";
import { gatewayJob } from "../../../src/jobs/gateway/job.ts";
import { type FakeAgent, startFakeAgent } from "../../../src/jobs/gateway/sim/fake-agent.ts";
import { FakeGatewayFeed } from "../../../src/jobs/gateway/sim/fake-gateway-feed.ts";
import type { FakeOpenStackOptions } from "../../../src/sim/fakes/openstack/cloud-settings.ts";
import { createLabShaped, type LabShaped } from "../../../src/sim/fakes/openstack/lab-shaped.ts";
import { seededRandom } from "../../../src/sim/time/seeded-random.ts";
import { cloudsYaml } from "../../api-endpoint/world/endpoint-world.ts";
import { type JobManagerOptions, JobWorld } from "../../support/job-world.ts";
import { quietLog } from "../../support/quiet-log.ts";
import type { TestManager } from "../../support/test-manager.ts";

const secret = "a-secret-of-both-sides";
const credentialsRef = { namespace: "default", name: "agents" };

export interface ServiceOptions {
  readonly ports?: readonly object[];
  readonly spec?: object;
  readonly annotations?: Readonly<Record<string, string>>;
}

export class GatewayWorld extends JobWorld {
  readonly feed = new FakeGatewayFeed();
  readonly agents = new Map<string, FakeAgent>();
  readonly lab: LabShaped;

  constructor(cloud: Partial<FakeOpenStackOptions> = {}) {
    super();
    this.lab = createLabShaped({ clock: this.clock, random: seededRandom(5), ...cloud });
  }

  get neutron() {
    return this.lab.fake.project(this.lab.clouds.password).neutron;
  }

  async furnish(): Promise<void> {
    await this.define(gatewayPoolCrd);
    await this.putSecret("agents", { "shared-secret": Buffer.from(secret).toString("base64") });
    await this.furnishCloud();
    for (const [index, name] of ["node-1", "node-2"].entries()) await this.node(name, `10.1.0.${index + 1}`);
    for (const name of ["gw1", "gw2"]) await this.startAgent(name);
  }

  async furnishCloud(): Promise<void> {
    await this.putSecret("cloud", { "clouds.yaml": cloudsYaml(this.lab) });
  }

  features(): readonly Feature[] {
    const { feed, clock } = this;
    const parts = { feed, tokens: hmacTokens, clock, random: seededRandom(9) };
    return [gatewayFeature({ openStack: this.lab.fake, feed: parts })];
  }

  work(options: JobManagerOptions = {}): TestManager {
    return this.manager({ metrics: createMetrics([gatewayJob.metrics]), ...options });
  }

  async startAgent(name: string, machine?: FakeAgent["gateway"]): Promise<FakeAgent> {
    const key = Buffer.from(secret);
    const agent = await startFakeAgent({ name, key, clock: this.clock, log: quietLog(), tokens: hmacTokens }, machine);
    this.agents.set(name, agent);
    this.feed.agents.set(`http://${name}`, agent.service);
    return agent;
  }

  async putSecret(name: string, values: Readonly<Record<string, string>>): Promise<void> {
    const data = Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString("base64")]),
    );
    const object = { apiVersion: "v1", kind: "Secret", metadata: { name, namespace: "default" }, data };
    await this.kube.apply(secrets, object, { fieldManager: "test", force: true });
  }

  async deleteSecret(name: string): Promise<void> {
    await this.kube.delete(secrets, { name, namespace: "default" });
  }

  async node(name: string, address: string): Promise<void> {
    const node = { apiVersion: "v1", kind: "Node", metadata: { name } };
    await this.kube.create<KubeObject>(nodes, node);
    const status = { addresses: [{ type: "InternalIP", address }], conditions: [{ type: "Ready", status: "True" }] };
    await this.kube.patch(nodes, { name }, { type: "merge", body: { status } }, { subresource: "status" });
  }

  gateway(name: string, more: Partial<GatewaySpec> = {}): GatewaySpec {
    return { name, url: `http://${name}`, credentialsRef, ...more };
  }

  async pool(name: string, spec: Partial<GatewayPoolSpec> = {}): Promise<void> {
    await this.kube.create<GatewayPool>(gatewayPools, {
      apiVersion: "mainstay.dev/v1alpha1",
      kind: "GatewayPool",
      metadata: { name },
      spec: {
        gateways: [this.gateway("gw1"), this.gateway("gw2")],
        addresses: { static: { ipv4: ["192.0.2.10-192.0.2.12"] } },
        vrrp: { virtualRouterIDBase: 50, groups: [{ name: "a", sourceAddresses: ["10.1.0.100"] }] },
        ...spec,
      },
    });
  }

  /** A pool with addresses from the lab's first subnet, floating IPs, and gateways that are machines of the cloud. */
  async cloudPool(name: string, spec: Partial<GatewayPoolSpec> = {}): Promise<readonly string[]> {
    const ids: string[] = [];
    for (const gateway of ["gw1", "gw2"]) ids.push(await this.port(gateway));
    const identityRef = { namespace: "default", name: "cloud", cloudName: "lab" };
    const subnets = { ipv4: { id: this.lab.subnetIds[0] } };
    const floatingIPs = { networkID: this.lab.externalNetworkId };
    await this.pool(name, {
      gateways: [
        this.gateway("gw1", { externalPortID: ids[0] ?? "" }),
        this.gateway("gw2", { externalPortID: ids[1] ?? "" }),
      ],
      addresses: { neutron: { identityRef, subnets, floatingIPs } },
      clusterID: "cluster-1",
      ...spec,
    });
    return ids;
  }

  /** Of somebody's machine. */
  async port(name: string): Promise<string> {
    const place = { networkId: this.lab.networkId, subnetId: this.lab.subnetIds[0] };
    return (await this.neutron.createPort({ ...place, name, description: "", deviceId: name, tags: [] })).id;
  }

  async service(name: string, { ports, spec = {}, annotations = {} }: ServiceOptions = {}): Promise<void> {
    await this.kube.create<KubeObject>(serviceKind, {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name, namespace: "default", annotations },
      spec: { type: "LoadBalancer", ports: ports ?? [{ name: "http", port: 80, protocol: "TCP" }], ...spec },
    } as KubeObject);
  }

  async change(name: string, body: object): Promise<void> {
    await this.kube.patch(serviceKind, { name, namespace: "default" }, { type: "merge", body });
  }

  async deleteService(name: string): Promise<void> {
    await this.kube.delete(serviceKind, { name, namespace: "default" });
  }

  async getService(name: string): Promise<Service> {
    return await this.kube.get(serviceKind, { name, namespace: "default" });
  }

  async hasService(name: string): Promise<boolean> {
    try {
      await this.getService(name);
      return true;
    } catch (error) {
      if (isKubeError(error, "NotFound")) return false;
      throw error;
    }
  }

  async addresses(name: string): Promise<readonly string[]> {
    const { status } = await this.getService(name);
    return (status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => ip ?? []);
  }

  async getPool(name: string): Promise<GatewayPool> {
    return await this.kube.get(gatewayPools, { name });
  }

  async slice(service: string, addresses: readonly string[]): Promise<void> {
    const slice = {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { name: service, namespace: "default", labels: { "kubernetes.io/service-name": service } },
      addressType: "IPv4",
      endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
      ports: [{ name: "http", port: 8080, protocol: "TCP" }],
    };
    await this.kube.apply(endpointSlices, slice, { fieldManager: "test", force: true });
  }

  /** What a gateway carries, as `address/protocol/port service`. */
  carried(gateway: string): readonly string[] {
    const forwardings = this.agents.get(gateway)?.agent.document()?.forwardings ?? [];
    return forwardings.map(({ address, protocol, port, service }) => `${address}/${protocol}/${port} ${service}`);
  }

  /** In Neutron, by our mark. */
  async inNeutron(): Promise<{ readonly ports: number; readonly floatingIps: number }> {
    const { tables } = this.lab.fake.cloud;
    const isOurs = ({ description }: { readonly description: string }) => description.startsWith("mainstay.dev");
    return {
      ports: tables.ports.all().filter(isOurs).length,
      floatingIps: tables.floatingips.all().filter(isOurs).length,
    };
  }

  async eventsOn(name: string): Promise<readonly string[]> {
    const { items } = await this.kube.list<KubeObject & { reason?: string; regarding?: { name?: string } }>(
      { group: "events.k8s.io", version: "v1", kind: "Event", plural: "events", namespaced: true },
      {},
    );
    return items.filter(({ regarding }) => regarding?.name === name).map(({ reason = "" }) => reason);
  }
}
