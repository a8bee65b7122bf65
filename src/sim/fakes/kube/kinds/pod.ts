// Pods as far as clients of the API meet them: defaults, an immutable spec, status through its own door, and deletion that
// waits for a kubelet once the Pod has a node.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { forbidden } from "../field-cause.ts";
import type { JsonObject } from "../json.ts";
import { objectsAt } from "../json-lists.ts";
import { textOf } from "../json-text.ts";
import type { ResourceStrategy } from "../resource.ts";
import { listAt, objectAt, sameJson, stringAt } from "../schema/json-value.ts";
import { podSpecCauses, podSpecDefaults } from "./pod-spec.ts";

const tolerationSeconds = 300;
const unchangeable =
  "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`," +
  "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations)," +
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

export const podStrategy: ResourceStrategy = {
  tracksGeneration: true,
  returnsDeleted: true,
  defaults: (pod) => {
    const spec = podSpecDefaults(objectAt(pod, "spec"));
    return { ...pod, spec: { ...spec, enableServiceLinks: spec["enableServiceLinks"] ?? true } };
  },
  prepare: (pod, old, { subresource }) => {
    if (old === undefined)
      return { ...admitted(pod), status: { phase: "Pending", qosClass: qosClass(objectAt(pod, "spec")) } };
    return subresource === "status" ? withPodIps(pod) : pod;
  },
  validate: (pod, old) => [
    ...podSpecCauses(objectAt(pod, "spec"), "spec"),
    ...(old === undefined ? [] : specChangeCauses(pod, old)),
  ],
  graceSeconds: (pod, asked) => {
    const spec = objectAt(pod, "spec");
    const phase = stringAt(objectAt(pod, "status"), "phase");
    if (stringAt(spec, "nodeName") === "" || phase === "Succeeded" || phase === "Failed") return 0;
    const seconds = asked ?? Number(spec["terminationGracePeriodSeconds"] ?? 30);
    return seconds < 0 ? 1 : seconds;
  },
  selectableFields: (pod) => {
    const spec = objectAt(pod, "spec");
    const status = objectAt(pod, "status");
    return {
      "spec.nodeName": stringAt(spec, "nodeName"),
      "spec.restartPolicy": stringAt(spec, "restartPolicy"),
      "spec.schedulerName": stringAt(spec, "schedulerName"),
      "spec.serviceAccountName": stringAt(spec, "serviceAccountName"),
      "spec.hostNetwork": textOf(spec["hostNetwork"] ?? false),
      "status.phase": stringAt(status, "phase"),
      "status.podIP": stringAt(status, "podIP"),
      "status.podIPs": stringAt(status, "podIP"),
      "status.nominatedNodeName": stringAt(status, "nominatedNodeName"),
    };
  },
};

// What the real server's admission plugins add, but for the token volume, which nobody mounts here.
function admitted(pod: JsonObject): JsonObject {
  const spec = objectAt(pod, "spec");
  const account = stringAt(spec, "serviceAccountName") || "default";
  const added = ["not-ready", "unreachable"].map((word) => ({
    key: `node.kubernetes.io/${word}`,
    operator: "Exists",
    effect: "NoExecute",
    tolerationSeconds,
  }));
  const present = objectsAt(spec, "tolerations");
  const missing = added.filter(
    ({ key }) => !present.some((toleration) => toleration["key"] === key || stringAt(toleration, "key") === ""),
  );
  return {
    ...pod,
    spec: {
      ...spec,
      serviceAccountName: account,
      serviceAccount: account,
      tolerations: [...present, ...missing],
      priority: spec["priority"] ?? 0,
      preemptionPolicy: spec["preemptionPolicy"] ?? "PreemptLowerPriority",
    },
  };
}

function qosClass(spec: JsonObject): string {
  const sets = objectsAt(spec, "containers").map((container) => objectAt(container, "resources"));
  if (sets.every((resources) => Object.keys(resources).length === 0)) return "BestEffort";
  const guaranteed = sets.every((resources) => {
    const limits = objectAt(resources, "limits");
    const requests = resources["requests"] === undefined ? limits : objectAt(resources, "requests");
    return ["cpu", "memory"].every((name) => limits[name] !== undefined && sameJson(limits[name], requests[name]));
  });
  return guaranteed ? "Guaranteed" : "Burstable";
}

function withPodIps(pod: JsonObject): JsonObject {
  const status = objectAt(pod, "status");
  const ip = stringAt(status, "podIP");
  if (ip === "" || listAt(status, "podIPs").length > 0) return pod;
  return { ...pod, status: { ...status, podIPs: [{ ip }] } };
}

function specChangeCauses(pod: JsonObject, old: JsonObject): readonly FieldCause[] {
  return sameJson(fixed(objectAt(pod, "spec")), fixed(objectAt(old, "spec"))) ? [] : [forbidden("spec", unchangeable)];
}

function fixed(spec: JsonObject): JsonObject {
  const {
    activeDeadlineSeconds: _deadline,
    tolerations: _tolerations,
    terminationGracePeriodSeconds: _grace,
    ...rest
  } = spec;
  const imageless = (field: string) => objectsAt(spec, field).map(({ image: _image, ...container }) => container);
  return { ...rest, containers: imageless("containers"), initContainers: imageless("initContainers") };
}
