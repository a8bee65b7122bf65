// A custom kind with everything discovery, tables and explain can show of one: short names, categories, status, scale, columns.

import { customResourceDefinitions } from "../../../src/apis/kube/builtin-kinds.ts";
import type { Kind, KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { isKubeError } from "../../../src/core/kube-error.ts";
import { present } from "../../../src/core/present.ts";
import type { ContractContext } from "../kube-target.ts";
import { eventually } from "./raw-request.ts";

export interface Gadget extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

const schema = {
  type: "object",
  description: "Gadget is a thing to test with.",
  properties: {
    spec: {
      type: "object",
      description: "What is wanted.",
      required: ["replicas"],
      properties: {
        replicas: { type: "integer", description: "How many of them." },
        since: { type: "string", format: "date-time" },
        colours: { type: "array", items: { type: "string" }, description: "In no order." },
        ratio: { type: "number" },
        enabled: { type: "boolean" },
        notes: { type: "object", additionalProperties: { type: "string" } },
      },
    },
    status: {
      type: "object",
      properties: {
        replicas: { type: "integer" },
        selector: { type: "string" },
        conditions: { type: "array", items: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    },
  },
};

const columns = [
  { name: "Replicas", type: "integer", jsonPath: ".spec.replicas", description: "Wanted." },
  { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: "Since", type: "date", jsonPath: ".spec.since" },
  { name: "Colours", type: "string", jsonPath: ".spec.colours", priority: 1 },
  { name: "First", type: "string", jsonPath: ".spec.colours[0]", priority: 1 },
  { name: "Any", type: "string", jsonPath: ".spec.colours[*]", priority: 1 },
  { name: "Ratio", type: "number", jsonPath: ".spec.ratio", priority: 1 },
  { name: "Enabled", type: "boolean", jsonPath: ".spec.enabled", priority: 1 },
  { name: "Notes", type: "string", jsonPath: ".spec.notes", priority: 1 },
  { name: "Mark", type: "string", jsonPath: ".metadata.annotations.example\\.test/mark", priority: 1 },
];

export function gadgetKind(group: string, version = "v1"): Kind<Gadget> {
  return { group, version, kind: "Gadget", plural: "gadgets", namespaced: true };
}

export function gadgetCrd(
  group: string,
  versions: readonly object[] = [gadgetVersion("v1", true)],
  conversion?: object,
): KubeObject {
  const names = {
    kind: "Gadget",
    plural: "gadgets",
    singular: "gadget",
    shortNames: ["gd"],
    categories: ["contraptions"],
  };
  const spec = { group, scope: "Namespaced", names, versions, ...present({ conversion }) };
  const metadata = { name: `gadgets.${group}` };
  return { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata, spec } as KubeObject;
}

export function gadgetVersion(name: string, storage: boolean): object {
  const scale = {
    specReplicasPath: ".spec.replicas",
    statusReplicasPath: ".status.replicas",
    labelSelectorPath: ".status.selector",
  };
  return {
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: schema },
    subresources: { status: {}, scale },
    additionalPrinterColumns: columns,
  };
}

/** Creates the CRD in a group of its own and waits until it is served. */
export async function serveGadgets(
  { admin, unique, cleanup }: ContractContext,
  crd: (group: string) => KubeObject = gadgetCrd,
): Promise<Kind<Gadget>> {
  const group = `${unique("g")}.example.test`;
  const created = await admin.create(customResourceDefinitions, crd(group));
  cleanup(() => admin.delete(customResourceDefinitions, { name: created.metadata.name }));
  const kind = gadgetKind(group);
  await eventually(`serving ${kind.plural}.${group}`, async () => {
    try {
      return await admin.list(kind, { limit: 1 });
    } catch (error) {
      if (isKubeError(error, "KindNotServed", "NotFound")) return undefined;
      throw error;
    }
  });
  return kind;
}

export function gadget(kind: Kind, namespace: string, name: string, rest: Partial<Gadget> = {}): Gadget {
  const metadata = { name, namespace, ...rest.metadata };
  return { apiVersion: `${kind.group}/${kind.version}`, kind: "Gadget", spec: { replicas: 1 }, ...rest, metadata };
}
