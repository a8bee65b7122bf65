// The other built-in kinds where they have rules of their own: Secrets, ConfigMaps, Leases, Events, Nodes, Pods, slices.

import { expect, it } from "vitest";
import type { GetContext } from "../kube-target.ts";
import { call, configMap, created, fieldsOf, messagesOf, pathOf } from "./api-calls.ts";
import { eventually } from "./raw-request.ts";

export function builtinKindsBehaviours(get: GetContext): void {
  it("Secrets encode stringData and keep their type", async () => {
    const name = get().unique("secret");
    const object = await created(get, pathOf(get, "secrets"), {
      metadata: { name },
      stringData: { a: "b" },
      data: { a: "eA==", c: "eA==" },
    });
    expect([object.data, object.type, object.stringData]).toEqual([{ a: "Yg==", c: "eA==" }, "Opaque", undefined]);
    const answer = await call(get, "PATCH", pathOf(get, "secrets", name), { type: "x" }, "merge");
    expect(messagesOf(answer)).toEqual(['type: Invalid value: "x": field is immutable']);
  });

  it("Secrets refuse what is no base64 and miss what their type needs", async () => {
    expect(
      (await call(get, "POST", pathOf(get, "secrets"), { metadata: { name: "x" }, data: { a: "###" } })).status,
    ).toBe(400);
    const tls = await call(get, "POST", pathOf(get, "secrets"), { metadata: { name: "x" }, type: "kubernetes.io/tls" });
    expect(fieldsOf(tls)).toEqual(["data[tls.crt]", "data[tls.key]"]);
  });

  it("immutable Secrets and ConfigMaps stay as they are", async () => {
    for (const plural of ["secrets", "configmaps"]) {
      const name = get().unique("frozen");
      await created(get, pathOf(get, plural), { metadata: { name }, immutable: true, data: { a: "eA==" } });
      const answer = await call(
        get,
        "PATCH",
        pathOf(get, plural, name),
        { immutable: null, data: { a: "eQ==" } },
        "merge",
      );
      expect([plural, fieldsOf(answer)]).toEqual([plural, ["immutable", "data"]]);
    }
  });

  it("ConfigMaps refuse one key in data and binaryData", async () => {
    const answer = await call(
      get,
      "POST",
      pathOf(get, "configmaps"),
      configMap("x", { data: { a: "b" }, binaryData: { a: "eA==" } }),
    );
    expect(messagesOf(answer)).toEqual(['data[a]: Invalid value: "a": duplicate of key present in binaryData']);
  });

  it("Leases want sensible numbers, six decimals and the version that was read", async () => {
    const leases = pathOf(get, "leases", "", "coordination.k8s.io/v1");
    const bad = await call(get, "POST", leases, {
      metadata: { name: "x" },
      spec: { leaseDurationSeconds: 0, leaseTransitions: -1 },
    });
    expect(fieldsOf(bad)).toEqual(["spec.leaseDurationSeconds", "spec.leaseTransitions"]);
    const coarse = await call(get, "POST", leases, {
      metadata: { name: "x" },
      spec: { renewTime: "2026-11-15T11:11:10.5Z" },
    });
    expect(coarse.status).toBe(400);
    const name = get().unique("lease");
    const object = await created(get, leases, {
      metadata: { name },
      spec: { renewTime: "2026-11-15T11:11:10.500000Z", holderIdentity: "me" },
    });
    expect(object.spec.renewTime).toBe("2026-11-15T11:11:10.500000Z");
    const blind = await call(get, "PUT", `${leases}/${name}`, { metadata: { name }, spec: {} });
    expect([blind.status, fieldsOf(blind)]).toEqual([422, ["metadata.resourceVersion"]]);
  });

  it("Events are one thing under two names", async () => {
    const name = get().unique("event");
    const regarding = { kind: "ConfigMap", name: "x", namespace: get().namespace, apiVersion: "v1" };
    const event = {
      reason: "R",
      note: "hello",
      type: "Normal",
      eventTime: "2026-11-15T11:11:10.500000Z",
      action: "A",
      reportingController: "x.io/c",
      reportingInstance: "i",
      regarding,
    };
    await created(get, pathOf(get, "events", "", "events.k8s.io/v1"), { metadata: { name }, ...event });
    const core = await call(get, "GET", pathOf(get, "events", name));
    expect(core.body).toMatchObject({
      apiVersion: "v1",
      involvedObject: regarding,
      message: "hello",
      reportingComponent: "x.io/c",
      source: {},
      firstTimestamp: null,
    });
    const listed = await call(
      get,
      "GET",
      `${pathOf(get, "events")}?fieldSelector=involvedObject.name%3Dx,metadata.name%3D${name}`,
    );
    expect(listed.body.items).toHaveLength(1);
    const path = pathOf(get, "events", name, "events.k8s.io/v1");
    const series = { count: 2, lastObservedTime: "2026-11-15T11:11:11.500000Z" };
    expect((await call(get, "PATCH", path, { series }, "merge")).body.series).toEqual(series);
    expect(fieldsOf(await call(get, "PATCH", path, { note: "other" }, "merge"))).toEqual(["message"]);
  });

  it("Events belong to the namespace of what they are about", async () => {
    const answer = await call(get, "POST", pathOf(get, "events"), {
      metadata: { name: "x" },
      involvedObject: { kind: "ConfigMap", name: "c" },
    });
    expect(fieldsOf(answer)).toEqual(["involvedObject.namespace"]);
  });

  it("EndpointSlices keep their family and hold addresses of it", async () => {
    const slices = pathOf(get, "endpointslices", "", "discovery.k8s.io/v1");
    expect(fieldsOf(await call(get, "POST", slices, { metadata: { name: "x" }, endpoints: [] }))).toEqual([
      "addressType",
    ]);
    const bad = { metadata: { name: "x" }, addressType: "IPv4", endpoints: [{ addresses: ["1.2.3.400"] }] };
    expect(fieldsOf(await call(get, "POST", slices, bad))).toEqual(["endpoints[0].addresses[0]"]);
    const name = get().unique("slice");
    const object = await created(get, slices, {
      metadata: { name },
      addressType: "IPv4",
      endpoints: [{ addresses: ["192.0.2.1"] }],
      ports: [{ port: 80 }],
    });
    expect([object.metadata.generation, object.ports]).toEqual([1, [{ name: "", protocol: "TCP", port: 80 }]]);
    expect(fieldsOf(await call(get, "PATCH", `${slices}/${name}`, { addressType: "IPv6" }, "merge"))).toEqual([
      "addressType",
    ]);
  });

  it("Nodes keep provider and pod range", async () => {
    const name = get().unique("node");
    const path = `/api/v1/nodes/${name}`;
    const object = await created(get, "/api/v1/nodes", {
      metadata: { name },
      spec: { podCIDR: "10.1.0.0/24", providerID: "x://y" },
      status: { conditions: [{ type: "Ready", status: "True" }], nodeInfo: { kernelVersion: "7.0" } },
    });
    get().cleanup(() => call(get, "DELETE", path));
    // Unlike other kinds, a Node may be born with a status.
    expect(object.status).toMatchObject({
      conditions: [{ type: "Ready", status: "True" }],
      nodeInfo: { kernelVersion: "7.0", osImage: "" },
    });
    expect(object.spec.podCIDRs).toEqual(["10.1.0.0/24"]);
    const answer = await call(get, "PATCH", path, { spec: { providerID: "z", podCIDR: "10.2.0.0/24" } }, "merge");
    expect(fieldsOf(answer)).toEqual(["spec.podCIDRs", "spec.providerID"]);
    const status = {
      addresses: [{ type: "InternalIP", address: "192.0.2.9" }],
      conditions: [{ type: "Ready", status: "True" }],
    };
    const seen = await call(get, "PATCH", `${path}/status`, { status }, "strategic");
    expect(seen.body.status).toMatchObject({
      addresses: status.addresses,
      conditions: [{ type: "Ready", status: "True" }],
    });
    await call(get, "DELETE", path);
  });

  it("Pods want containers with a name and an image", async () => {
    const pod = { metadata: { name: "x" }, spec: { containers: [{ name: "C", image: "" }], restartPolicy: "x" } };
    // Until the namespace has its ServiceAccount the real server looks no further than that.
    const answer = await eventually("Pods are looked at", async () => {
      const attempt = await call(get, "POST", pathOf(get, "pods"), pod);
      return attempt.status === 403 ? undefined : attempt;
    });
    expect(fieldsOf(answer)).toEqual(["spec.containers[0].name", "spec.containers[0].image", "spec.restartPolicy"]);
  });

  it("ReplicaSets want a selector that selects their own Pods", async () => {
    const template = { metadata: { labels: { a: "c" } }, spec: { containers: [{ name: "c", image: "i" }] } };
    const answer = await call(get, "POST", pathOf(get, "replicasets", "", "apps/v1"), {
      metadata: { name: "x" },
      spec: { selector: { matchLabels: { a: "b" } }, template },
    });
    expect(messagesOf(answer)).toEqual([
      'spec.template.metadata.labels: Invalid value: {"a":"c"}: `selector` does not match template `labels`',
    ]);
  });
}
