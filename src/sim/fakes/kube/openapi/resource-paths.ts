// One resource's paths: which operations there are, on what kind, with which parameters and bodies.

import { type ServedResource, subresourcesOf, verbsOf } from "../discovery/api-resources.ts";
import type { JsonObject } from "../json.ts";
import { objectSchemaName } from "./resource-schemas.ts";
import { patchBody, reference, scale, schemaName } from "./schema-names.ts";

interface Operation {
  readonly action: string;
  readonly method: string;
  readonly body?: "object" | "patch";
  readonly answers: string;
}

const writeParameters = ["dryRun", "fieldManager", "fieldValidation"];
const parametersOf: Readonly<Record<string, readonly string[]>> = {
  list: [
    "allowWatchBookmarks",
    "continue",
    "fieldSelector",
    "labelSelector",
    "limit",
    "resourceVersion",
    "resourceVersionMatch",
    "sendInitialEvents",
    "timeoutSeconds",
    "watch",
  ],
  post: writeParameters,
  put: writeParameters,
  patch: [...writeParameters, "force"],
  delete: ["dryRun", "gracePeriodSeconds", "orphanDependents", "propagationPolicy"],
  deletecollection: [
    "continue",
    "dryRun",
    "fieldSelector",
    "labelSelector",
    "limit",
    "propagationPolicy",
    "resourceVersion",
  ],
};
const booleans = ["allowWatchBookmarks", "force", "orphanDependents", "sendInitialEvents", "watch"];
const integers = ["gracePeriodSeconds", "limit", "timeoutSeconds"];

export function resourcePaths(served: ServedResource): JsonObject {
  const { resource, version } = served;
  const root = resource.group === "" ? `/api/${version.name}` : `/apis/${resource.group}/${version.name}`;
  const home = resource.namespaced ? `${root}/namespaces/{namespace}/${resource.plural}` : `${root}/${resource.plural}`;
  const verbs = verbsOf(resource);
  const own = objectSchemaName(served);
  const list = { action: "list", method: "get", answers: schemaName(served, resource.listKind) };
  const many: readonly (Operation | false)[] = [
    verbs.includes("list") && list,
    verbs.includes("create") && { action: "post", method: "post", body: "object", answers: own },
    verbs.includes("deletecollection") && { action: "deletecollection", method: "delete", answers: own },
  ];
  // Nobody explains or patches a request for a token: the documents go without it.
  const described = subresourcesOf(served).filter(({ name }) => name !== "token");
  const parts = described.map(({ name, group, version: of, kind }) => {
    const answers = name === "scale" ? scale : own;
    return [`${home}/{name}/${name}`, pathItem(served, single(answers, false), { group, version: of, kind })] as const;
  });
  const paths = [
    [home, pathItem(served, many)] as const,
    ...(verbs.includes("get")
      ? [[`${home}/{name}`, pathItem(served, single(own, verbs.includes("delete")))] as const]
      : []),
    ...parts,
    ...(resource.namespaced && verbs.includes("list")
      ? [[`${root}/${resource.plural}`, pathItem(served, [list])] as const]
      : []),
  ];
  return Object.fromEntries(paths);
}

function single(answers: string, deletable: boolean): readonly (Operation | false)[] {
  return [
    { action: "get", method: "get", answers },
    { action: "put", method: "put", body: "object", answers },
    { action: "patch", method: "patch", body: "patch", answers },
    deletable && { action: "delete", method: "delete", answers },
  ];
}

function pathItem(served: ServedResource, operations: readonly (Operation | false)[], kind?: JsonObject): JsonObject {
  const { resource, version } = served;
  const groupVersionKind = kind ?? { group: resource.group, version: version.name, kind: resource.kind };
  const entries = operations.flatMap((operation) => {
    if (operation === false) return [];
    const { action, method, answers } = operation;
    const described = {
      description: `${action} ${resource.kind}`,
      parameters: (parametersOf[action] ?? []).map(parameter),
      ...bodyOf(operation, resource.crd === undefined),
      responses: { "200": { description: "OK", content: content(["application/json", "application/yaml"], answers) } },
      "x-kubernetes-action": action,
      "x-kubernetes-group-version-kind": groupVersionKind,
    };
    return [[method, described] as const];
  });
  return Object.fromEntries(entries);
}

function bodyOf({ body, answers }: Operation, strategic: boolean): JsonObject {
  if (body === undefined) return {};
  if (body === "object") return { requestBody: { content: content(["application/json"], answers), required: true } };
  const types = [
    "apply-patch+yaml",
    "json-patch+json",
    "merge-patch+json",
    ...(strategic ? ["strategic-merge-patch+json"] : []),
  ];
  return {
    requestBody: {
      content: content(
        types.map((type) => `application/${type}`),
        patchBody,
      ),
      required: true,
    },
  };
}

function content(types: readonly string[], schema: string): JsonObject {
  return Object.fromEntries(types.map((type) => [type, { schema: reference(schema) }]));
}

function parameter(name: string): JsonObject {
  const type = booleans.includes(name) ? "boolean" : integers.includes(name) ? "integer" : "string";
  return { name, in: "query", schema: { type, uniqueItems: true } };
}
