// OpenAPI v3: what kubectl explains and validates with.

import { expect, it } from "vitest";
import { z } from "zod";
import type { GetContext } from "../kube-target.ts";
import { serveGadgets } from "./gadget-kind.ts";
import { eventually, rawRequest } from "./raw-request.ts";

const indexSchema = z.object({ paths: z.record(z.string(), z.object({ serverRelativeURL: z.string() })) });
const operation = z.looseObject({
  "x-kubernetes-action": z.string(),
  parameters: z.array(z.looseObject({ name: z.string().optional() })).optional(),
});
const documentSchema = z.object({
  openapi: z.string(),
  paths: z.record(z.string(), z.looseObject({ get: operation.optional(), patch: operation.optional() })),
  components: z.object({ schemas: z.record(z.string(), z.looseObject({})) }),
});

export function openApiBehaviours(get: GetContext): void {
  it("lists an OpenAPI document for each group version, with a hash that lets clients keep it", async () => {
    const index = indexSchema.parse((await rawRequest(get().transport, "/openapi/v3")).json());
    expect(index.paths["api/v1"]?.serverRelativeURL).toMatch(/^\/openapi\/v3\/api\/v1\?hash=[0-9A-F]+$/);
    expect(index.paths["apis/coordination.k8s.io/v1"]?.serverRelativeURL).toMatch(/hash=/);
  });

  it("describes a custom resource in the words of its CRD, with the kind on its schema and its operations", async () => {
    const context = get();
    const { group } = await serveGadgets(context);
    const url = await eventually("the document in the index", async () => {
      const index = indexSchema.parse((await rawRequest(context.transport, "/openapi/v3")).json());
      return index.paths[`apis/${group}/v1`]?.serverRelativeURL;
    });
    const document = documentSchema.parse((await rawRequest(context.transport, url)).json());
    expect(document.openapi).toBe("3.0.0");
    const gvk = { group, version: "v1", kind: "Gadget" };
    const schema = document.components.schemas[`${group.split(".").toReversed().join(".")}.v1.Gadget`];
    expect(schema).toMatchObject({
      description: "Gadget is a thing to test with.",
      type: "object",
      properties: {
        metadata: { allOf: [{ $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" }] },
        spec: {
          description: "What is wanted.",
          required: ["replicas"],
          properties: { replicas: { type: "integer", description: "How many of them." } },
        },
      },
      "x-kubernetes-group-version-kind": [gvk],
    });
    const item = document.paths[`/apis/${group}/v1/namespaces/{namespace}/gadgets/{name}`];
    expect(item?.get).toMatchObject({ "x-kubernetes-action": "get", "x-kubernetes-group-version-kind": gvk });
    expect(item?.patch?.parameters?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["dryRun", "fieldManager", "fieldValidation", "force"]),
    );
    expect(document.paths[`/apis/${group}/v1/gadgets`]?.get).toMatchObject({ "x-kubernetes-action": "list" });
  });

  it("says NotFound to an OpenAPI document of a group that is not served", async () => {
    expect((await rawRequest(get().transport, "/openapi/v3/apis/no-such.example.test/v1")).status).toBe(404);
  });
}
