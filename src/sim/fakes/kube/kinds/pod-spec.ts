// Defaults and checks of a pod's specification, shared by Pods and by the templates of Deployments and ReplicaSets.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { duplicate, invalid, notSupported, required } from "../field-cause.ts";
import type { JsonObject } from "../json.ts";
import { objectsAt } from "../json-lists.ts";
import { labelProblems, subdomainProblems } from "../rest/name-rules.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import { containerCauses } from "./container-validation.ts";

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

const restartPolicies = ["Always", "OnFailure", "Never"];
const dnsPolicies = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
const operators = ["Equal", "Exists"];
const longestDeadline = 2_147_483_647;

export function podSpecCauses(spec: JsonObject, at: string): readonly FieldCause[] {
  const containers = objectsAt(spec, "containers");
  const names = containers.map((container) => stringAt(container, "name"));
  const volumes = objectsAt(spec, "volumes").map((volume) => stringAt(volume, "name"));
  const node = stringAt(spec, "nodeName");
  const deadline = spec["activeDeadlineSeconds"];
  const oneOf = (field: string, words: readonly string[]): readonly FieldCause[] =>
    words.includes(stringAt(spec, field)) ? [] : [notSupported(`${at}.${field}`, stringAt(spec, field), words)];
  return [
    ...volumes.flatMap((name, index) => volumeCauses(name, `${at}.volumes[${index}]`, volumes.slice(0, index))),
    ...(containers.length === 0 ? [required(`${at}.containers`)] : []),
    ...containers.flatMap((container, index) =>
      containerCauses(container, `${at}.containers[${index}]`, names.slice(0, index)),
    ),
    ...oneOf("restartPolicy", restartPolicies),
    ...oneOf("dnsPolicy", dnsPolicies),
    ...(typeof deadline === "number" && (deadline < 1 || deadline > longestDeadline)
      ? [invalid(`${at}.activeDeadlineSeconds`, deadline, `must be between 1 and ${longestDeadline}, inclusive`)]
      : []),
    ...(node === "" ? [] : subdomainProblems(node).map((why) => invalid(`${at}.nodeName`, node, why))),
    ...objectsAt(spec, "tolerations").flatMap((toleration, index) => {
      const operator = stringAt(toleration, "operator") || "Equal";
      return operators.includes(operator)
        ? []
        : [notSupported(`${at}.tolerations[${index}].operator`, operator, operators)];
    }),
  ];
}

function volumeCauses(name: string, at: string, taken: readonly string[]): readonly FieldCause[] {
  if (name === "") return [required(`${at}.name`)];
  const problems = labelProblems(name).map((why) => invalid(`${at}.name`, name, why));
  return taken.includes(name) ? [...problems, duplicate(`${at}.name`, name)] : problems;
}
