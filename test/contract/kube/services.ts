// Services: addresses and ports the server hands out, keeps and takes back, and everything it refuses.

import { expect, it } from "vitest";
import type { GetContext } from "../kube-target.ts";
import { type Answer, call, created, messagesOf, pathOf } from "./api-calls.ts";

export function servicesBehaviours(get: GetContext): void {
  const services = () => pathOf(get, "services");
  const post = (spec: object, name = get().unique("svc")): Promise<Answer> =>
    call(get, "POST", services(), { metadata: { name }, spec });
  async function make(spec: object): Promise<{ path: string; spec: Answer["body"] }> {
    const object = await created(get, services(), { metadata: { name: get().unique("svc") }, spec });
    get().cleanup(() => call(get, "DELETE", pathOf(get, "services", object.metadata.name)));
    return { path: pathOf(get, "services", object.metadata.name), spec: object.spec };
  }
  const patch = (path: string, spec: object): Promise<Answer> => call(get, "PATCH", path, { spec }, "merge");

  it("fill in everything their author left open", async () => {
    const { spec } = await make({ ports: [{ port: 80 }] });
    expect(spec).toMatchObject({
      type: "ClusterIP",
      ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
      sessionAffinity: "None",
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
      internalTrafficPolicy: "Cluster",
    });
    expect(spec.clusterIP).toMatch(/^10\.96\.\d+\.\d+$/);
    expect(spec.clusterIPs).toEqual([spec.clusterIP]);
    expect(spec).not.toHaveProperty("externalTrafficPolicy");
    expect(spec.ports[0]).not.toHaveProperty("nodePort");
  });

  it("get no address when headless, and need no ports then", async () => {
    const { spec } = await make({ clusterIP: "None", selector: { a: "b" } });
    expect(spec).toMatchObject({
      clusterIP: "None",
      clusterIPs: ["None"],
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
    });
    const selectorless = await make({ clusterIP: "None" });
    expect(selectorless.spec).toMatchObject({ ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "RequireDualStack" });
  });

  it("of type LoadBalancer get node ports and, for local traffic, a health check port", async () => {
    const { spec } = await make({
      type: "LoadBalancer",
      externalTrafficPolicy: "Local",
      ports: [{ port: 80, targetPort: "http" }],
    });
    expect(spec).toMatchObject({ allocateLoadBalancerNodePorts: true, externalTrafficPolicy: "Local" });
    expect(spec.ports[0].nodePort).toBeGreaterThan(0);
    expect(spec.healthCheckNodePort).toBeGreaterThan(0);
    const without = await make({
      type: "LoadBalancer",
      allocateLoadBalancerNodePorts: false,
      loadBalancerClass: "a/b",
      ports: [{ port: 80 }],
    });
    expect(without.spec.ports[0]).not.toHaveProperty("nodePort");
    expect(without.spec).not.toHaveProperty("healthCheckNodePort");
  });

  it("share a node port between TCP and UDP on one port number", async () => {
    const { spec } = await make({
      type: "NodePort",
      ports: [
        { name: "t", port: 53 },
        { name: "u", port: 53, protocol: "UDP" },
      ],
    });
    expect(spec.ports[1].nodePort).toBe(spec.ports[0].nodePort);
  });

  it("give session affinity by client three hours", async () => {
    const { spec } = await make({ sessionAffinity: "ClientIP", ports: [{ port: 80 }] });
    expect(spec.sessionAffinityConfig).toEqual({ clientIP: { timeoutSeconds: 10_800 } });
  });

  it("want names for several ports, unlike ones, and ports at all", async () => {
    expect(messagesOf(await post({ ports: [{ port: 80 }, { port: 81 }] }))).toEqual([
      "spec.ports[0].name: Required value",
      "spec.ports[1].name: Required value",
    ]);
    expect(messagesOf(await post({}))).toEqual(["spec.ports: Required value"]);
    const doubled = await post({
      ports: [
        { port: 1, name: "a" },
        { port: 1, name: "b" },
        { port: 2, name: "a" },
      ],
    });
    expect(
      doubled.body.details.causes.map((cause: { field: string; reason: string }) => `${cause.field} ${cause.reason}`),
    ).toEqual(["spec.ports[2].name FieldValueDuplicate", "spec.ports[1] FieldValueDuplicate"]);
  });

  it("refuse every wrong field at once, in the words of the real server", async () => {
    const answer = await post({
      type: "Foo",
      sessionAffinity: "x",
      externalTrafficPolicy: "Local",
      loadBalancerClass: "z",
      allocateLoadBalancerNodePorts: true,
      loadBalancerSourceRanges: ["x"],
      internalTrafficPolicy: "q",
      externalIPs: ["a"],
      ports: [{ port: 0, protocol: "X", name: "A_", targetPort: 99_999 }, { port: 70_000 }],
    });
    expect(answer.status).toBe(422);
    expect(messagesOf(answer).map((message) => message.replace(/^(\S+\.name): Invalid.*/, "$1: Invalid"))).toEqual([
      "spec.ports[0].name: Invalid",
      "spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive",
      'spec.ports[0].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
      "spec.ports[0].targetPort: Invalid value: 99999: must be between 1 and 65535, inclusive",
      "spec.ports[1].name: Required value",
      "spec.ports[1].port: Invalid value: 70000: must be between 1 and 65535, inclusive",
      "spec.ports[1].targetPort: Invalid value: 70000: must be between 1 and 65535, inclusive",
      'spec.sessionAffinity: Unsupported value: "x": supported values: "ClientIP", "None"',
      'spec.externalIPs[0]: Invalid value: "a": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      'spec.type: Unsupported value: "Foo": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
      "spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'",
      'spec.LoadBalancerSourceRanges[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      "spec.allocateLoadBalancerNodePorts: Forbidden: may only be used when `type` is 'LoadBalancer'",
      "spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'",
      'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
      'spec.internalTrafficPolicy: Unsupported value: "q": supported values: "Cluster", "Local"',
    ]);
  });

  it("refuse node ports out of range, taken, or without need", async () => {
    const { spec } = await make({ type: "NodePort", ports: [{ port: 80 }] });
    const taken = spec.ports[0].nodePort;
    expect(
      messagesOf(await post({ type: "NodePort", ports: [{ port: 80, nodePort: taken, protocol: "UDP" }] })),
    ).toEqual([`spec.ports[0].nodePort: Invalid value: ${taken}: provided port is already allocated`]);
    expect(messagesOf(await post({ type: "NodePort", ports: [{ port: 80, nodePort: 100 }] }))[0]).toContain(
      "provided port is not in the valid range",
    );
    expect(messagesOf(await post({ ports: [{ port: 80, nodePort: taken }] }))).toEqual([
      "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
    ]);
    const twice = {
      type: "NodePort",
      ports: [
        { port: 80, name: "a", nodePort: taken + 1 },
        { port: 81, name: "b", nodePort: taken + 1 },
      ],
    };
    expect(messagesOf(await post(twice))).toEqual([
      `spec.ports[1].nodePort: Invalid value: ${taken + 1}: provided port is already allocated`,
    ]);
  });

  it("refuse addresses out of range, taken, or no addresses at all", async () => {
    const { spec } = await make({ ports: [{ port: 80 }] });
    const ip = spec.clusterIP;
    expect(messagesOf(await post({ clusterIP: ip, ports: [{ port: 80 }] }))).toEqual([
      `spec.clusterIPs: Invalid value: ["${ip}"]: failed to allocate IP ${ip}: provided IP is already allocated`,
    ]);
    expect(messagesOf(await post({ clusterIP: "10.97.7.7", ports: [{ port: 80 }] }))).toEqual([
      'spec.clusterIPs: Invalid value: ["10.97.7.7"]: failed to allocate IP 10.97.7.7: the provided network does not match the current range',
    ]);
    expect(messagesOf(await post({ clusterIP: "bad", ports: [{ port: 80 }] }))[0]).toContain(
      "spec.clusterIPs[0]: Invalid value",
    );
    expect(messagesOf(await post({ type: "NodePort", clusterIP: "None", ports: [{ port: 80 }] }))).toEqual([
      "spec.clusterIPs[0]: Invalid value: \"None\": may not be set to 'None' for NodePort services",
    ]);
  });

  it("refuse families the cluster does not have", async () => {
    expect(messagesOf(await post({ ipFamilies: ["IPv6"], ports: [{ port: 80 }] }))).toEqual([
      'spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster',
    ]);
    expect(messagesOf(await post({ ipFamilyPolicy: "RequireDualStack", ports: [{ port: 80 }] }))).toEqual([
      'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
    ]);
    const { spec } = await make({ ipFamilyPolicy: "PreferDualStack", ports: [{ port: 80 }] });
    expect(spec).toMatchObject({ ipFamilyPolicy: "PreferDualStack", ipFamilies: ["IPv4"] });
  });

  it("keep their address for life", async () => {
    const { path, spec } = await make({ ports: [{ port: 80 }] });
    expect(messagesOf(await patch(path, { clusterIP: "10.96.250.250" }))).toEqual([
      'spec.clusterIPs[0]: Invalid value: ["10.96.250.250"]: may not change once set',
    ]);
    expect((await patch(path, { clusterIP: null })).body.spec.clusterIP).toBe(spec.clusterIP);
    const name = path.split("/").at(-1);
    const put = await call(get, "PUT", path, { metadata: { name }, spec: { ports: [{ port: 90 }] } });
    expect(put.body.spec).toMatchObject({
      clusterIP: spec.clusterIP,
      ports: [{ port: 90, protocol: "TCP", targetPort: 90 }],
    });
  });

  it("take and release ports and addresses as their type changes", async () => {
    const { path, spec } = await make({ ports: [{ port: 80 }] });
    const nodePort = (await patch(path, { type: "LoadBalancer" })).body.spec;
    expect(nodePort).toMatchObject({
      clusterIP: spec.clusterIP,
      externalTrafficPolicy: "Cluster",
      allocateLoadBalancerNodePorts: true,
    });
    const port = nodePort.ports[0].nodePort;
    expect((await patch(path, { type: "NodePort" })).body.spec.ports[0].nodePort).toBe(port);
    const plain = (await patch(path, { type: "ClusterIP" })).body.spec;
    expect(plain.ports[0]).not.toHaveProperty("nodePort");
    expect(plain).not.toHaveProperty("externalTrafficPolicy");
    expect(plain).not.toHaveProperty("allocateLoadBalancerNodePorts");
    const named = (await patch(path, { type: "ExternalName", externalName: "a.example" })).body.spec;
    expect(named).toEqual({
      type: "ExternalName",
      externalName: "a.example",
      sessionAffinity: "None",
      ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
    });
    const successor = await make({
      clusterIP: spec.clusterIP,
      type: "NodePort",
      ports: [{ port: 80, nodePort: port }],
    });
    expect(successor.spec.clusterIP).toBe(spec.clusterIP);
  });

  it("keep class and health check port of a load balancer", async () => {
    const { path } = await make({
      type: "LoadBalancer",
      loadBalancerClass: "a/b",
      externalTrafficPolicy: "Local",
      ports: [{ port: 80 }],
    });
    expect(messagesOf(await patch(path, { loadBalancerClass: "c/d" }))).toEqual([
      'spec.loadBalancerClass: Invalid value: "c/d": may not change once set',
    ]);
    expect(messagesOf(await patch(path, { healthCheckNodePort: 30_999 }))).toEqual([
      "spec.healthCheckNodePort: Forbidden: field is immutable",
    ]);
    const cluster = (await patch(path, { externalTrafficPolicy: "Cluster" })).body.spec;
    expect(cluster).not.toHaveProperty("healthCheckNodePort");
  });

  it("give back everything when deleted, and answer with themselves", async () => {
    const { path, spec } = await make({ type: "NodePort", ports: [{ port: 80 }] });
    expect((await call(get, "DELETE", path)).body.kind).toBe("Service");
    const next = await make({
      type: "NodePort",
      clusterIP: spec.clusterIP,
      ports: [{ port: 80, nodePort: spec.ports[0].nodePort }],
    });
    expect(next.spec.clusterIP).toBe(spec.clusterIP);
  });

  it("show ingress through status only, and only for load balancers", async () => {
    const { path } = await make({ type: "LoadBalancer", ports: [{ port: 80 }] });
    const ingress = { status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }, { hostname: "a.example" }] } } };
    const ignored = await call(get, "PATCH", path, ingress, "merge");
    expect(ignored.body.status).toEqual({ loadBalancer: {} });
    const published = await call(get, "PATCH", `${path}/status`, ingress, "merge");
    expect(published.body.status.loadBalancer.ingress).toEqual([
      { ip: "192.0.2.1", ipMode: "VIP" },
      { hostname: "a.example" },
    ]);
    const wrong = { status: { loadBalancer: { ingress: [{ ip: "bad" }] } } };
    expect(messagesOf(await call(get, "PATCH", `${path}/status`, wrong, "merge"))[0]).toContain(
      "status.loadBalancer.ingress[0].ip: Invalid value",
    );
    const plain = await patch(path, { type: "ClusterIP" });
    expect(plain.body.status).toEqual({ loadBalancer: {} });
    expect(messagesOf(await call(get, "PATCH", `${path}/status`, ingress, "merge"))).toEqual([
      "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'",
    ]);
  });

  it("of type ExternalName need a name and nothing else", async () => {
    expect(messagesOf(await post({ type: "ExternalName" }))).toEqual(["spec.externalName: Required value"]);
    const { spec } = await make({ type: "ExternalName", externalName: "a.example" });
    expect(spec).toEqual({ type: "ExternalName", externalName: "a.example", sessionAffinity: "None" });
  });

  it("hand out nothing for good in a dry run", async () => {
    const answer = await call(get, "POST", `${services()}?dryRun=All`, {
      metadata: { name: "dry" },
      spec: { type: "NodePort", ports: [{ port: 80 }] },
    });
    expect([answer.status, answer.body.spec.ports[0].nodePort > 0]).toEqual([201, true]);
    expect((await call(get, "GET", pathOf(get, "services", "dry"))).status).toBe(404);
  });
}
