// Tables: what `kubectl get` prints is computed by the server.

import { expect, it } from "vitest";
import { z } from "zod";
import {
  configMaps,
  endpointSlices,
  leases,
  namespaces,
  nodes,
  pods,
  services,
} from "../../../src/apis/kube/builtin-kinds.ts";
import type { Kind, KubeObject } from "../../../src/apis/kube/kube-object.ts";
import type { ContractContext, GetContext } from "../kube-target.ts";
import { gadget, gadgetCrd, gadgetVersion, serveGadgets } from "./gadget-kind.ts";
import { eventually, rawRequest } from "./raw-request.ts";
import { configMap } from "./samples.ts";

const asTable = "application/json;as=Table;v=v1;g=meta.k8s.io";
const tableSchema = z.looseObject({
  kind: z.literal("Table"),
  apiVersion: z.literal("meta.k8s.io/v1"),
  metadata: z.looseObject({ resourceVersion: z.string().optional() }),
  columnDefinitions: z
    .array(z.looseObject({ name: z.string(), type: z.string(), format: z.string(), priority: z.number() }))
    .nullable(),
  rows: z.array(z.looseObject({ cells: z.array(z.unknown()), object: z.unknown() })),
});

export function tableBehaviours(get: GetContext): void {
  it("prints a custom resource by the columns of its CRD, wide ones marked by priority", async () => {
    const context = get();
    const kind = await serveGadgets(context);
    const { columnDefinitions } = await table(context, kind);
    expect(columnDefinitions?.map(({ name, type, format, priority }) => [name, type, format, priority])).toEqual([
      ["Name", "string", "name", 0],
      ["Replicas", "integer", "", 0],
      ["Ready", "string", "", 0],
      ["Since", "date", "", 0],
      ["Colours", "string", "", 1],
      ["First", "string", "", 1],
      ["Any", "string", "", 1],
      ["Ratio", "number", "", 1],
      ["Enabled", "boolean", "", 1],
      ["Notes", "string", "", 1],
      ["Mark", "string", "", 1],
    ]);
    expect(columnDefinitions?.slice(1, 3)).toMatchObject([
      { description: "Wanted." },
      {
        description:
          'Custom resource definition column (in JSONPath format): .status.conditions[?(@.type=="Ready")].status',
      },
    ]);
  });

  it("fills cells by JSONPath: filters, indexes, escaped dots, ages; lists and objects as JSON; null for what is absent", async () => {
    const context = get();
    const { admin, namespace } = context;
    const kind = await serveGadgets(context);
    const full = {
      replicas: 3,
      since: new Date(Date.now() - (5 * 24 + 10) * 3_600_000 - 60_000).toISOString(),
      colours: ["red", "blue"],
      ratio: 1.5,
      enabled: true,
      notes: { key: "value" },
    };
    const metadata = { name: "full", annotations: { "example.test/mark": "here" } };
    await admin.create(kind, gadget(kind, namespace, "full", { metadata, spec: full }));
    const conditions = [
      { type: "Other", status: "False" },
      { type: "Ready", status: "True" },
    ];
    await admin.patch(
      kind,
      { namespace, name: "full" },
      { type: "merge", body: { status: { conditions } } },
      { subresource: "status" },
    );
    await admin.create(kind, gadget(kind, namespace, "bare"));
    const { rows } = await table(context, kind);
    expect(rows.map(({ cells }) => cells)).toEqual([
      ["bare", 1, null, null, null, null, null, null, null, null, null],
      ["full", 3, "True", "5d10h", '["red","blue"]', "red", "red", 1.5, true, '{"key":"value"}', "here"],
    ]);
  });

  it("prints the age of a custom resource whose CRD has no columns", async () => {
    const context = get();
    const { additionalPrinterColumns: _, ...plain } = Object(gadgetVersion("v1", true));
    const kind = await serveGadgets(context, (group) => gadgetCrd(group, [plain]));
    await context.admin.create(kind, gadget(kind, context.namespace, "one"));
    const { columnDefinitions, rows } = await table(context, kind);
    expect(columnDefinitions?.map(({ name, type }) => [name, type])).toEqual([
      ["Name", "string"],
      ["Age", "date"],
    ]);
    expect(rows.map(({ cells }) => cells)).toEqual([["one", expect.stringMatching(/^\d+s$/)]]);
  });

  it("carries with each row the object's metadata, the whole object, or nothing, as asked", async () => {
    const context = get();
    const { admin, namespace, unique } = context;
    const name = unique("row");
    await admin.create(configMaps, configMap({ name, namespace, labels: { a: "b" } }, { key: "value" }));
    const path = `/api/v1/namespaces/${namespace}/configmaps/${name}`;
    const row = async (query: string) => (await tableAt(context, `${path}${query}`)).rows[0]?.object;
    expect(await row("")).toMatchObject({
      kind: "PartialObjectMetadata",
      apiVersion: "meta.k8s.io/v1",
      metadata: { name, labels: { a: "b" } },
    });
    expect(await row("?includeObject=Metadata")).not.toHaveProperty("data");
    expect(await row("?includeObject=Object")).toMatchObject({ metadata: { name }, data: { key: "value" } });
    expect(await row("?includeObject=None")).toBeNull();
  });

  it("keeps resource version and continue token of a list in its table", async () => {
    const context = get();
    const { admin, unique } = context;
    const name = unique("paged");
    await admin.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
    context.cleanup(() => admin.delete(namespaces, { name }));
    for (const each of ["a", "b", "c"]) await admin.create(leases, lease(name, each));
    const { metadata, rows } = await tableAt(context, `/apis/coordination.k8s.io/v1/namespaces/${name}/leases?limit=2`);
    expect(rows.map(({ cells }) => cells)).toEqual([
      ["a", "me", expect.any(String)],
      ["b", "me", expect.any(String)],
    ]);
    expect(metadata).toMatchObject({
      resourceVersion: expect.stringMatching(/^\d+$/),
      continue: expect.any(String),
      remainingItemCount: 1,
    });
  });

  it("prints Services as people know them", async () => {
    const context = get();
    const { admin, namespace, unique } = context;
    const spec = {
      type: "LoadBalancer",
      selector: { tier: "front", app: "x" },
      ports: [
        { name: "a", port: 80 },
        { name: "b", port: 53, protocol: "UDP" },
      ],
    };
    const name = unique("svc");
    const created = await admin.create(services, {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name, namespace },
      spec,
    } as KubeObject);
    const { clusterIP, ports } = z
      .looseObject({
        spec: z.looseObject({ clusterIP: z.string(), ports: z.array(z.looseObject({ nodePort: z.number() })) }),
      })
      .parse(created).spec;
    const path = `/api/v1/namespaces/${namespace}/services/${name}`;
    const { columnDefinitions, rows } = await tableAt(context, path);
    expect(columnDefinitions?.map((column) => column.name)).toEqual([
      "Name",
      "Type",
      "Cluster-IP",
      "External-IP",
      "Port(s)",
      "Age",
      "Selector",
    ]);
    const portText = `80:${ports[0]?.nodePort}/TCP,53:${ports[1]?.nodePort}/UDP`;
    expect(rows[0]?.cells).toEqual([
      name,
      "LoadBalancer",
      clusterIP,
      "<pending>",
      portText,
      expect.any(String),
      "app=x,tier=front",
    ]);
    const ingress = [{ ip: "203.0.113.9" }, { ip: "203.0.113.10" }];
    await admin.patch(
      services,
      { namespace, name },
      { type: "merge", body: { status: { loadBalancer: { ingress } } } },
      { subresource: "status" },
    );
    expect((await tableAt(context, path)).rows[0]?.cells[3]).toBe("203.0.113.10,203.0.113.9");
  });

  it("prints Nodes with readiness, cordon, roles and addresses", async () => {
    const context = get();
    const { admin, unique } = context;
    const name = unique("node");
    const labels = { "node-role.kubernetes.io/control-plane": "", "node-role.kubernetes.io/worker": "" };
    await admin.create(nodes, {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name, labels },
      spec: { unschedulable: true },
    } as KubeObject);
    context.cleanup(() => admin.delete(nodes, { name }));
    const status = {
      conditions: [{ type: "Ready", status: "True" }],
      addresses: [{ type: "InternalIP", address: "192.0.2.7" }],
      nodeInfo: {
        ...emptyNodeInfo,
        kubeletVersion: "v1.36.0",
        osImage: "Debian",
        kernelVersion: "6.1",
        architecture: "amd64",
        containerRuntimeVersion: "containerd://2",
      },
    };
    await admin.patch(nodes, { name }, { type: "merge", body: { status } }, { subresource: "status" });
    const { rows } = await tableAt(context, `/api/v1/nodes/${name}`);
    expect(rows[0]?.cells).toEqual([
      name,
      "Ready,SchedulingDisabled",
      "control-plane,worker",
      expect.any(String),
      "v1.36.0",
      "192.0.2.7",
      "<none>",
      "Debian",
      "6.1 (amd64)",
      "containerd://2",
    ]);
  });

  it("sums Pods up: ready containers, one word for their state, restarts", async () => {
    const context = get();
    const { admin, namespace, unique } = context;
    const name = unique("pod");
    const spec = {
      nodeName: "somewhere",
      containers: [
        { name: "a", image: "i" },
        { name: "b", image: "j" },
      ],
    };
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name, namespace }, spec } as KubeObject;
    // The real server wants the namespace's service account first.
    await eventually("creating a Pod", () => admin.create(pods, pod).catch(() => undefined));
    const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
    expect((await tableAt(context, path)).rows[0]?.cells).toEqual([
      name,
      "0/2",
      "Pending",
      "0",
      expect.any(String),
      "<none>",
      "somewhere",
      "<none>",
      "<none>",
    ]);
    const container = { image: "i", imageID: "", restartCount: 0, ready: false };
    const containerStatuses = [
      { ...container, name: "a", ready: true, restartCount: 2, state: { running: {} } },
      { ...container, name: "b", state: { waiting: { reason: "CrashLoopBackOff" } } },
    ];
    const status = { phase: "Running", podIP: "192.0.2.9", podIPs: [{ ip: "192.0.2.9" }], containerStatuses };
    await admin.patch(pods, { namespace, name }, { type: "merge", body: { status } }, { subresource: "status" });
    expect((await tableAt(context, path)).rows[0]?.cells.slice(0, 6)).toEqual([
      name,
      "1/2",
      "CrashLoopBackOff",
      "2",
      expect.any(String),
      "192.0.2.9",
    ]);
    await admin.delete(pods, { namespace, name }, { gracePeriodSeconds: 0 });
  });

  it("prints workloads and their budgets", async () => {
    const context = get();
    const { admin, namespace, unique } = context;
    const name = unique("workload");
    const matchExpressions = [{ key: "tier", operator: "In", values: ["front", "back"] }];
    const containers = [
      { name: "a", image: "one" },
      { name: "b", image: "two" },
    ];
    const template = { metadata: { labels: { app: "x", tier: "front" } }, spec: { containers } };
    const spec = { replicas: 2, selector: { matchLabels: { app: "x" }, matchExpressions }, template };
    const age = expect.any(String);
    const wide = ["a,b", "one,two", "app=x,tier in (back,front)"];
    const row = async (api: string, kind: string, plural: string, body: object) => {
      const path = `/apis/${api}/namespaces/${namespace}/${plural}`;
      await admin.request({ method: "POST", path, body: { apiVersion: api, kind, metadata: { name }, spec: body } });
      return (await tableAt(context, `${path}/${name}`)).rows[0]?.cells;
    };
    expect(await row("apps/v1", "Deployment", "deployments", spec)).toEqual([name, "0/2", 0, 0, age, ...wide]);
    expect(await row("apps/v1", "ReplicaSet", "replicasets", spec)).toEqual([name, 2, 0, 0, age, ...wide]);
    const budget = { minAvailable: "50%", selector: { matchLabels: { app: "x" } } };
    expect(await row("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets", budget)).toEqual([
      name,
      "50%",
      "N/A",
      0,
      age,
    ]);
  });

  it("shortens long lists of an EndpointSlice and says how many more there are", async () => {
    const context = get();
    const { admin, namespace, unique } = context;
    const name = unique("slice");
    const slice = {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { name, namespace },
      addressType: "IPv4",
      ports: [80, 81, 82, 83].map((port) => ({ name: `p${port}`, port })),
      endpoints: [1, 2].map((host) => ({ addresses: [`192.0.2.${host}`] })),
    };
    await admin.create(endpointSlices, slice);
    const { rows } = await tableAt(context, `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices/${name}`);
    expect(rows[0]?.cells).toEqual([name, "IPv4", "80,81,82 + 1 more...", "192.0.2.1,192.0.2.2", expect.any(String)]);
  });

  it("prints Events the same through both of their APIs", async () => {
    const context = get();
    const { admin, namespace, unique } = context;
    const name = unique("event");
    const event = {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name, namespace },
      involvedObject: { kind: "Pod", name: "p", namespace },
      reason: "Because",
      message: "it happened ",
      type: "Warning",
      firstTimestamp: new Date(Date.now() - 3_660_000).toISOString().replace(/\.\d+/, ""),
      lastTimestamp: new Date(Date.now() - 1_830_000).toISOString().replace(/\.\d+/, ""),
      count: 3,
      source: { component: "me", host: "h" },
    };
    await admin.request({ method: "POST", path: `/api/v1/namespaces/${namespace}/events`, body: event });
    const cells = ["30m", "Warning", "Because", "pod/p", "", "me, h", "it happened", "61m", 3, name];
    for (const root of ["/api/v1", "/apis/events.k8s.io/v1"]) {
      const { columnDefinitions, rows } = await tableAt(context, `${root}/namespaces/${namespace}/events/${name}`);
      expect(columnDefinitions?.map((column) => column.name)).toEqual([
        "Last Seen",
        "Type",
        "Reason",
        "Object",
        "Subobject",
        "Source",
        "Message",
        "First Seen",
        "Count",
        "Name",
      ]);
      expect(rows[0]?.cells).toEqual(cells);
    }
  });

  it("prints kinds without columns of their own by the time of creation", async () => {
    const context = get();
    const crds = await tableAt(context, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?limit=1");
    expect(crds.columnDefinitions?.map(({ name, type }) => [name, type])).toEqual([
      ["Name", "string"],
      ["Created At", "date"],
    ]);
    const found = await tableAt(context, `/api/v1/namespaces/${context.namespace}`);
    expect(found.rows[0]?.cells).toEqual([context.namespace, "Active", expect.any(String)]);
  });

  it("streams a watch as tables, with the columns in the first event only", async () => {
    const context = get();
    const { admin, transport, namespace, unique } = context;
    const label = unique("watched");
    for (const name of ["first", "second"])
      await admin.create(configMaps, configMap({ name: `${label}-${name}`, namespace, labels: { label } }));
    const path = `/api/v1/namespaces/${namespace}/configmaps?watch=1&timeoutSeconds=1&labelSelector=label%3D${label}`;
    const answer = await rawRequest(transport, path, { accept: asTable });
    const events = answer.text
      .trim()
      .split("\n")
      .map((line) => z.object({ type: z.string(), object: tableSchema }).parse(JSON.parse(line)));
    expect(
      events.map(({ type, object }) => [type, object.rows[0]?.cells[0], object.columnDefinitions?.length ?? null]),
    ).toEqual([
      ["ADDED", `${label}-first`, 3],
      ["ADDED", `${label}-second`, null],
    ]);
  });

  it("answers with metadata alone when asked for that, and refuses what it does not speak", async () => {
    const { transport, namespace } = get();
    const list = `/api/v1/namespaces/${namespace}/configmaps`;
    const partial = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
    expect((await rawRequest(transport, list, { accept: partial })).json()).toMatchObject({
      kind: "PartialObjectMetadataList",
      apiVersion: "meta.k8s.io/v1",
    });
    for (const accept of [
      "application/json;as=Table;v=v2;g=meta.k8s.io",
      "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
      "text/html",
    ]) {
      const refused = await rawRequest(transport, list, { accept });
      expect([refused.status, refused.json()["reason"]]).toEqual([406, "NotAcceptable"]);
    }
  });
}

const emptyNodeInfo = { bootID: "", kubeProxyVersion: "", machineID: "", operatingSystem: "linux", systemUUID: "" };

function lease(namespace: string, name: string): KubeObject {
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name, namespace },
    spec: { holderIdentity: "me" },
  } as KubeObject;
}

function table(context: ContractContext, { group, version, plural }: Kind) {
  return tableAt(context, `/apis/${group}/${version}/namespaces/${context.namespace}/${plural}`);
}

async function tableAt({ transport }: ContractContext, path: string) {
  return tableSchema.parse((await rawRequest(transport, path, { accept: `${asTable},application/json` })).json());
}
