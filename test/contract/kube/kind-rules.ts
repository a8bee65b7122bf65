// Rules of single kinds that a controller runs into: what may be created by PUT, what is left out, what is refused.

import { expect, it } from "vitest";
import type { GetContext } from "../kube-target.ts";
import { call, configMap, created, fieldsOf, messagesOf, pathOf } from "./api-calls.ts";

export function kindRuleBehaviours(get: GetContext): void {
  const leases = () => pathOf(get, "leases", "", "coordination.k8s.io/v1");
  const slices = () => pathOf(get, "endpointslices", "", "discovery.k8s.io/v1");

  it("creates by PUT where a kind allows it, but never what is named by uid", async () => {
    const name = get().unique("put");
    const lease = { metadata: { name, resourceVersion: "5" }, spec: { holderIdentity: "me" } };
    const byUid = { ...lease, metadata: { name, uid: "00000000-0000-0000-0000-000000000000" } };
    expect((await call(get, "PUT", `${leases()}/${name}`, byUid)).body.reason).toBe("Conflict");
    expect((await call(get, "PUT", `${leases()}/other`, lease)).status).toBe(400);
    const answer = await call(get, "PUT", `${leases()}/${name}`, lease);
    expect([answer.status, answer.body.spec]).toEqual([201, { holderIdentity: "me" }]);
    const map = await call(get, "PUT", pathOf(get, "configmaps", name), configMap(name));
    expect([map.status, map.body.reason]).toEqual([404, "NotFound"]);
  });

  it("leaves out empty lists and maps of built-in kinds, and takes null in a map for nothing", async () => {
    const service = await created(get, pathOf(get, "services"), {
      metadata: { name: get().unique("empty"), labels: {}, finalizers: [] },
      spec: { clusterIP: "None", ports: [{ port: 80 }], selector: {}, externalIPs: [], loadBalancerSourceRanges: [] },
    });
    for (const field of ["selector", "externalIPs", "loadBalancerSourceRanges"])
      expect(service.spec).not.toHaveProperty(field);
    for (const field of ["labels", "finalizers"]) expect(service.metadata).not.toHaveProperty(field);
    const map = await created(get, pathOf(get, "configmaps"), {
      metadata: { name: get().unique("empty") },
      data: { a: null },
      binaryData: {},
    });
    expect([map.data, map.binaryData]).toEqual([{ a: "" }, undefined]);
  });

  it("Leases may be held by nobody, and keep times in UTC", async () => {
    const { spec } = await created(get, leases(), {
      metadata: { name: get().unique("free") },
      spec: { holderIdentity: "", renewTime: "2026-01-01T01:00:00.500000+01:00" },
    });
    expect(spec).toEqual({ holderIdentity: "", renewTime: "2026-01-01T00:00:00.500000Z" });
  });

  it("Events of the new API start without the old fields and change only their series", async () => {
    const events = pathOf(get, "events", "", "events.k8s.io/v1");
    const metadata = { name: get().unique("event") };
    const event = {
      metadata,
      regarding: { kind: "ConfigMap", name: "x", namespace: get().namespace },
      eventTime: "2026-11-15T11:11:10.500000Z",
      reportingController: "mainstay.test/c",
      reportingInstance: "i",
      action: "A",
      reason: "R",
      type: "Normal",
    };
    const old = { deprecatedCount: 3, deprecatedSource: { component: "c" }, series: { count: 1 }, type: "Odd" };
    expect(fieldsOf(await call(get, "POST", events, { ...event, ...old }))).toEqual([
      "series.count",
      "series.lastObservedTime",
      "type",
      "count",
      "source",
    ]);
    await created(get, events, event);
    const path = `${events}/${metadata.name}`;
    expect(fieldsOf(await call(get, "PATCH", path, { series: { count: 1 } }, "merge"))).toEqual([
      "series.count",
      "series.lastObservedTime",
    ]);
    const changes = { action: "B", reason: "S", deprecatedCount: 2, reportingController: "mainstay.test/d" };
    expect(fieldsOf(await call(get, "PATCH", path, changes, "merge"))).toEqual([
      "reason",
      "count",
      "reason",
      "action",
      "reportingController",
    ]);
    const throughOld = await call(get, "PATCH", pathOf(get, "events", metadata.name), { count: 2 }, "merge");
    expect([throughOld.status, throughOld.body.count]).toEqual([200, 2]);
  });

  it("Events with a time of the new kind name their reporter through the old API too", async () => {
    const answer = await call(get, "POST", pathOf(get, "events"), {
      metadata: { name: "x" },
      involvedObject: { kind: "ConfigMap", name: "c", namespace: get().namespace },
      eventTime: "2026-11-15T11:11:10.500000Z",
      reason: "R",
      action: "A",
    });
    expect(answer.body.details.name).toBe("x");
    expect(new Set(fieldsOf(answer))).toEqual(new Set(["reportingComponent", "reportingInstance"]));
  });

  it("EndpointSlices refuse addresses nobody can reach and ports of one name", async () => {
    const slice = {
      metadata: { name: "x" },
      addressType: "IPv4",
      endpoints: [{ addresses: ["127.0.0.1"] }, { addresses: ["::1"], hostname: "Bad_" }, { addresses: [] }],
      ports: [{ name: "a", port: 1 }, { name: "a", port: 2, protocol: "X" }, { name: "Bad_" }],
    };
    expect(fieldsOf(await call(get, "POST", slices(), slice))).toEqual([
      "ports[1].name",
      "ports[1].protocol",
      "ports[2].name",
      "endpoints[0].addresses[0]",
      "endpoints[1].addresses",
      "endpoints[1].addresses[0]",
      "endpoints[1].hostname",
      "endpoints[2].addresses",
    ]);
  });

  it("Pods refuse containers that could not run, and take quantities as numbers", async () => {
    const container = {
      name: "a",
      image: " i",
      imagePullPolicy: "Sometimes",
      ports: [{ containerPort: 0 }, { containerPort: 70_000, name: "x".repeat(16) }],
      env: [{ value: "nameless" }],
      resources: { requests: { cpu: 2 }, limits: { cpu: 1 } },
    };
    const pods = `${pathOf(get, "pods")}?dryRun=All`;
    const bad = {
      metadata: { name: "x" },
      spec: { containers: [container], dnsPolicy: "X", activeDeadlineSeconds: 0 },
    };
    const at = "spec.containers[0]";
    expect(fieldsOf(await call(get, "POST", pods, bad)).toSorted()).toEqual(
      [
        "spec.activeDeadlineSeconds",
        `${at}.env[0].name`,
        `${at}.image`,
        `${at}.imagePullPolicy`,
        `${at}.ports[0].containerPort`,
        `${at}.ports[1].containerPort`,
        `${at}.ports[1].name`,
        `${at}.resources.requests`,
        "spec.dnsPolicy",
      ].toSorted(),
    );
    const resources = { limits: { cpu: 2, memory: "1Gi" } };
    const good = { metadata: { name: "x" }, spec: { containers: [{ name: "a", image: "i", resources }] } };
    const taken = await call(get, "POST", pods, good);
    expect(taken.body.spec.containers[0].resources.limits).toEqual({ cpu: "2", memory: "1Gi" });
    const nonsense = {
      ...good,
      spec: { containers: [{ name: "a", image: "i", resources: { limits: { cpu: "x" } } }] },
    };
    expect((await call(get, "POST", pods, nonsense)).status).toBe(400);
  });

  it("Secrets for a login need a name or a password", async () => {
    const secrets = `${pathOf(get, "secrets")}?dryRun=All`;
    const secret = { metadata: { name: "x" }, type: "kubernetes.io/basic-auth" };
    expect(fieldsOf(await call(get, "POST", secrets, secret))).toEqual(["data[username]", "data[password]"]);
    expect((await call(get, "POST", secrets, { ...secret, stringData: { password: "p" } })).status).toBe(201);
  });

  it("Services are given addresses before anything else is looked at, and warned of what is ignored", async () => {
    const services = `${pathOf(get, "services")}?dryRun=All`;
    const wrong = { ports: [{ port: 0 }], ipFamilyPolicy: "RequireDualStack", sessionAffinity: "X" };
    expect(fieldsOf(await call(get, "POST", services, { metadata: { name: "x" }, spec: wrong }))).toEqual([
      "spec.ipFamilyPolicy",
    ]);
    const loopback = { ports: [{ port: 1 }], externalIPs: ["127.0.0.1"], trafficDistribution: "X" };
    expect(messagesOf(await call(get, "POST", services, { metadata: { name: "x" }, spec: loopback }))).toEqual([
      expect.stringMatching(/^spec.externalIPs\[0\]: .*loopback/),
      expect.stringMatching(/^spec.trafficDistribution: Unsupported/),
    ]);
    const ignored = { ports: [{ port: 1 }], clusterIP: "None", externalIPs: ["192.0.2.1"], externalName: "a.example" };
    const answer = await call(get, "POST", services, { metadata: { name: "x" }, spec: ignored });
    expect([answer.status, answer.headers["warning"]]).toEqual([
      201,
      '299 - "spec.externalIPs is ignored for headless services", ' +
        '299 - "spec.externalName is ignored when spec.type is not \\"ExternalName\\""',
    ]);
  });

  it("refuses to apply a value of another type as a failure of its own", async () => {
    const name = get().unique("typed");
    const wrong = { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { a: 5 } };
    const answer = await call(get, "PATCH", `${pathOf(get, "configmaps", name)}?fieldManager=me`, wrong, "apply");
    expect([answer.status, answer.body.message]).toEqual([
      500,
      expect.stringMatching(/failed to create typed patch object.*\.data\.a: expected string/),
    ]);
  });
}
