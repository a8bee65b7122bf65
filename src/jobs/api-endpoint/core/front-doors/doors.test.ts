import { describe, expect, it } from "vitest";
import { ownerIdAnnotation } from "../../apis/annotations.ts";
import type { ApiEndpoint } from "../../apis/api-endpoint/api-endpoint.ts";
import type { OpenStackCluster } from "../../apis/openstack-cluster/openstack-cluster.ts";
import { toV1beta1, toV1beta2 } from "../../apis/openstack-cluster/openstack-cluster-conversion.ts";
import { zonesOf } from "../model/intent.ts";
import { tcpPort } from "../model/port.ts";
import { apiEndpointDoor } from "./api-endpoint-door.ts";
import type { EndpointStatus } from "./endpoint-status.ts";
import { openStackClusterDoor } from "./open-stack-cluster-door.ts";

const door = openStackClusterDoor("all");
const cluster = { ref: { namespace: "ns", name: "prod" }, endpoint: undefined };
const network = { id: "net" };
const mapped = {
  network,
  availabilityZoneSubnets: [
    { availabilityZone: "az1", subnet: { id: "s1" } },
    { availabilityZone: "az2", subnet: { filter: { name: "s2" } } },
  ],
};
const endpoint = { host: "api.example.com", port: 6443 };

function openStackCluster(spec: object, metadata: object = {}, status?: object): OpenStackCluster {
  const object = {
    apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
    kind: "OpenStackCluster",
    metadata: { name: "prod-infra", namespace: "ns", ...metadata },
    spec,
  };
  return status === undefined ? object : { ...object, status };
}

function apiEndpoint(spec: object, metadata: object = {}, status?: object): ApiEndpoint {
  const object = {
    apiVersion: "mainstay.dev/v1alpha1",
    kind: "APIEndpoint",
    metadata: { name: "prod", namespace: "ns", ...metadata },
    spec,
  };
  return status === undefined ? object : { ...object, status };
}

describe("the intent of an OpenStackCluster", () => {
  const intentOf = (spec: object, metadata?: object) => door.intentOf(openStackCluster(spec, metadata), cluster);

  it("has CAPO's defaults", () => {
    expect(intentOf({ apiServerLoadBalancer: {} })).toMatchObject({
      door: "OpenStackCluster",
      object: { name: "prod-infra", namespace: "ns" },
      cluster: { name: "prod", namespace: "ns" },
      mode: "single",
      availabilityZone: undefined,
      subnets: [],
      endpoint: undefined,
      apiPort: tcpPort(6443),
      monitor: { delaySeconds: 10, timeoutSeconds: 5, maxRetries: 5, maxRetriesDown: 3 },
      floatingIp: { enabled: true, address: undefined },
      crossZone: false,
      externalNetworkDisabled: false,
      idleTimeoutMs: 1_800_000,
      ownerId: undefined,
      publishDns: false,
      consents: { repair: false, repairZones: [], removeLegacy: false, adoptLegacy: false, minZones: undefined },
    });
  });

  it.each([
    ["none", {}],
    ["none", { apiServerLoadBalancer: { enabled: false } }],
    ["none", { apiServerLoadBalancer: { ...mapped, enabled: false } }],
    ["single", { apiServerLoadBalancer: {} }],
    ["single", { apiServerLoadBalancer: { availabilityZoneSubnets: [] } }],
    [
      "zones",
      { apiServerLoadBalancer: { ...mapped, availabilityZoneSubnets: mapped.availabilityZoneSubnets.slice(0, 1) } },
    ],
    ["zones", { apiServerLoadBalancer: mapped }],
  ])("wants %s balancers for %j", (mode, spec) => {
    expect(intentOf(spec).mode).toBe(mode);
  });

  it("keeps the order of zones, and ignores what belongs to a single balancer", () => {
    const intent = intentOf({ apiServerLoadBalancer: { ...mapped, subnets: [{ id: "x" }], availabilityZone: "x" } });
    expect(zonesOf(intent)).toEqual([
      { zone: "az1", subnet: { id: "s1" } },
      { zone: "az2", subnet: { filter: { name: "s2" } } },
    ]);
    expect([Object.keys(intent).includes("subnets"), Object.keys(intent).includes("availabilityZone")]).toEqual([
      false,
      false,
    ]);
    expect(intent.network).toEqual({ id: "net" });
  });

  it("takes the port of a valid endpoint, then the API server's, then 6443", () => {
    const port = (controlPlaneEndpoint: object | undefined, apiServerPort?: number) =>
      intentOf({ controlPlaneEndpoint, apiServerPort }).apiPort.number;
    expect([
      port({ host: "h", port: 443 }, 8443),
      port({ host: "h", port: 0 }, 8443),
      port({ host: "", port: 443 }, 8443),
      port(undefined, 0),
      port(undefined),
    ]).toEqual([443, 8443, 8443, 6443, 6443]);
  });

  it("listens on each additional port once, and not twice on the API's", () => {
    expect(intentOf({ apiServerLoadBalancer: { additionalPorts: [9345, 6443, 22, 22] } }).additionalPorts).toEqual([
      tcpPort(22),
      tcpPort(9345),
    ]);
  });

  it("takes a zero in the monitor for the default", () => {
    const { monitor } = intentOf({
      apiServerLoadBalancer: { monitor: { delay: 0, timeout: 3, maxRetries: 0, maxRetriesDown: 2 } },
    });
    expect(monitor).toEqual({ delaySeconds: 10, timeoutSeconds: 3, maxRetries: 5, maxRetriesDown: 2 });
  });

  it("reads consents, owner and idle timeout from annotations, and only true is yes", () => {
    const annotations = {
      [ownerIdAnnotation]: "o1",
      "mainstay.dev/repair": "true",
      "mainstay.dev/remove-legacy": "yes",
      "mainstay.dev/min-zones": "2",
      "mainstay.dev/publish-dns": "true",
      "mainstay.dev/idle-timeout": "1h",
    };
    expect(intentOf({}, { annotations })).toMatchObject({
      ownerId: "o1",
      consents: { repair: true, removeLegacy: false, minZones: 2 },
      publishDns: true,
      idleTimeoutMs: 3_600_000,
    });
  });

  it.each([
    ["true", true],
    ["True", true],
    ["", true],
    ["false", false],
    [undefined, false],
  ])("publishes DNS records unless the annotation is false or absent: %j", (value, publishDns) => {
    const annotations: Record<string, string> = value === undefined ? {} : { "mainstay.dev/publish-dns": value };
    expect(intentOf({}, { annotations }).publishDns).toBe(publishDns);
  });

  it("wants nothing of the cloud's outside when there is no external network", () => {
    expect(intentOf({ disableExternalNetwork: true, disableAPIServerFloatingIP: true }).floatingIp.enabled).toBe(false);
  });

  it("is being deleted when the object is", () => {
    expect(intentOf({}, { deletionTimestamp: "2026-01-01T00:00:00Z" }).deleting).toBe(true);
  });

  it("is the same through v1beta2", () => {
    const object = openStackCluster({
      apiServerLoadBalancer: mapped,
      controlPlaneEndpoint: endpoint,
      disableAPIServerFloatingIP: true,
      apiServerFixedIP: "10.0.0.5",
      network,
      tags: ["a"],
    });
    expect(door.intentOf(toV1beta1(toV1beta2(object)), cluster)).toEqual(door.intentOf(object, cluster));
  });
});

describe("whose an OpenStackCluster is", () => {
  const owner = { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name: "prod", uid: "u" };
  const careful = openStackClusterDoor("annotated");

  it("is said by its owner, and nothing is done before", () => {
    expect(door.clusterOf(openStackCluster({}))).toBeUndefined();
    expect(
      door.clusterOf(openStackCluster({}, { ownerReferences: [{ ...owner, kind: "ClusterClass" }, owner] })),
    ).toEqual({ name: "prod", namespace: "ns" });
  });

  it("is left to CAPO unless the object says otherwise", () => {
    const mark = { "cluster.x-k8s.io/managed-by": "" };
    const of = (metadata: object) => careful.clusterOf(openStackCluster({}, { ownerReferences: [owner], ...metadata }));
    expect([of({}), of({ annotations: mark })?.name, of({ labels: mark })?.name]).toEqual([undefined, "prod", "prod"]);
  });
});

describe("the intent of an APIEndpoint", () => {
  const spec = {
    clusterRef: { name: "prod" },
    controlPlaneEndpoint: endpoint,
    apiServerLoadBalancer: mapped,
    openGate: true,
    publishDNS: true,
  };

  it("is that of an OpenStackCluster that says the same", () => {
    const beside = apiEndpointDoor.intentOf(apiEndpoint(spec), cluster);
    const inside = door.intentOf(
      openStackCluster({ controlPlaneEndpoint: endpoint, apiServerLoadBalancer: mapped }),
      cluster,
    );
    const { controlPlaneZones: _zones, controlPlaneOmitsZone: _omits, ...same } = inside;
    expect(beside).toEqual({
      ...same,
      door: "APIEndpoint",
      object: { name: "prod", namespace: "ns" },
      publishDns: true,
    });
    expect([apiEndpointDoor.handsOffEndpoint(apiEndpoint(spec)), apiEndpointDoor.clusterOf(apiEndpoint(spec))]).toEqual(
      [true, { name: "prod", namespace: "ns" }],
    );
  });

  it("takes the floating address that it names, and an empty one for none", () => {
    const named = (address: string) =>
      apiEndpointDoor.intentOf(apiEndpoint({ ...spec, floatingIP: { address } }), cluster).floatingIp;
    expect([named("203.0.113.5"), named("")]).toEqual([
      { enabled: true, address: "203.0.113.5" },
      { enabled: true, address: undefined },
    ]);
  });

  it("takes the fixed address that it names, and an empty one for none", () => {
    const named = (fixedIP: string) => apiEndpointDoor.intentOf(apiEndpoint({ ...spec, fixedIP }), cluster).fixedIp;
    expect([named("10.0.0.5"), named("")]).toEqual(["10.0.0.5", undefined]);
  });

  it("goes without floating addresses when told so", () => {
    expect(
      apiEndpointDoor.intentOf(apiEndpoint({ ...spec, floatingIP: { enabled: false } }), cluster).floatingIp.enabled,
    ).toBe(false);
  });
});

const place = (subnet: string) => ({ id: "net", name: "n", subnets: [{ id: subnet, name: "s", cidr: "10.0.0.0/24" }] });
const status: EndpointStatus = {
  provisioned: true,
  zonesServed: "2/2",
  zones: [
    {
      availabilityZone: "az1",
      name: "lb-az1",
      id: "1",
      ip: "203.0.113.1",
      internalIP: "10.0.1.5",
      loadBalancerNetwork: place("s1"),
      health: "Healthy",
      members: { total: 1, healthy: 1 },
    },
    { availabilityZone: "az2", loadBalancerNetwork: place("s2"), health: "Empty" },
  ],
  single: undefined,
  endpoint,
  network: { id: "cluster-net", name: "c" },
  externalNetwork: undefined,
  failureDomains: [
    { name: "az1", controlPlane: true },
    { name: "az3", controlPlane: false },
  ],
  conditions: [],
  dns: [{ zone: "az1", memory: { addresses: ["203.0.113.1"], badSinceMs: 1_767_225_600_123 } }],
  leaving: [{ id: "9", name: "lb-az9", sinceMs: 1_767_225_600_456 }],
};

describe("the status of an OpenStackCluster", () => {
  const written = door.statusOf(status, openStackCluster({}, {}, { externalNetwork: { id: "ext" } }));

  it("lists every zone and mirrors the first without its zone", () => {
    expect(written).toMatchObject({
      ready: true,
      initialization: { provisioned: true },
      apiServerLoadBalancers: [{ availabilityZone: "az1", id: "1" }, { availabilityZone: "az2" }],
      apiServerLoadBalancer: { name: "lb-az1", id: "1", ip: "203.0.113.1", internalIP: "10.0.1.5" },
      failureDomains: { az1: { controlPlane: true }, az3: { controlPlane: false } },
    });
    expect(written["apiServerLoadBalancer"]).not.toHaveProperty("availabilityZone");
  });

  it("keeps what nobody could find out, and never takes provisioned back", () => {
    expect(written["externalNetwork"]).toEqual({ id: "ext" });
    const before = openStackCluster({}, {}, { initialization: { provisioned: true }, failureDomains: { a: {} } });
    const blind = door.statusOf({ ...status, provisioned: false, failureDomains: undefined }, before);
    expect(blind).toMatchObject({ ready: true, initialization: { provisioned: true }, failureDomains: { a: {} } });
  });

  it("says of balancers that are to go since when no record has named them, through each door and back", () => {
    const said = [{ id: "9", name: "lb-az9", since: "2026-01-01T00:00:00.456Z" }];
    const beside = apiEndpointDoor.statusOf(status, apiEndpoint({}, {}, {}));
    expect([written["leavingLoadBalancers"], beside["leavingLoadBalancers"]]).toEqual([said, said]);
    expect(door.recordedOf(openStackCluster({}, {}, written)).leaving).toEqual(status.leaving);
    expect(apiEndpointDoor.recordedOf(apiEndpoint({}, {}, beside)).leaving).toEqual(status.leaving);
    expect(door.statusOf({ ...status, leaving: [] }, openStackCluster({}, {}, {}))["leavingLoadBalancers"]).toBe(
      undefined,
    );
  });

  it("is what the next round remembers", () => {
    const { zones, single, networkId } = door.recordedOf(openStackCluster({}, {}, written));
    expect(zones).toEqual([
      {
        zone: "az1",
        id: "1",
        name: "lb-az1",
        address: "203.0.113.1",
        internalAddress: "10.0.1.5",
        networkId: "net",
        subnetId: "s1",
        dns: { addresses: ["203.0.113.1"], badSinceMs: 1_767_225_600_123 },
      },
      {
        zone: "az2",
        id: undefined,
        name: undefined,
        address: undefined,
        internalAddress: undefined,
        networkId: "net",
        subnetId: "s2",
      },
    ]);
    expect([single?.id, networkId]).toEqual(["1", "cluster-net"]);
  });

  it("says the same through v1beta2, and is remembered from there", () => {
    const later = toV1beta2(openStackCluster({}, {}, written));
    const { status: said } = later;
    expect(said).toMatchObject({
      apiServerManagedLoadBalancers: [{ availabilityZone: "az1" }, { availabilityZone: "az2" }],
      apiServerManagedLoadBalancer: { id: "1" },
      failureDomains: [
        { name: "az1", controlPlane: true },
        { name: "az3", controlPlane: false },
      ],
    });
    expect(said).not.toHaveProperty("ready");
    expect(door.recordedOf(toV1beta1(later))).toEqual(door.recordedOf(openStackCluster({}, {}, written)));
  });

  it("has no list while there is one balancer, and reads CAPO's empty texts as nothing", () => {
    const { apiServerLoadBalancers, apiServerLoadBalancer } = door.statusOf(
      { ...status, zones: [], single: { id: "9" } },
      openStackCluster({}),
    );
    expect([apiServerLoadBalancers, apiServerLoadBalancer]).toEqual([undefined, { id: "9" }]);
    const capo = { apiServerLoadBalancer: { name: "k", id: "9", ip: "", internalIP: "10.0.0.9" } };
    expect(door.recordedOf(openStackCluster({}, {}, capo)).single).toMatchObject({
      id: "9",
      address: undefined,
      internalAddress: "10.0.0.9",
    });
  });
});

describe("the status of an APIEndpoint", () => {
  it("says where the API is, and is what the next round remembers", () => {
    const object = apiEndpoint({});
    const written = apiEndpointDoor.statusOf(status, object);
    expect(written).toMatchObject({
      controlPlaneEndpoint: endpoint,
      failureDomains: status.failureDomains ?? [],
      apiServerLoadBalancer: { id: "1" },
    });
    expect(apiEndpointDoor.recordedOf(apiEndpoint({}, {}, written)).zones.map(({ zone }) => zone)).toEqual([
      "az1",
      "az2",
    ]);
    expect(apiEndpointDoor.isProvisioned(apiEndpoint({}, {}, written))).toBe(true);
  });
});
