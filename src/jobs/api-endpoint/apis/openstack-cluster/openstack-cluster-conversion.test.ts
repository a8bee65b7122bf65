import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import { remainderAnnotation } from "../../../../apis/kube/conversion-remainder.ts";
import type { KubeObject } from "../../../../apis/kube/kube-object.ts";
import type { JsonRecord } from "../../../../apis/text/json-path.ts";
import type { OpenStackCluster, OpenStackClusterV1beta2 } from "./openstack-cluster.ts";
import { convertOpenStackCluster, toV1beta1, toV1beta2 } from "./openstack-cluster-conversion.ts";

const group = "infrastructure.cluster.x-k8s.io";

function v1beta1(
  spec: JsonRecord,
  status?: JsonRecord,
  annotations?: Readonly<Record<string, string>>,
): OpenStackCluster {
  return object("v1beta1", spec, status, annotations);
}

function v1beta2(spec: JsonRecord, status?: JsonRecord): OpenStackClusterV1beta2 {
  return object("v1beta2", spec, status);
}

function object(
  version: string,
  spec: JsonRecord,
  status?: JsonRecord,
  annotations?: Readonly<Record<string, string>>,
): KubeObject {
  const metadata = { name: "c", namespace: "default", ...(annotations === undefined ? {} : { annotations }) };
  return {
    apiVersion: `${group}/${version}`,
    kind: "OpenStackCluster",
    metadata,
    spec,
    ...(status === undefined ? {} : { status }),
  } as KubeObject;
}

const block = {
  enabled: true,
  network: { id: "6c90b532-7ba0-418a-a276-5ae55060b5b0" },
  availabilityZoneSubnets: [{ availabilityZone: "az1", subnet: { id: "cad5a91a-36de-4388-823b-b0cc82cadfdc" } }],
  allowCrossAZLoadBalancerMembers: false,
};

const oldSpec = {
  identityRef: { name: "creds", cloudName: "openstack" },
  controlPlaneEndpoint: { host: "api.example.com", port: 6443 },
  apiServerLoadBalancer: block,
  disableAPIServerFloatingIP: true,
  apiServerFixedIP: "10.0.0.5",
  apiServerFloatingIP: "203.0.113.5",
  apiServerPort: 6443,
  disableExternalNetwork: false,
  networkMTU: 1400,
  disablePortSecurity: true,
  externalRouterIPs: [{ fixedIP: "203.0.113.9", subnet: { id: "x" } }],
  managedSecurityGroups: { allNodesSecurityGroupRules: [{ name: "r" }], allowAllInClusterTraffic: true },
  bastion: { enabled: true, spec: { flavor: "small", ports: [{ disablePortSecurity: true, description: "d" }] } },
  tags: ["a"],
};

const newSpec = {
  identityRef: { name: "creds", cloudName: "openstack" },
  controlPlaneEndpoint: { host: "api.example.com", port: 6443 },
  apiServer: {
    managedLoadBalancer: block,
    enableFloatingIP: false,
    fixedIP: "10.0.0.5",
    floatingIP: "203.0.113.5",
    port: 6443,
  },
  enableExternalNetwork: true,
  managedNetwork: { mtu: 1400, enablePortSecurity: false },
  managedRouter: { externalIPs: [{ fixedIP: "203.0.113.9", subnet: { id: "x" } }] },
  managedSecurityGroups: { clusterNodesSecurityGroupRules: [{ name: "r" }], allowAllInClusterTraffic: true },
  bastion: {
    enabled: true,
    spec: { flavor: { filter: { name: "small" } }, ports: [{ enablePortSecurity: false, description: "d" }] },
  },
  tags: ["a"],
};

const condition = {
  type: "Ready",
  status: "True",
  lastTransitionTime: "2026-01-01T00:00:00Z",
  reason: "AsExpected",
  message: "",
};
const zone = { availabilityZone: "az1", name: "n", id: "i", ip: "203.0.113.7", internalIP: "10.0.0.7" };

describe("conversion of OpenStackCluster", () => {
  it("moves and turns around every field that has another place in v1beta2, and back", () => {
    const there = toV1beta2(v1beta1(oldSpec));
    expect(there).toEqual(v1beta2(newSpec));
    expect(toV1beta1(there)).toEqual(v1beta1(oldSpec));
  });

  it("shows the status of all zones in both versions", () => {
    const common = { initialization: { provisioned: true }, network: { id: "n" }, conditions: [condition] };
    const old = v1beta1(
      {},
      {
        ...common,
        ready: true,
        apiServerLoadBalancers: [zone],
        apiServerLoadBalancer: zone,
        failureDomains: { az2: { controlPlane: false }, az1: { controlPlane: true } },
      },
    );
    const now = v1beta2(
      {},
      {
        ...common,
        apiServerManagedLoadBalancers: [zone],
        apiServerManagedLoadBalancer: zone,
        failureDomains: [
          { name: "az1", controlPlane: true },
          { name: "az2", controlPlane: false },
        ],
      },
    );
    expect(toV1beta2(old)).toEqual(now);
    expect(toV1beta1(now)).toEqual(old);
  });

  it("lets ready follow provisioned when an object was written in v1beta2", () => {
    expect(toV1beta1(v1beta2({}, { initialization: { provisioned: true } })).status?.ready).toBe(true);
    expect(toV1beta1(v1beta2({}, {})).status?.ready).toBe(false);
  });

  it("keeps an endpoint whose port is not set yet", () => {
    const there = toV1beta2(v1beta1({ controlPlaneEndpoint: { host: "api.example.com", port: 0 } }));
    expect(there.spec).toEqual({ controlPlaneEndpoint: { host: "api.example.com" } });
    expect(there.metadata.annotations).toBeUndefined();
    expect(toV1beta1(there).spec?.controlPlaneEndpoint).toEqual({ host: "api.example.com", port: 0 });
  });

  it("keeps in an annotation what the other version cannot say", () => {
    const old = v1beta1(
      {},
      {
        ready: false,
        failureReason: "Old",
        failureMessage: "words",
        conditions: [{ type: "Ready", status: "False", severity: "Error", lastTransitionTime: "t" }],
      },
    );
    const there = toV1beta2(old);
    expect(there.status).not.toHaveProperty("failureReason");
    expect(there.status?.["conditions"]).toEqual([
      { type: "Ready", status: "False", lastTransitionTime: "t", reason: "NotSpecified", message: "" },
    ]);
    expect(Object.keys(there.metadata.annotations ?? {})).toEqual([remainderAnnotation("v1beta1")]);
    expect(toV1beta1(there)).toEqual(old);
  });

  it("knows no other kind and no other version", () => {
    expect(convertOpenStackCluster(v1beta1({}), `${group}/v1beta3`)).toBeUndefined();
    expect(convertOpenStackCluster({ ...v1beta1({}), kind: "OpenStackMachine" }, `${group}/v1beta2`)).toBeUndefined();
    expect(convertOpenStackCluster(v1beta1({}), `${group}/v1beta2`)?.apiVersion).toBe(`${group}/v1beta2`);
  });
});

describe("a field changed later through the other version", () => {
  test("wins over what was noted before", () => {
    const there = toV1beta2(v1beta1({ controlPlaneEndpoint: { host: "", port: 0 } }));
    const changed = { ...there, spec: { ...there.spec, controlPlaneEndpoint: { host: "api.example.com", port: 443 } } };
    expect(toV1beta1(changed).spec?.controlPlaneEndpoint).toEqual({ host: "api.example.com", port: 443 });
    expect(toV1beta1(changed).metadata.annotations).toBeUndefined();
  });

  test("wins for one condition and leaves the note on the others", () => {
    const old = (type: string, status: string) => ({ type, status, severity: "Error", lastTransitionTime: "t" });
    const there = toV1beta2(
      v1beta1({}, { ready: false, conditions: [old("Ready", "False"), old("NetworkReady", "False")] }),
    );
    const [, network] = z.array(z.unknown()).parse(there.status?.["conditions"]);
    const changed = { ...there, status: { ...there.status, conditions: [condition, network] } };
    expect(toV1beta1(changed).status?.conditions).toEqual([condition, old("NetworkReady", "False")]);
  });

  test("wins also when somebody forged the note", () => {
    const forged = JSON.stringify([
      { at: ["spec", "apiServerLoadBalancer", "provider"], was: "evil" },
      { at: ["spec", "tags"], was: ["evil"], reads: ["a"] },
      { at: ["metadata", "name"], was: "evil" },
      { at: ["spec", "__proto__"], was: {} },
      { at: "spec", was: {} },
    ]);
    const there = { ...toV1beta2(v1beta1(oldSpec)) };
    const marked = {
      ...there,
      metadata: { ...there.metadata, annotations: { [remainderAnnotation("v1beta1")]: forged } },
    };
    expect(toV1beta1(marked)).toEqual(v1beta1(oldSpec));
    const nonsense = {
      ...there,
      metadata: { ...there.metadata, annotations: { [remainderAnnotation("v1beta1")]: "{" } },
    };
    expect(toV1beta1(nonsense)).toEqual(v1beta1(oldSpec));
  });
});

const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const flag = fc.boolean();
const text = fc.string({ maxLength: 5 });
const optional = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record(fields, { requiredKeys: [] }).map((value) => ({ ...value }));
const types = ["Ready", "NetworkReady", "APIEndpointReady"];
const uniqueConditions = (rest: fc.Arbitrary<object>) =>
  fc.uniqueArray(
    fc.tuple(rest, fc.constantFrom(...types)).map(([one, type]) => ({ ...one, type })),
    { selector: ({ type }) => type },
  );
const status = fc.constantFrom("True", "False");
const formerConditions = uniqueConditions(
  optional({ status, severity: text, reason: text, message: text, observedGeneration: fc.nat() }),
);
/** The schema of v1beta2 takes no condition without these. */
const conditions = uniqueConditions(fc.record({ status, reason: fc.constantFrom("A", "B"), message: text }));
const common = {
  controlPlaneEndpoint: optional({ host: text, port: fc.nat(3), other: json }),
  network: json,
  tags: fc.array(text),
  unknown: json,
  // Names that only the other version knows: garbage here, and never taken for more.
  apiServer: json,
  apiServerPort: json,
  managedNetwork: json,
  enableExternalNetwork: json,
  disableExternalNetwork: json,
};
const bastions = (machine: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  optional({ enabled: flag, floatingIP: text, spec: optional({ image: text, ...machine }) });
const anyV1beta1 = fc.tuple(
  optional({
    ...common,
    apiServerLoadBalancer: json,
    disableAPIServerFloatingIP: fc.oneof(flag, json),
    apiServerFloatingIP: text,
    apiServerFixedIP: text,
    networkMTU: fc.nat(),
    disablePortSecurity: flag,
    externalRouterIPs: fc.array(text),
    managedSecurityGroups: optional({
      allNodesSecurityGroupRules: json,
      clusterNodesSecurityGroupRules: json,
      other: json,
    }),
    bastion: bastions({
      flavor: fc.oneof(text, json),
      flavorID: text,
      ports: fc.array(optional({ disablePortSecurity: flag, x: json })),
    }),
  }),
  fc.option(
    optional({
      ready: flag,
      initialization: optional({ provisioned: flag }),
      failureReason: text,
      failureDomains: fc.dictionary(text, optional({ controlPlane: flag, attributes: json })),
      apiServerLoadBalancer: json,
      apiServerLoadBalancers: json,
      conditions: formerConditions,
      unknown: json,
    }),
    { nil: undefined },
  ),
);
const anyV1beta2 = fc.tuple(
  optional({
    ...common,
    apiServer: optional({
      managedLoadBalancer: json,
      enableFloatingIP: fc.oneof(flag, json),
      floatingIP: text,
      fixedIP: text,
      port: fc.nat(),
      future: json,
    }),
    managedNetwork: optional({ mtu: fc.nat(), enablePortSecurity: flag, future: json }),
    managedRouter: optional({ externalIPs: json, future: json }),
    enableExternalNetwork: flag,
    bastion: bastions({
      flavor: optional({ id: text, filter: optional({ name: text, other: json }) }),
      ports: fc.array(optional({ enablePortSecurity: flag, x: json })),
    }),
  }),
  fc.option(
    optional({
      initialization: optional({ provisioned: flag }),
      failureDomains: fc.array(optional({ name: text, controlPlane: flag })),
      apiServerManagedLoadBalancer: json,
      apiServerManagedLoadBalancers: json,
      conditions,
      ready: flag,
    }),
    { nil: undefined },
  ),
);

describe("the law of conversion", () => {
  test("nothing is lost from v1beta1 to v1beta2 and back, whatever the object says", () => {
    fc.assert(
      fc.property(anyV1beta1, ([spec, status]) => {
        const before = v1beta1(spec, status, { a: "b" });
        expect(toV1beta1(toV1beta2(before))).toEqual(before);
      }),
      { numRuns: 200 },
    );
  });

  test("nothing is lost from v1beta2 to v1beta1 and back, whatever the object says", () => {
    fc.assert(
      fc.property(anyV1beta2, ([spec, status]) => {
        const before = v1beta2(spec, status);
        expect(toV1beta2(toV1beta1(before))).toEqual(before);
      }),
      { numRuns: 200 },
    );
  });

  test("whatever notes an object carries, what was written last is what is read", () => {
    fc.assert(
      fc.property(anyV1beta1, anyV1beta2, ([spec, status], [laterSpec, laterStatus]) => {
        const { annotations = {} } = toV1beta2(v1beta1(spec, status)).metadata;
        const written = {
          ...v1beta2(laterSpec, laterStatus),
          metadata: { name: "c", namespace: "default", annotations },
        };
        const read = toV1beta2(toV1beta1(written));
        expect({ spec: read.spec, status: read.status }).toEqual({ spec: written.spec, status: written.status });
      }),
      { numRuns: 200 },
    );
  });
});
