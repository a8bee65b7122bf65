// What admission adds to the definitions: all problems at once, warnings for what has no effect, and which changes are refused.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { remainderAnnotation } from "../../../src/apis/kube/conversion-remainder.ts";
import type { Kind } from "../../../src/apis/kube/kube-object.ts";
import {
  validatingWebhookConfiguration,
  validatingWebhookConfigurations,
} from "../../../src/apis/kube/webhook-configuration.ts";
import { isKubeError } from "../../../src/core/kube-error.ts";
import { finalizerOf } from "../../../src/core/ownership.ts";
import { ownerIdAnnotation } from "../../../src/jobs/api-endpoint/apis/annotations.ts";
import { capoFinalizer } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import { apiEndpointJob } from "../../../src/jobs/api-endpoint/job.ts";
import { rawRequest } from "../../contract/kube/raw-request.ts";
import {
  type ApiTarget,
  block,
  clusters,
  endpoint,
  endpoints,
  eventually,
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

const lb = "spec.apiServerLoadBalancer";
const ours = finalizerOf("openstack-cluster");
const single = { identityRef, apiServerLoadBalancer: { network: { id: ids.network }, subnets: [{ id: ids.one }] } };

/** As conversion keeps a block of v1beta1 that somebody wrote in v1beta2. */
const strayNote = JSON.stringify([{ at: ["spec", "apiServerLoadBalancer"], was: { additionalPorts: [9345] } }]);

interface Change {
  readonly from: object;
  readonly status?: object;
  readonly metadata?: object;
  readonly to: object;
  /** Fields that are refused; none: the change is taken. */
  readonly refused: readonly string[];
}

const reported = (more: object) => ({
  conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" }],
  ...more,
});
const built = reported({
  apiServerLoadBalancers: [
    {
      availabilityZone: "az1",
      id: "lb1",
      ip: "203.0.113.7",
      loadBalancerNetwork: { id: ids.network, subnets: [{ id: ids.one }] },
    },
    { availabilityZone: "az2", loadBalancerNetwork: { id: ids.network, subnets: [{ id: ids.two }] } },
  ],
  apiServerLoadBalancer: {
    id: "lb1",
    ip: "203.0.113.7",
    internalIP: "10.0.0.7",
    loadBalancerNetwork: { id: ids.network, subnets: [{ id: ids.one }] },
  },
});
const toBlock = (change: object) => ({ spec: { apiServerLoadBalancer: change } });
const zones = (...availabilityZoneSubnets: readonly object[]) => toBlock({ availabilityZoneSubnets });
const byFilter = {
  ...zonesSpec,
  apiServerLoadBalancer: {
    network: { filter: { name: "n" } },
    availabilityZoneSubnets: [{ availabilityZone: "az1", subnet: { filter: { name: "s" } } }],
  },
};
const disabled = { identityRef, apiServerLoadBalancer: { enabled: false, provider: "amphora" } };

const changes: Readonly<Record<string, Change>> = {
  "adding a zone": {
    from: zonesSpec,
    status: built,
    to: zones(zone("az1", ids.one), zone("az2", ids.two), zone("az3", ids.three)),
    refused: [],
  },
  "removing a zone": { from: zonesSpec, status: built, to: zones(zone("az1", ids.one)), refused: [] },
  "reordering zones": {
    from: zonesSpec,
    status: built,
    to: zones(zone("az2", ids.two), zone("az1", ids.one)),
    refused: [],
  },
  "replacing every zone and the network": {
    from: zonesSpec,
    status: built,
    to: toBlock({ network: { id: ids.three }, availabilityZoneSubnets: [zone("az9", ids.three)] }),
    refused: [],
  },
  "serving all zones": {
    from: zonesSpec,
    status: built,
    to: toBlock({ allowCrossAZLoadBalancerMembers: true }),
    refused: [],
  },
  "ports, access list and monitor": {
    from: zonesSpec,
    status: built,
    to: toBlock({ additionalPorts: [9345], allowedCIDRs: ["192.0.2.1"], monitor: { delay: 20 } }),
    refused: [],
  },
  "naming by id what a filter led to": {
    from: byFilter,
    status: built,
    to: toBlock({ network: { filter: null, id: ids.network }, availabilityZoneSubnets: [zone("az1", ids.one)] }),
    refused: [],
  },
  "adding the block": { from: { identityRef, controlPlaneEndpoint: endpoint }, to: toBlock(block), refused: [] },
  "removing the block": { from: zonesSpec, status: built, to: { spec: { apiServerLoadBalancer: null } }, refused: [] },
  "switching balancers off": { from: zonesSpec, status: built, to: toBlock({ enabled: false }), refused: [] },
  "another provider while there is no balancer": {
    from: disabled,
    to: toBlock({ enabled: true, provider: "ovn" }),
    refused: [],
  },
  "migrating to zones": {
    from: { ...single, controlPlaneEndpoint: endpoint },
    status: built,
    to: toBlock({ network: { id: ids.three }, availabilityZoneSubnets: block.availabilityZoneSubnets, subnets: null }),
    refused: [],
  },
  "going back to one balancer": {
    from: zonesSpec,
    status: built,
    to: toBlock({ availabilityZoneSubnets: null, network: null }),
    refused: [],
  },
  "filling in a missing port": {
    from: { identityRef, controlPlaneEndpoint: { host: endpoint.host, port: 0 } },
    to: { spec: { controlPlaneEndpoint: endpoint } },
    refused: [],
  },
  "setting the first endpoint": {
    from: { identityRef },
    to: { spec: { controlPlaneEndpoint: endpoint } },
    refused: [],
  },
  "correcting the subnet of a zone that has no balancer yet": {
    from: zonesSpec,
    status: built,
    to: zones(zone("az1", ids.one), zone("az2", ids.three)),
    refused: [],
  },
  "correcting the network before any zone has a balancer": {
    from: zonesSpec,
    status: reported({ apiServerLoadBalancers: [{ availabilityZone: "az1" }] }),
    to: toBlock({ network: { id: ids.three } }),
    refused: [],
  },
  "a field that nobody knows, beside all that was there": {
    from: zonesSpec,
    status: built,
    to: toBlock({ colour: "red" }),
    refused: [],
  },
  "saying the address that is in use": {
    from: single,
    status: built,
    to: { spec: { apiServerFloatingIP: "203.0.113.7" } },
    refused: [],
  },

  "a mapping with one wrong letter": {
    from: zonesSpec,
    status: built,
    to: toBlock({ availabilityZoneSubnets: null, availabilityZonesSubnets: block.availabilityZoneSubnets }),
    refused: [`${lb}.availabilityZonesSubnets`],
  },
  "another subnet for a zone that stays": {
    from: zonesSpec,
    status: built,
    to: zones(zone("az1", ids.three), zone("az2", ids.two)),
    refused: [`${lb}.availabilityZoneSubnets[0].subnet`],
  },
  "another subnet while nobody knows what is there": {
    from: zonesSpec,
    to: zones(zone("az1", ids.three), zone("az2", ids.two)),
    refused: [`${lb}.availabilityZoneSubnets[0].subnet`],
  },
  "naming by id something else than a filter led to": {
    from: byFilter,
    status: built,
    to: toBlock({ network: { filter: null, id: ids.three }, availabilityZoneSubnets: [zone("az1", ids.three)] }),
    refused: [`${lb}.network`, `${lb}.availabilityZoneSubnets[0].subnet`],
  },
  "another network while a zone stays": {
    from: zonesSpec,
    status: built,
    to: toBlock({ network: { id: ids.three } }),
    refused: [`${lb}.network`],
  },
  "another provider and another flavor": {
    from: zonesSpec,
    status: built,
    to: toBlock({ provider: "ovn", flavor: "big" }),
    refused: [`${lb}.provider`, `${lb}.flavor`],
  },
  "another host and port": {
    from: zonesSpec,
    status: built,
    to: { spec: { controlPlaneEndpoint: { host: "other.example.com", port: 443 } } },
    refused: ["spec.controlPlaneEndpoint.host", "spec.controlPlaneEndpoint.port"],
  },
  "taking the endpoint away": {
    from: { identityRef, controlPlaneEndpoint: endpoint },
    to: { spec: { controlPlaneEndpoint: null } },
    refused: ["spec.controlPlaneEndpoint.host", "spec.controlPlaneEndpoint.port"],
  },
  "moving the single balancer": {
    from: single,
    status: built,
    to: toBlock({ network: { id: ids.three }, subnets: [{ id: ids.two }], availabilityZone: "az2" }),
    refused: [`${lb}.network`, `${lb}.subnets`, `${lb}.availabilityZone`],
  },
  "no floating IP for the single balancer": {
    from: single,
    status: built,
    to: { spec: { disableAPIServerFloatingIP: true } },
    refused: ["spec.disableAPIServerFloatingIP"],
  },
  "another address for the balancer": {
    from: single,
    status: built,
    to: { spec: { apiServerFloatingIP: "203.0.113.8", apiServerFixedIP: "10.0.0.8" } },
    refused: ["spec.apiServerFloatingIP", "spec.apiServerFixedIP"],
  },
  "another provider while no balancer could be made yet": {
    from: zonesSpec,
    status: reported({ apiServerLoadBalancers: [{ availabilityZone: "az1" }] }),
    to: toBlock({ provider: "ovn", flavor: "big" }),
    refused: [],
  },
  "an owner id where there was an empty one": {
    from: zonesSpec,
    metadata: { annotations: { [ownerIdAnnotation]: "" } },
    to: { metadata: { annotations: { [ownerIdAnnotation]: "b" } } },
    refused: [],
  },
  "another owner id": {
    from: zonesSpec,
    metadata: { annotations: { [ownerIdAnnotation]: "a" } },
    to: { metadata: { annotations: { [ownerIdAnnotation]: "b" } } },
    refused: [`metadata.annotations[${ownerIdAnnotation}]`],
  },
};

export function admissionContract(get: () => ApiTarget): void {
  let namespace: string;
  const webhooks = validatingWebhookConfigurations;

  beforeAll(async () => {
    const { session, clientConfigAt } = get();
    namespace = await freshNamespace(session);
    await session.admin.create(webhooks, validatingWebhookConfiguration(apiEndpointJob.admission, clientConfigAt));
    await eventually("the server to ask the webhook", async () => {
      const probe = make(clusters, namespace, { ...zonesSpec, tags: ["mainstay-owner=x"] });
      await refusal(session.admin.create(clusters, probe, { dryRun: true }));
    });
  }, 60_000);
  afterAll(() => get().session.admin.delete(webhooks, { name: "mainstay" }));

  const create = (spec: object, metadata: object = {}, kind = clusters) =>
    get().session.admin.create<Loose>(kind, make(kind, namespace, spec, metadata));

  async function warningsOf(object: Loose, kind: Kind): Promise<string> {
    const path = `/apis/${kind.group}/${kind.version}/namespaces/${namespace}/${kind.plural}?dryRun=All`;
    const answer = await rawRequest(get().session.transport, path, {}, { method: "POST", body: object });
    expect(answer.status).toBe(201);
    return answer.headers["warning"] ?? "";
  }

  describe("a new object", () => {
    it("is refused with all its problems at once, each with its field", async () => {
      const filter = { filter: { name: "same" } };
      const spec = {
        ...zonesSpec,
        apiServerLoadBalancer: {
          ...block,
          allowedCIDRs: ["everybody"],
          availabilityZoneSubnets: [
            { availabilityZone: "a", subnet: filter },
            { availabilityZone: "b", subnet: filter },
          ],
        },
        apiServerFloatingIP: "not-an-address",
        tags: ["mainstay-owner=x", "team-😀", "Team", "team"],
      };
      const annotations = { "mainstay.dev/min-zones": "3", "mainstay.dev/idle-timeout": "soon" };
      const error = await refusal(create(spec, { annotations }));
      expect([error.status, error.code]).toEqual([422, "Invalid"]);
      expect(error.causes.map(({ field }) => field)).toEqual([
        `${lb}.availabilityZoneSubnets[1].subnet`,
        `${lb}.allowedCIDRs`,
        "spec.apiServerFloatingIP",
        "spec.tags[0]",
        "spec.tags[1]",
        "spec.tags[3]",
        "metadata.annotations[mainstay.dev/min-zones]",
        "metadata.annotations[mainstay.dev/idle-timeout]",
      ]);
      expect(error.message).toContain("Give each zone a subnet of its own.");
    });

    it("is refused in the words of the version it was written in", async () => {
      const filter = { filter: { name: "same" } };
      const managedLoadBalancer = {
        ...block,
        availabilityZoneSubnets: [
          { availabilityZone: "a", subnet: filter },
          { availabilityZone: "b", subnet: filter },
        ],
      };
      const error = await refusal(
        create({ identityRef, controlPlaneEndpoint: endpoint, apiServer: { managedLoadBalancer } }, {}, later),
      );
      expect(error.causes.map(({ field }) => field)).toEqual([
        "spec.apiServer.managedLoadBalancer.availabilityZoneSubnets[1].subnet",
      ]);
    });

    it("is refused with a field under the name of the other version, and says the right one", async () => {
      const apiServer = { managedLoadBalancer: block };
      const moved = { identityRef, controlPlaneEndpoint: endpoint, apiServer, networkMTU: 1400 };
      const [byName, byNote] = [
        await refusal(create(moved, {}, later)),
        await refusal(create(zonesSpec, { annotations: { [remainderAnnotation("v1beta2")]: strayNote } })),
      ];
      expect(byName.causes.map(({ field }) => field)).toEqual(["spec.networkMTU"]);
      expect(byName.message).toContain("no effect in v1beta2");
      expect(byName.message).toContain("Write spec.managedNetwork.mtu instead");
      expect(byNote.causes.map(({ field }) => field)).toEqual(["spec.apiServerLoadBalancer"]);
      expect(byNote.message).toContain("Write spec.apiServer.managedLoadBalancer instead");
    });

    it("is refused as an APIEndpoint for the same reasons", async () => {
      const filter = { filter: { name: "same" } };
      const mapped = [
        { availabilityZone: "a", subnet: filter },
        { availabilityZone: "b", subnet: filter },
      ];
      const spec = {
        ...zonesSpec,
        clusterRef: { name: "c" },
        apiServerLoadBalancer: { ...block, availabilityZoneSubnets: mapped },
        fixedIP: "x",
      };
      expect((await refusal(create(spec, {}, endpoints))).causes.map(({ field }) => field)).toEqual([
        `${lb}.availabilityZoneSubnets[1].subnet`,
        "spec.fixedIP",
      ]);
    });

    it("is taken with a warning for everything that has no effect", async () => {
      const spec = {
        ...zonesSpec,
        apiServerPort: 8443,
        apiServerFloatingIP: "203.0.113.7",
        apiServerLoadBalancer: {
          ...block,
          subnets: [{ id: ids.three }],
          availabilityZone: "az1",
          additionalPorts: [6443],
          allowedCIDRs: ["192.0.2.0/24", "typo"],
          monitor: { delay: 5, timeout: 5 },
          algorithm: "SOURCE_IP",
        },
        controlPlaneAvailabilityZones: ["az1", "az3"],
      };
      const said = await warningsOf(
        make(clusters, namespace, spec, { annotations: { "mainstay.dev/repair": "yes" } }),
        clusters,
      );
      for (const words of [
        `${lb}.subnets is ignored`,
        `${lb}.availabilityZone is ignored`,
        "6443 is the API port already",
        "typo",
        "timeout of 5 s",
        "spec.apiServerFloatingIP is for the first zone, az1, alone",
        "spec.apiServerPort is ignored",
        "az3 has no entry",
        "mainstay.dev/repair",
        `${lb}.algorithm is not known and has no effect`,
      ]) {
        expect(said).toContain(words);
      }
      const off = make(clusters, namespace, { ...zonesSpec, apiServerLoadBalancer: { ...block, enabled: false } });
      expect(await warningsOf(off, clusters)).toContain("no zone gets a balancer");
      expect(await warningsOf(make(clusters, namespace, zonesSpec), clusters)).toBe("");
      const beside = {
        ...zonesSpec,
        clusterRef: { name: "c" },
        floatingIP: { enabled: false, address: "203.0.113.7" },
      };
      expect(await warningsOf(make(endpoints, namespace, beside), endpoints)).toContain(
        "spec.floatingIP.address is ignored",
      );
    });
  });

  it("warns of annotations that nobody reads, with the one that was probably meant", async () => {
    const annotations = { "mainstay.dev/adopt-legcy": "true" };
    const beside = { ...zonesSpec, clusterRef: { name: "c" } };
    expect(await warningsOf(make(clusters, namespace, zonesSpec, { annotations }), clusters)).toContain(
      "did you mean mainstay.dev/adopt-legacy?",
    );
    expect(await warningsOf(make(endpoints, namespace, beside, { annotations }), endpoints)).toContain(
      "metadata.annotations[mainstay.dev/adopt-legcy] is not known and has no effect",
    );
  });

  describe("a change", () => {
    it("that costs balancers is taken, and what goes is said in the words of the version that was written", async () => {
      const { metadata } = await create(zonesSpec);
      const path = `/apis/${clusters.group}/${clusters.version}/namespaces/${namespace}/${clusters.plural}/${metadata.name}`;
      const body = { spec: { apiServerLoadBalancer: { enabled: false } } };
      const headers = { "content-type": "application/merge-patch+json" };
      const request = { method: "PATCH" as const, body };
      const answer = await rawRequest(get().session.transport, `${path}?dryRun=All`, headers, request);
      expect(answer.status).toBe(200);
      expect(answer.headers["warning"]).toContain(`${lb}: balancers are switched off`);
    });

    it.each(Object.entries(changes))("%s", async (_name, { from, status, metadata, to, refused }) => {
      const { admin } = get().session;
      const created = await create(from, metadata);
      if (status !== undefined) {
        await admin.patch(clusters, created.metadata, { type: "merge", body: { status } }, { subresource: "status" });
      }
      const fields = await admin.patch(clusters, created.metadata, { type: "merge", body: to }).then(
        () => [],
        (error: unknown) => (isKubeError(error) ? error.causes.map(({ field }) => field) : [String(error)]),
      );
      expect(fields).toEqual(refused);
    });

    it("through v1beta2 follows the same rules", async () => {
      const { admin } = get().session;
      const { metadata } = await create(zonesSpec);
      const body = {
        spec: {
          controlPlaneEndpoint: { host: "other.example.com" },
          apiServer: { managedLoadBalancer: { provider: "ovn" } },
        },
      };
      const error = await refusal(admin.patch(later, metadata, { type: "merge", body }));
      expect(error.causes.map(({ field }) => field)).toEqual([
        "spec.controlPlaneEndpoint.host",
        "spec.apiServer.managedLoadBalancer.provider",
      ]);
    });

    it("of an APIEndpoint follows the same rules", async () => {
      const { admin } = get().session;
      const { metadata } = await create({ ...zonesSpec, clusterRef: { name: "c" } }, {}, endpoints);
      const error = await refusal(
        admin.patch(endpoints, metadata, {
          type: "merge",
          body: { spec: { apiServerLoadBalancer: { provider: "ovn" } } },
        }),
      );
      expect(error.causes.map(({ field }) => field)).toEqual([`${lb}.provider`]);
      const status = { ...built, conditions: [] };
      await admin.patch(endpoints, metadata, { type: "merge", body: { status } }, { subresource: "status" });
      const moved = { spec: { fixedIP: "10.0.0.8", floatingIP: { address: "203.0.113.8" } } };
      const refused = await refusal(admin.patch(endpoints, metadata, { type: "merge", body: moved }));
      expect(refused.causes.map(({ field }) => field)).toEqual(["spec.floatingIP.address", "spec.fixedIP"]);
      const same = { spec: { fixedIP: "10.0.0.7", floatingIP: { address: "203.0.113.7" } } };
      await admin.patch(endpoints, metadata, { type: "merge", body: same });
      await admin.patch(endpoints, metadata, {
        type: "merge",
        body: { spec: { apiServerLoadBalancer: { availabilityZoneSubnets: [zone("az2", ids.two)] } } },
      });
    });

    it("of an object that CAPO looks after is CAPO's to judge, until it is handed over", async () => {
      const { admin } = get().session;
      const { metadata } = await create(zonesSpec, { finalizers: [capoFinalizer] });
      const change = (body: object) => admin.patch(clusters, metadata, { type: "merge", body });
      await change({ spec: { tags: ["mainstay-owner=x"], apiServerLoadBalancer: { provider: "ovn" } } });
      await change({ metadata: { annotations: { "cluster.x-k8s.io/managed-by": "mainstay" } } });
      const error = await refusal(change({ spec: { apiServerLoadBalancer: { provider: "amphora" } } }));
      expect(error.causes.map(({ field }) => field)).toEqual([`${lb}.provider`]);
      await change({
        metadata: { annotations: { "cluster.x-k8s.io/managed-by": null }, finalizers: [capoFinalizer, ours] },
      });
      await refusal(change({ spec: { apiServerLoadBalancer: { provider: "amphora" } } }));
      await change({ metadata: { finalizers: [] } });
    });

    it("is not held up by trouble that was there before", async () => {
      const { session, clientConfigAt } = get();
      const { admin } = session;
      await admin.delete(webhooks, { name: "mainstay" });
      const troubled = await eventually("a write without the webhook", () =>
        create(
          { ...zonesSpec, tags: ["mainstay-owner=x"] },
          { annotations: { [remainderAnnotation("v1beta2")]: strayNote } },
        ),
      );
      await admin.create(webhooks, validatingWebhookConfiguration(apiEndpointJob.admission, clientConfigAt));
      await eventually("the webhook again", () => refusal(create({ ...zonesSpec, tags: ["mainstay-owner=x"] })));
      await admin.patch(clusters, troubled.metadata, {
        type: "merge",
        body: { metadata: { finalizers: ["mainstay.dev/x"] } },
      });
      await admin.patch(clusters, troubled.metadata, { type: "merge", body: { spec: { apiServerPort: 6443 } } });
      const path = `/apis/${later.group}/v1beta2/namespaces/${namespace}/${later.plural}/${troubled.metadata.name}`;
      const answer = await rawRequest(
        session.transport,
        path,
        { "content-type": "application/merge-patch+json" },
        { method: "PATCH", body: { spec: { apiServer: { port: 6443 }, primarySubnet: { id: ids.one } } } },
      );
      expect(answer.status).toBe(200);
      expect(answer.headers["warning"]).toContain("Write spec.apiServer.managedLoadBalancer instead");
      expect(answer.headers["warning"]).toContain("begins like a tag of Mainstay's own");
      await admin.delete(clusters, troubled.metadata);
      await admin.patch(clusters, troubled.metadata, { type: "merge", body: { metadata: { finalizers: [] } } });
    });
  });
}
