// Defaults and checks of a pod's specification, shared by Pods and by the templates of Deployments and ReplicaSets.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { duplicate, invalid, notSupported, required } from "../field-cause.ts";
import type { JsonObject } from "../json.ts";
import { objectsAt } from "../json-lists.ts";
import { labelProblems } from "../rest/name-rules.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";

export function podSpecDefaults(spec: JsonObject): JsonObject {
  const containers = (field: string): JsonObject =>
    spec[field] === undefined ? {} : { [field]: objectsAt(spec, field).map(containerDefaults) };
  return {
    ...spec,
    ...containers("initContainers"),
    ...containers("containers"),
    restartPolicy: stringAt(spec, "restartPolicy") || "Always",
    terminationGracePeriodSeconds: spec["terminationGracePeriodSeconds"] ?? 30,
    dnsPolicy: stringAt(spec, "dnsPolicy") || "ClusterFirst",
    securityContext: objectAt(spec, "securityContext"),
    schedulerName: stringAt(spec, "schedulerName") || "default-scheduler",
  };
}

function containerDefaults(container: JsonObject): JsonObject {
  const tag = /:([^/]+)$/.exec(stringAt(container, "image"))?.[1] ?? "latest";
  return {
    ...container,
    ...(container["ports"] === undefined
      ? {}
      : {
          ports: objectsAt(container, "ports").map((port) => ({
            ...port,
            protocol: stringAt(port, "protocol") || "TCP",
          })),
        }),
    resources: objectAt(container, "resources"),
    terminationMessagePath: stringAt(container, "terminationMessagePath") || "/dev/termination-log",
    terminationMessagePolicy: stringAt(container, "terminationMessagePolicy") || "File",
    imagePullPolicy: stringAt(container, "imagePullPolicy") || (tag === "latest" ? "Always" : "IfNotPresent"),
  };
}

export function podSpecCauses(spec: JsonObject, at: string): readonly FieldCause[] {
  const containers = objectsAt(spec, "containers");
  const causes: FieldCause[] = containers.length === 0 ? [required(`${at}.containers`)] : [];
  for (const [index, container] of containers.entries()) {
    const name = stringAt(container, "name");
    const here = `${at}.containers[${index}]`;
    if (name === "") causes.push(required(`${here}.name`));
    else causes.push(...labelProblems(name).map((why) => invalid(`${here}.name`, name, why)));
    if (name !== "" && containers.findIndex((other) => other["name"] === name) < index)
      causes.push(duplicate(`${here}.name`, name));
    if (stringAt(container, "image") === "") causes.push(required(`${here}.image`));
  }
  const policies = ["Always", "OnFailure", "Never"];
  const policy = stringAt(spec, "restartPolicy");
  if (!policies.includes(policy)) causes.push(notSupported(`${at}.restartPolicy`, policy, policies));
  return causes;
}
