// Deployments, ReplicaSets and PodDisruptionBudgets: stored, defaulted and checked; no controller acts on them.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { immutableField, invalid, required } from "../field-cause.ts";
import type { JsonObject } from "../json.ts";
import { textOf } from "../json-text.ts";
import { selects } from "../label-selection.ts";
import type { ResourceStrategy } from "../resource.ts";
import { objectAt, sameJson, stringAt } from "../schema/json-value.ts";
import { podSpecCauses, podSpecDefaults } from "./pod-spec.ts";

export const deploymentStrategy: ResourceStrategy = {
  tracksGeneration: true,
  defaults: (deployment) => {
    const spec = objectAt(deployment, "spec");
    const strategy = objectAt(spec, "strategy");
    const type = stringAt(strategy, "type") || "RollingUpdate";
    const rolling = { maxUnavailable: "25%", maxSurge: "25%", ...objectAt(strategy, "rollingUpdate") };
    return {
      ...deployment,
      spec: {
        ...spec,
        replicas: spec["replicas"] ?? 1,
        template: templateDefaults(objectAt(spec, "template")),
        strategy: type === "RollingUpdate" ? { type, rollingUpdate: rolling } : { ...strategy, type },
        revisionHistoryLimit: spec["revisionHistoryLimit"] ?? 10,
        progressDeadlineSeconds: spec["progressDeadlineSeconds"] ?? 600,
      },
    };
  },
  prepare: (deployment, old) => (old === undefined ? { ...deployment, status: {} } : deployment),
  validate: workloadCauses,
};

export const replicaSetStrategy: ResourceStrategy = {
  tracksGeneration: true,
  defaults: (set) => {
    const spec = objectAt(set, "spec");
    return {
      ...set,
      spec: { ...spec, replicas: spec["replicas"] ?? 1, template: templateDefaults(objectAt(spec, "template")) },
    };
  },
  prepare: (set, old) => (old === undefined ? { ...set, status: { replicas: 0 } } : set),
  validate: workloadCauses,
  selectableFields: (set) => ({ "status.replicas": textOf(objectAt(set, "status")["replicas"] ?? 0) }),
};

export const disruptionBudgetStrategy: ResourceStrategy = {
  tracksGeneration: true,
  needsResourceVersion: true,
  prepare: (budget, old) => {
    const zero = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
    return old === undefined ? { ...budget, status: zero } : budget;
  },
  validate: (budget) => {
    const spec = objectAt(budget, "spec");
    if (spec["minAvailable"] === undefined || spec["maxUnavailable"] === undefined) return [];
    return [invalid("spec", "", "minAvailable and maxUnavailable cannot be both set")];
  },
};

function templateDefaults(template: JsonObject): JsonObject {
  return { ...template, metadata: objectAt(template, "metadata"), spec: podSpecDefaults(objectAt(template, "spec")) };
}

function workloadCauses(object: JsonObject, old: JsonObject | undefined): readonly FieldCause[] {
  const spec = objectAt(object, "spec");
  const selector = objectAt(spec, "selector");
  const template = objectAt(spec, "template");
  const labels = objectAt(objectAt(template, "metadata"), "labels");
  const causes: FieldCause[] = [];
  if (typeof spec["replicas"] === "number" && spec["replicas"] < 0) {
    causes.push(invalid("spec.replicas", spec["replicas"], "must be greater than or equal to 0"));
  }
  if (spec["selector"] === undefined) causes.push(required("spec.selector"));
  else if (Object.keys(selector).length === 0)
    causes.push(invalid("spec.selector", selector, "empty selector is invalid for deployment"));
  else if (!selects(selector, labels)) {
    causes.push(invalid("spec.template.metadata.labels", labels, "`selector` does not match template `labels`"));
  }
  causes.push(...podSpecCauses(objectAt(template, "spec"), "spec.template.spec"));
  if (old !== undefined && !sameJson(selector, objectAt(objectAt(old, "spec"), "selector"))) {
    causes.push(immutableField("spec.selector", selector));
  }
  return causes;
}
