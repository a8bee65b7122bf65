// The kinds the server has without any CRD.

import type { Random } from "../../../../ports/random.ts";
import type { JsonObject } from "../json.ts";
import type { ResourceDefinition, ResourceStrategy, ResourceVersionDefinition } from "../resource.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { builtinSchema, hasBuiltinSchema } from "./builtin-schemas.ts";
import { configMapStrategy, secretStrategy } from "./config-data.ts";
import { crdStrategy } from "./custom-resource-definition.ts";
import { endpointSliceStrategy } from "./endpoint-slice.ts";
import { coreEventStrategy, eventStorage, newEventStrategy } from "./event.ts";
import { leaseStrategy } from "./lease.ts";
import { namespaceStrategy } from "./namespace.ts";
import { nodeStrategy } from "./node.ts";
import { podStrategy } from "./pod.ts";
import { bindingStrategy, roleStrategy } from "./rbac.ts";
import { serviceStrategy } from "./service.ts";
import { serviceRanges } from "./service-ranges.ts";
import { webhookConfigurationStrategy } from "./webhook-configuration.ts";
import { deploymentStrategy, disruptionBudgetStrategy, replicaSetStrategy } from "./workload.ts";

export interface BuiltinOptions {
  readonly store: ObjectStore;
  readonly random: Random;
  readonly serviceCidr: string;
  readonly nodePortRange: readonly [first: number, last: number];
  readonly otherCrds: () => readonly JsonObject[];
}

const scale = {
  specReplicasPath: ".spec.replicas",
  statusReplicasPath: ".status.replicas",
  labelSelectorPath: ".spec.selector",
};

// Namespaces cannot be deleted as a collection.
const namespaceVerbs = ["create", "delete", "get", "list", "patch", "update", "watch"];

interface Traits {
  readonly status?: boolean;
  readonly cluster?: boolean;
  readonly short?: readonly string[];
  readonly categories?: readonly string[];
  readonly scale?: ResourceVersionDefinition["scale"];
  readonly tokens?: boolean;
  readonly verbs?: readonly string[];
  readonly storedAs?: string;
}

export function builtinResources({
  store,
  random,
  serviceCidr,
  nodePortRange,
  otherCrds,
}: BuiltinOptions): readonly ResourceDefinition[] {
  const services = serviceStrategy(serviceRanges(store, random, serviceCidr, nodePortRange));
  const rbac = "rbac.authorization.k8s.io";
  const admission = "admissionregistration.k8s.io";
  const review = { cluster: true, verbs: ["create"] };
  return [
    builtin("", "Namespace", "namespaces", namespaceStrategy, {
      cluster: true,
      status: true,
      short: ["ns"],
      verbs: namespaceVerbs,
    }),
    builtin("", "Node", "nodes", nodeStrategy, { cluster: true, status: true, short: ["no"] }),
    builtin("", "Pod", "pods", podStrategy, { status: true, short: ["po"], categories: ["all"] }),
    builtin("", "Service", "services", services, { status: true, short: ["svc"], categories: ["all"] }),
    builtin("", "Secret", "secrets", secretStrategy),
    builtin("", "ConfigMap", "configmaps", configMapStrategy, { short: ["cm"] }),
    builtin("", "ServiceAccount", "serviceaccounts", { returnsDeleted: true }, { short: ["sa"], tokens: true }),
    builtin("", "Event", "events", coreEventStrategy, { short: ["ev"] }),
    builtin("events.k8s.io", "Event", "events", newEventStrategy, { short: ["ev"], storedAs: eventStorage }),
    builtin("discovery.k8s.io", "EndpointSlice", "endpointslices", endpointSliceStrategy),
    builtin("coordination.k8s.io", "Lease", "leases", leaseStrategy),
    builtin("apps", "Deployment", "deployments", deploymentStrategy, {
      status: true,
      scale,
      short: ["deploy"],
      categories: ["all"],
    }),
    builtin("apps", "ReplicaSet", "replicasets", replicaSetStrategy, {
      status: true,
      scale,
      short: ["rs"],
      categories: ["all"],
    }),
    builtin("policy", "PodDisruptionBudget", "poddisruptionbudgets", disruptionBudgetStrategy, {
      status: true,
      short: ["pdb"],
    }),
    builtin(rbac, "Role", "roles", roleStrategy),
    builtin(rbac, "RoleBinding", "rolebindings", bindingStrategy),
    builtin(rbac, "ClusterRole", "clusterroles", roleStrategy, { cluster: true }),
    builtin(rbac, "ClusterRoleBinding", "clusterrolebindings", bindingStrategy, { cluster: true }),
    builtin("apiextensions.k8s.io", "CustomResourceDefinition", "customresourcedefinitions", crdStrategy(otherCrds), {
      cluster: true,
      status: true,
      short: ["crd", "crds"],
      categories: ["api-extensions"],
    }),
    builtin(
      admission,
      "ValidatingWebhookConfiguration",
      "validatingwebhookconfigurations",
      webhookConfigurationStrategy,
      {
        cluster: true,
        categories: ["api-extensions"],
      },
    ),
    builtin(admission, "MutatingWebhookConfiguration", "mutatingwebhookconfigurations", webhookConfigurationStrategy, {
      cluster: true,
      categories: ["api-extensions"],
    }),
    builtin("authentication.k8s.io", "TokenReview", "tokenreviews", {}, review),
    builtin("authentication.k8s.io", "SelfSubjectReview", "selfsubjectreviews", {}, review),
    builtin("authorization.k8s.io", "SubjectAccessReview", "subjectaccessreviews", {}, review),
    builtin("authorization.k8s.io", "SelfSubjectAccessReview", "selfsubjectaccessreviews", {}, review),
    builtin("authorization.k8s.io", "SelfSubjectRulesReview", "selfsubjectrulesreviews", {}, review),
    builtin("authorization.k8s.io", "LocalSubjectAccessReview", "localsubjectaccessreviews", {}, { verbs: ["create"] }),
  ];
}

function builtin(
  group: string,
  kind: string,
  plural: string,
  strategy: ResourceStrategy,
  traits: Traits = {},
): ResourceDefinition {
  return {
    group,
    kind,
    listKind: `${kind}List`,
    plural,
    singular: kind.toLowerCase(),
    shortNames: traits.short ?? [],
    categories: traits.categories ?? [],
    namespaced: traits.cluster !== true,
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        // Reviews are answered and forgotten: a few of them go without a schema.
        schema: hasBuiltinSchema(group, "v1", kind) ? builtinSchema(group, "v1", kind) : { type: "object" },
        columns: [],
        hasStatus: traits.status === true,
        ...(traits.scale === undefined ? {} : { scale: traits.scale }),
        ...(traits.tokens === true ? { issuesTokens: true } : {}),
      },
    ],
    ...(traits.verbs === undefined ? {} : { verbs: traits.verbs }),
    ...(traits.storedAs === undefined ? {} : { storedAs: traits.storedAs }),
    strategy,
  };
}
