// What the definitions alone promise, without any webhook: they must hold where nobody runs one.

import { beforeAll, describe, expect, it } from "vitest";
import { customResourceDefinitions } from "../../../src/apis/kube/builtin-kinds.ts";
import { openStackClusterCrd } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster-crd.ts";
import {
  type ApiTarget,
  at,
  block,
  clusters,
  endpoint,
  endpoints,
  freshNamespace,
  identityRef,
  ids,
  type Loose,
  later,
  make,
  refusal,
  zone,
  zonesSpec,
} from "./api-world.ts";

type Case = readonly [name: string, spec: Readonly<Record<string, unknown>>, field: string];

const withBlock = (change: object) => ({ ...zonesSpec, apiServerLoadBalancer: { ...block, ...change } });
const mapped = (...availabilityZoneSubnets: readonly object[]) => withBlock({ availabilityZoneSubnets });
const subnetOf = (subnet: object) => mapped({ availabilityZone: "az1", subnet });
const host = (value: string) => ({ ...zonesSpec, controlPlaneEndpoint: { host: value, port: 6443 } });
const lb = "spec.apiServerLoadBalancer";
const hostField = "spec.controlPlaneEndpoint.host";

const wrong: readonly Case[] = [
  [
    "a zone that is mapped twice",
    mapped(zone("az1", ids.one), zone("az1", ids.two)),
    `${lb}.availabilityZoneSubnets[1]`,
  ],
  [
    "a subnet that is mapped twice",
    mapped(zone("az1", ids.one), zone("az2", ids.one)),
    `${lb}.availabilityZoneSubnets`,
  ],
  [
    "a mapping without a network",
    { ...zonesSpec, apiServerLoadBalancer: { availabilityZoneSubnets: [zone("az1", ids.one)] } },
    `${lb}.network`,
  ],
  ["a zone without a name", mapped(zone("", ids.one)), `${lb}.availabilityZoneSubnets[0].availabilityZone`],
  ["a mapping without a host", { ...zonesSpec, controlPlaneEndpoint: undefined }, hostField],
  ["a mapping with an empty host", host(""), hostField],
  ["an IPv4 address as host", host("203.0.113.7"), hostField],
  ["an IPv6 address as host", host("2001:db8::7"), hostField],
  ["an IPv6 address in brackets as host", host("[2001:db8::7]"), hostField],
  ["an IPv6 address with a zone as host", host("fe80::1%eth0"), hostField],
  ["a host whose last label is a number", host("api.example.5"), hostField],
  ["a host that resolvers would read as an address", host("0x7f.1"), hostField],
  ["a host with an underscore", host("api_server.example.com"), hostField],
  [
    "an id and a filter at once",
    subnetOf({ id: ids.one, filter: { name: "x" } }),
    `${lb}.availabilityZoneSubnets[0].subnet`,
  ],
  ["neither id nor filter", subnetOf({}), `${lb}.availabilityZoneSubnets[0].subnet`],
  ["an empty filter", subnetOf({ filter: {} }), `${lb}.availabilityZoneSubnets[0].subnet.filter`],
  ["an id that is no UUID", subnetOf({ id: "subnet-1" }), `${lb}.availabilityZoneSubnets[0].subnet.id`],
  [
    "a tag with a comma",
    subnetOf({ filter: { tags: ["a,b"] } }),
    `${lb}.availabilityZoneSubnets[0].subnet.filter.tags[0]`,
  ],
  [
    "an IP version that is none",
    subnetOf({ filter: { ipVersion: 5 } }),
    `${lb}.availabilityZoneSubnets[0].subnet.filter.ipVersion`,
  ],
  ["port 0 among the additional ports", withBlock({ additionalPorts: [0] }), `${lb}.additionalPorts[0]`],
  ["port 65536 among the additional ports", withBlock({ additionalPorts: [65_536] }), `${lb}.additionalPorts[0]`],
  ["an additional port twice", withBlock({ additionalPorts: [80, 80] }), `${lb}.additionalPorts[1]`],
  ["a negative delay", withBlock({ monitor: { delay: -1 } }), `${lb}.monitor.delay`],
  ["a delay that Octavia could not keep", withBlock({ monitor: { delay: 2_147_483_648 } }), `${lb}.monitor.delay`],
  ["eleven retries", withBlock({ monitor: { maxRetries: 11 } }), `${lb}.monitor.maxRetries`],
  ["eleven retries down", withBlock({ monitor: { maxRetriesDown: 11 } }), `${lb}.monitor.maxRetriesDown`],
  ["an API port of 65536", { ...zonesSpec, apiServerPort: 65_536 }, "spec.apiServerPort"],
  ["an API port of -1", { ...zonesSpec, apiServerPort: -1 }, "spec.apiServerPort"],
  ["no identity", { controlPlaneEndpoint: endpoint }, "spec.identityRef"],
  ["an identity without a name", { identityRef: { name: "", cloudName: "x" } }, "spec.identityRef.name"],
  ["an identity without a cloud", { identityRef: { name: "x" } }, "spec.identityRef.cloudName"],
  ["an identity of no known type", { identityRef: { ...identityRef, type: "File" } }, "spec.identityRef.type"],
  ["a floating IP without an external network", { identityRef, disableExternalNetwork: true }, "spec"],
  [
    "a bastion's floating IP without an external network",
    {
      identityRef,
      disableExternalNetwork: true,
      disableAPIServerFloatingIP: true,
      bastion: { floatingIP: "203.0.113.9" },
    },
    "spec",
  ],
];

const right: readonly (readonly [name: string, spec: Readonly<Record<string, unknown>>])[] = [
  ["only an identity", { identityRef }],
  ["the zones of the example", zonesSpec],
  ["a host with a closing dot and capital letters", host("API.MyCluster.Example.COM.")],
  ["a host of one label", host("api")],
  [
    "an IP literal without a mapping",
    { identityRef, controlPlaneEndpoint: { host: "203.0.113.7", port: 6443 }, apiServerLoadBalancer: {} },
  ],
  ["an empty list of mappings", { identityRef, apiServerLoadBalancer: { availabilityZoneSubnets: [] } }],
  [
    "places by filter",
    withBlock({
      network: { filter: { name: "n", tags: ["a"], notTagsAny: ["b"] } },
      availabilityZoneSubnets: [{ availabilityZone: "az1", subnet: { filter: { cidr: "10.0.0.0/24", ipVersion: 4 } } }],
    }),
  ],
  ["API port 0", { identityRef, apiServerPort: 0 }],
  ["API port 65535", { identityRef, apiServerPort: 65_535 }],
  [
    "no external network and no floating IP",
    { identityRef, disableExternalNetwork: true, disableAPIServerFloatingIP: true },
  ],
];

export function definitionContract(get: () => ApiTarget): void {
  let namespace: string;
  beforeAll(async () => {
    namespace = await freshNamespace(get().session);
  });
  const create = (spec: object, kind = clusters) =>
    get().session.admin.create<Loose>(kind, make(kind, namespace, spec));

  describe("an OpenStackCluster", () => {
    it.each(right)("may have %s", async (_name, spec) => {
      expect((await create(spec)).metadata.uid).toEqual(expect.any(String));
    });

    it.each(wrong)("may not have %s", async (_name, spec, field) => {
      const error = await refusal(create(spec));
      expect(error.code).toBe("Invalid");
      expect(error.causes.map((cause) => cause.field)).toContain(field);
    });

    it("is refused with the host that is wrong, and why", async () => {
      const { message } = await refusal(create(host("203.0.113.7")));
      expect(message).toContain('"203.0.113.7" is not a DNS name');
      expect(message).toContain("one address cannot stand for many balancers");
    });

    it("gets the defaults of the block, and no block by default", async () => {
      expect((await create({ identityRef })).spec).toEqual({ identityRef: { ...identityRef, type: "Secret" } });
      const created = await create({ identityRef, apiServerLoadBalancer: {} });
      expect(at(created, "spec.apiServerLoadBalancer")).toEqual({
        enabled: true,
        allowCrossAZLoadBalancerMembers: false,
      });
    });

    it("keeps fields that we know nothing of", async () => {
      const unknown = { managedSubnets: [{ cidr: "10.6.0.0/24" }], bastion: { enabled: true, spec: { flavor: "m1" } } };
      const { spec } = await create({ ...zonesSpec, ...unknown });
      expect(spec).toMatchObject(unknown);
    });

    it("keeps its region, whether it has one or not", async () => {
      const { admin } = get().session;
      const none = await create({ identityRef });
      const some = await create({ identityRef: { ...identityRef, region: "r1" } });
      const change = (object: Loose, region: string | null) =>
        admin.patch(clusters, object.metadata, { type: "merge", body: { spec: { identityRef: { region } } } });
      const refused = [
        [none, "r1"],
        [some, "r2"],
        [some, null],
      ] as const;
      for (const [object, region] of refused) {
        const { causes } = await refusal(change(object, region));
        expect(causes.map(({ field }) => field)).toEqual(["spec.identityRef.region"]);
      }
      await change(some, "r1");
    });

    it("says in columns where the API is and whether all is well", async () => {
      const { admin, transport } = get().session;
      const { metadata } = await create(zonesSpec);
      const status = {
        conditions: [{ type: "Ready", status: "False", lastTransitionTime: "2026-01-01T00:00:00Z", reason: "Busy" }],
        zonesServed: "2/3",
      };
      await admin.patch(clusters, metadata, { type: "merge", body: { status } }, { subresource: "status" });
      const path = `/apis/${clusters.group}/v1beta1/namespaces/${namespace}/openstackclusters/${metadata.name}`;
      const answer = await transport.send({
        method: "GET",
        path,
        headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" },
      });
      const chunks: Uint8Array[] = [];
      for await (const chunk of answer.body) chunks.push(chunk);
      const { rows } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { rows: readonly { cells: unknown[] }[] };
      expect(rows[0]?.cells.slice(0, 6)).toEqual([metadata.name, null, "False", "Busy", "2/3", endpoint.host]);
    });

    it("takes a status whose entry has nothing but its zone, and keeps zones apart", async () => {
      const { admin } = get().session;
      const { metadata } = await create(zonesSpec);
      const apply = (zones: readonly object[], fieldManager: string) =>
        admin.apply<Loose>(
          clusters,
          {
            apiVersion: `${clusters.group}/v1beta1`,
            kind: "OpenStackCluster",
            metadata: { name: metadata.name, namespace },
            status: { apiServerLoadBalancers: zones },
          } as Loose,
          { fieldManager, force: true, subresource: "status" },
        );
      await apply([{ availabilityZone: "az1" }], "one");
      const { status } = await apply([{ availabilityZone: "az2", members: { total: 2, healthy: 1 } }], "two");
      expect(status?.["apiServerLoadBalancers"]).toEqual([
        { availabilityZone: "az1" },
        { availabilityZone: "az2", members: { total: 2, healthy: 1 } },
      ]);
      expect(status?.["ready"]).toBe(false);
    });

    it("bears Cluster API's contract labels and our mark", async () => {
      const { name } = openStackClusterCrd().metadata;
      const { metadata } = await get().session.admin.get(customResourceDefinitions, { name });
      expect(metadata.labels).toMatchObject({
        "cluster.x-k8s.io/v1beta1": "v1beta1",
        "cluster.x-k8s.io/v1beta2": "v1beta2",
        "app.kubernetes.io/managed-by": "mainstay",
      });
    });
  });

  describe("an OpenStackCluster in v1beta2", () => {
    const regrouped = (spec: Readonly<Record<string, unknown>>) => {
      const {
        apiServerLoadBalancer,
        apiServerPort: port,
        disableExternalNetwork,
        disableAPIServerFloatingIP,
        ...rest
      } = spec;
      const apiServer = {
        managedLoadBalancer: apiServerLoadBalancer,
        port,
        ...(disableAPIServerFloatingIP === undefined ? {} : { enableFloatingIP: !disableAPIServerFloatingIP }),
      };
      return {
        ...rest,
        apiServer,
        ...(disableExternalNetwork === undefined ? {} : { enableExternalNetwork: !disableExternalNetwork }),
      };
    };

    it.each(wrong)("may not have %s", async (_name, spec, field) => {
      const error = await refusal(create(regrouped(spec), later));
      expect(error.code).toBe("Invalid");
      const there = field
        .replace(lb, "spec.apiServer.managedLoadBalancer")
        .replace("spec.apiServerPort", "spec.apiServer.port");
      const fields = error.causes.map((cause) => cause.field);
      expect(
        fields.some((one) => one === there || (there === hostField && one.startsWith("spec.controlPlaneEndpoint"))),
      ).toBe(true);
    });

    it.each(right)("may have %s", async (_name, spec) => {
      expect((await create(regrouped(spec), later)).metadata.uid).toEqual(expect.any(String));
    });
  });

  describe("an APIEndpoint", () => {
    const spec = { clusterRef: { name: "c" }, ...zonesSpec };

    it("is taken with the block of the example, and fills in defaults", async () => {
      expect((await create({ ...spec, controlPlaneEndpoint: { host: endpoint.host } }, endpoints)).spec).toMatchObject({
        controlPlaneEndpoint: endpoint,
        floatingIP: { enabled: true },
        openGate: false,
        publishDNS: false,
      });
    });

    it.each(wrong.filter(([, one]) => !("apiServerPort" in one) && !("disableExternalNetwork" in one)))(
      "may not have %s",
      async (_name, one, field) => {
        const error = await refusal(create({ ...one, clusterRef: { name: "c" } }, endpoints));
        expect(error.code).toBe("Invalid");
        const fields = error.causes.map((cause) => cause.field);
        expect(
          fields.some(
            (each) => each === field || (field === hostField && each.startsWith("spec.controlPlaneEndpoint")),
          ),
        ).toBe(true);
      },
    );

    it("keeps its cluster and its endpoint", async () => {
      const { admin } = get().session;
      const { metadata } = await create(spec, endpoints);
      const change = (body: object) =>
        refusal(admin.patch(endpoints, metadata, { type: "merge", body: { spec: body } }));
      expect((await change({ clusterRef: { name: "other" } })).message).toContain("clusterRef is immutable");
      expect((await change({ controlPlaneEndpoint: { host: "other.example.com" } })).message).toContain(
        "the endpoint is immutable",
      );
    });
  });
}
