// What a client learns about the API by asking: groups, versions, resources, and schemas.

import { expect, it } from "vitest";
import { customResourceDefinitions } from "../../../src/apis/kube/builtin-kinds.ts";
import type { GetContext } from "../kube-target.ts";
import { gadgetCrd, gadgetVersion, serveGadgets } from "./gadget-kind.ts";
import { openApiBehaviours } from "./openapi.ts";
import { eventually, rawRequest } from "./raw-request.ts";

const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const everyVerb = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

export function discoveryBehaviours(get: GetContext): void {
  it("lists the core group under /api", async () => {
    const { admin } = get();
    expect(await admin.request({ method: "GET", path: "/api" })).toMatchObject({
      kind: "APIVersions",
      versions: ["v1"],
    });
  });

  it("lists every other group under /apis with the version it prefers", async () => {
    const list = await get().admin.request({ method: "GET", path: "/apis" });
    expect(list).toMatchObject({ kind: "APIGroupList", apiVersion: "v1" });
    for (const name of [
      "coordination.k8s.io",
      "discovery.k8s.io",
      "events.k8s.io",
      "apiextensions.k8s.io",
      "rbac.authorization.k8s.io",
      "admissionregistration.k8s.io",
      "authentication.k8s.io",
      "authorization.k8s.io",
    ]) {
      const version = { groupVersion: `${name}/v1`, version: "v1" };
      const group = expect.objectContaining({ name, versions: [version], preferredVersion: version });
      expect(list).toMatchObject({ groups: expect.arrayContaining([group]) });
    }
  });

  it("describes the resources of the core group with verbs, short names and subresources", async () => {
    const list = await get().admin.request({ method: "GET", path: "/api/v1" });
    expect(list).toMatchObject({ kind: "APIResourceList", groupVersion: "v1" });
    const resource = (fields: object) => expect.objectContaining(fields);
    expect(list).toMatchObject({
      resources: expect.arrayContaining([
        resource({
          name: "services",
          singularName: "service",
          namespaced: true,
          kind: "Service",
          shortNames: ["svc"],
          categories: ["all"],
        }),
        resource({
          name: "services/status",
          singularName: "",
          namespaced: true,
          kind: "Service",
          verbs: ["get", "patch", "update"],
        }),
        resource({
          name: "nodes",
          singularName: "node",
          namespaced: false,
          kind: "Node",
          shortNames: ["no"],
          verbs: everyVerb,
        }),
        resource({
          name: "namespaces",
          namespaced: false,
          verbs: everyVerb.filter((verb) => verb !== "deletecollection"),
        }),
        resource({ name: "namespaces/finalize", kind: "Namespace", verbs: ["update"] }),
        resource({ name: "configmaps", shortNames: ["cm"], verbs: everyVerb }),
        resource({ name: "events", kind: "Event", shortNames: ["ev"] }),
      ]),
    });
  });

  it("offers reviews for creating and nothing else", async () => {
    const path = "/apis/authorization.k8s.io/v1";
    const list = await get().admin.request({ method: "GET", path });
    const review = expect.objectContaining({ name: "selfsubjectaccessreviews", namespaced: false, verbs: ["create"] });
    const local = expect.objectContaining({ name: "localsubjectaccessreviews", namespaced: true, verbs: ["create"] });
    expect(list).toMatchObject({ resources: expect.arrayContaining([review, local]) });
  });

  it("says NotFound to a group and to a version that are not served", async () => {
    const { transport } = get();
    expect((await rawRequest(transport, "/apis/no-such.example.test")).status).toBe(404);
    expect((await rawRequest(transport, "/apis/coordination.k8s.io/v9")).status).toBe(404);
  });

  it("shows a new custom resource with its names, its status and its scale, and forgets it with its CRD", async () => {
    const context = get();
    const { admin, transport } = context;
    const { group } = await serveGadgets(context);
    const list = await eventually("discovery of the new group", async () => {
      const answer = await rawRequest(transport, `/apis/${group}/v1`);
      return answer.status === 200 ? answer.json() : undefined;
    });
    expect(list).toMatchObject({ kind: "APIResourceList", groupVersion: `${group}/v1` });
    const names = {
      singularName: "gadget",
      shortNames: ["gd"],
      categories: ["contraptions"],
      kind: "Gadget",
      namespaced: true,
    };
    const [own, ...parts] = resourcesOf(list);
    expect(own).toMatchObject({ name: "gadgets", ...names });
    expect(new Set(stringsOf(own?.["verbs"]))).toEqual(new Set(everyVerb));
    const verbs = ["get", "patch", "update"];
    expect(parts).toEqual([
      { name: "gadgets/status", singularName: "", namespaced: true, kind: "Gadget", verbs },
      {
        name: "gadgets/scale",
        singularName: "",
        namespaced: true,
        group: "autoscaling",
        version: "v1",
        kind: "Scale",
        verbs,
      },
    ]);
    await admin.delete(customResourceDefinitions, { name: `gadgets.${group}` });
    await eventually("forgetting the group", async () => {
      const { status } = await rawRequest(transport, `/apis/${group}/v1`);
      return status === 404 || undefined;
    });
  });

  it("orders versions by stability and number, the preferred one first", async () => {
    const context = get();
    const versions = ["v1alpha1", "v1beta2", "v10", "v1", "v2beta1", "v11alpha2"];
    const { group } = await serveGadgets(context, (name) =>
      gadgetCrd(
        name,
        versions.map((version) => gadgetVersion(version, version === "v1")),
      ),
    );
    const sorted = ["v10", "v1", "v2beta1", "v1beta2", "v11alpha2", "v1alpha1"];
    const answer = await eventually("the group with all versions", async () => {
      const tried = await rawRequest(context.transport, `/apis/${group}`);
      return tried.status === 200 ? tried.json() : undefined;
    });
    expect(answer).toMatchObject({
      kind: "APIGroup",
      versions: sorted.map((version) => ({ groupVersion: `${group}/${version}`, version })),
      preferredVersion: { groupVersion: `${group}/v10`, version: "v10" },
    });
  });

  it("tells everything at once to a client that asks for aggregated discovery, and says so in the content type", async () => {
    const context = get();
    const { group } = await serveGadgets(context);
    const answer = await eventually("the group in aggregated discovery", async () => {
      const tried = await rawRequest(context.transport, "/apis", { accept: `${aggregated},application/json` });
      return tried.text.includes(group) ? tried : undefined;
    });
    expect(answer.headers["content-type"]).toBe(aggregated);
    const responseKind = { group, version: "v1", kind: "Gadget" };
    const verbs = ["get", "patch", "update"];
    const gadgets = {
      resource: "gadgets",
      responseKind,
      scope: "Namespaced",
      singularResource: "gadget",
      verbs: expect.arrayContaining(everyVerb),
      shortNames: ["gd"],
      categories: ["contraptions"],
      subresources: [
        { subresource: "status", responseKind, verbs },
        { subresource: "scale", responseKind: { group: "autoscaling", version: "v1", kind: "Scale" }, verbs },
      ],
    };
    const mine = {
      metadata: { name: group },
      versions: [{ version: "v1", resources: [gadgets], freshness: "Current" }],
    };
    expect(answer.json()).toMatchObject({
      kind: "APIGroupDiscoveryList",
      apiVersion: "apidiscovery.k8s.io/v2",
      items: expect.arrayContaining([expect.objectContaining(mine)]),
    });
  });

  it("has the core group alone, without a name, in aggregated discovery of /api", async () => {
    const answer = await rawRequest(get().transport, "/api", { accept: aggregated });
    expect(answer.headers["content-type"]).toBe(aggregated);
    const body = answer.json();
    expect(body).toMatchObject({ kind: "APIGroupDiscoveryList", items: [{ versions: [{ version: "v1" }] }] });
    expect(body["items"]).toMatchObject([{ metadata: {} }]);
    expect(JSON.stringify(body)).toContain('"resource":"configmaps"');
  });

  openApiBehaviours(get);
}

function resourcesOf(list: Record<string, unknown>): readonly Record<string, unknown>[] {
  const { resources } = list;
  if (!Array.isArray(resources)) return [];
  return resources.map(({ storageVersionHash: _, ...rest }: Record<string, unknown>) => rest);
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
