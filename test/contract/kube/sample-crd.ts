// CustomResourceDefinitions for behaviours: built from the schema that matters, installed until the server serves them.

import { setTimeout as sleep } from "node:timers/promises";
import { customResourceDefinitions } from "../../../src/apis/kube/builtin-kinds.ts";
import type { Kind, KubeObject, ObjectMeta } from "../../../src/apis/kube/kube-object.ts";
import { isKubeError } from "../../../src/core/kube-error.ts";
import { present } from "../../../src/core/present.ts";
import type { ContractContext } from "../kube-target.ts";

export interface Custom extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

export interface Crd extends KubeObject {
  readonly spec: Readonly<Record<string, unknown>> & { readonly versions: readonly CrdVersion[] };
  readonly status?: Readonly<Record<string, unknown>>;
}

export interface CrdVersion extends Readonly<Record<string, unknown>> {
  readonly name: string;
}

export const crds = customResourceDefinitions as Kind<Crd>;

type Schema = Readonly<Record<string, unknown>>;

export function version(spec: Schema, more: Readonly<Record<string, unknown>> = {}): CrdVersion {
  const openAPIV3Schema = {
    type: "object",
    properties: { spec, status: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
  };
  return { name: "v1", served: true, storage: true, schema: { openAPIV3Schema }, ...more };
}

/** A CRD of the kind Widget in a group of its own. */
export function widgetCrd(
  context: ContractContext,
  versions: readonly CrdVersion[],
  more: Readonly<Record<string, unknown>> = {},
): Crd {
  const group = `${context.unique("widgets")}.mainstay.test`;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `widgets.${group}` },
    spec: { group, scope: "Namespaced", names: { kind: "Widget", plural: "widgets" }, versions, ...more },
  };
}

export function kindOf(crd: Crd, versionName = "v1"): Kind<Custom> {
  return {
    group: String(crd.spec["group"]),
    version: versionName,
    kind: "Widget",
    plural: "widgets",
    namespaced: crd.spec["scope"] === "Namespaced",
  };
}

/** Creates the CRD and waits until every served version answers. */
export async function install(context: ContractContext, crd: Crd): Promise<Kind<Custom>> {
  await context.admin.create(crds, crd);
  context.cleanup(() => context.admin.delete(crds, { name: crd.metadata.name }));
  const served = crd.spec.versions.filter((one) => one["served"] === true);
  for (const one of served) await untilServed(context, kindOf(crd, one.name));
  return kindOf(crd);
}

/** A Widget kind with one version and the given schema of `spec`. */
export function installSpec(
  context: ContractContext,
  spec: Schema,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Kind<Custom>> {
  return install(context, widgetCrd(context, [version(spec, more)]));
}

export async function untilServed(context: ContractContext, kind: Kind<Custom>): Promise<void> {
  await until(async () => {
    try {
      await context.admin.list(kind, { namespace: context.namespace });
      return true;
    } catch (error) {
      if (isKubeError(error, "NotFound", "KindNotServed")) return false;
      throw error;
    }
  });
}

export async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (await holds()) return;
    await sleep(50);
  }
  throw new Error("the server did not get there in ten seconds");
}

export function widget(kind: Kind, metadata: ObjectMeta, spec?: Readonly<Record<string, unknown>>): Custom {
  return {
    apiVersion: `${kind.group}/${kind.version}`,
    kind: kind.kind,
    metadata,
    ...present({ spec }),
  };
}
