// Nodes: identity in `spec` is set once, everything a kubelet says goes through `status`.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { forbidden } from "../field-cause.ts";
import type { JsonObject } from "../json.ts";
import { objectsAt, stringsAt } from "../json-lists.ts";
import { textOf } from "../json-text.ts";
import type { ResourceStrategy } from "../resource.ts";
import { isJsonObject, objectAt, sameJson, stringAt } from "../schema/json-value.ts";

const emptyStatus: JsonObject = {
  daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
  nodeInfo: {
    machineID: "",
    systemUUID: "",
    bootID: "",
    kernelVersion: "",
    osImage: "",
    containerRuntimeVersion: "",
    kubeletVersion: "",
    kubeProxyVersion: "",
    operatingSystem: "",
    architecture: "",
  },
};

export const nodeStrategy: ResourceStrategy = {
  takesStatusOnCreate: true,
  prepare: (node, old) => {
    const spec = withPodCidrs(objectAt(node, "spec"));
    if (old !== undefined) return { ...node, spec };
    // The real server taints a new node until it has been seen ready.
    const taint = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };
    const taints = objectsAt(spec, "taints");
    const tainted = taints.some(({ key, effect }) => key === taint.key && effect === taint.effect)
      ? taints
      : [...taints, taint];
    return { ...node, spec: { ...spec, taints: tainted }, status: filled(objectAt(node, "status")) };
  },
  validate: (node, old) => (old === undefined ? [] : changeCauses(objectAt(node, "spec"), objectAt(old, "spec"))),
  selectableFields: (node) => ({ "spec.unschedulable": textOf(objectAt(node, "spec")["unschedulable"] ?? false) }),
};

function filled(status: JsonObject): JsonObject {
  const parts = Object.entries(emptyStatus).map(([name, empty]): readonly [string, JsonObject] => [
    name,
    { ...(isJsonObject(empty) ? empty : {}), ...objectAt(status, name) },
  ]);
  return { ...status, ...Object.fromEntries(parts) };
}

function withPodCidrs(spec: JsonObject): JsonObject {
  const single = stringAt(spec, "podCIDR");
  const list = stringsAt(spec, "podCIDRs");
  if (single !== "" && list[0] !== single) return { ...spec, podCIDRs: [single, ...list.slice(1)] };
  return spec;
}

function changeCauses(spec: JsonObject, before: JsonObject): readonly FieldCause[] {
  const causes: FieldCause[] = [];
  if (stringAt(before, "podCIDR") !== "" && !sameJson(spec["podCIDRs"], before["podCIDRs"])) {
    causes.push(forbidden("spec.podCIDRs", 'node updates may not change podCIDR except from "" to valid'));
  }
  if (stringAt(before, "providerID") !== "" && spec["providerID"] !== before["providerID"]) {
    causes.push(forbidden("spec.providerID", 'node updates may not change providerID except from "" to valid'));
  }
  return causes;
}
