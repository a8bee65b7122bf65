// What a container must be: the checks that a template written by a person or a program is likely to fail.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { duplicate, invalid, notSupported, required } from "../field-cause.ts";
import type { Json, JsonObject } from "../json.ts";
import { objectsAt } from "../json-lists.ts";
import { textOf } from "../json-text.ts";
import { labelProblems } from "../rest/name-rules.ts";
import { parseQuantity } from "../schema/cel/quantity.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import { portNameProblems } from "./service-ports.ts";

const pullPolicies = ["Always", "IfNotPresent", "Never"];
const protocols = ["SCTP", "TCP", "UDP"];
const portRange = "must be between 1 and 65535, inclusive";

/** `taken` are the names of the containers before. */
export function containerCauses(container: JsonObject, at: string, taken: readonly string[]): readonly FieldCause[] {
  const name = stringAt(container, "name");
  const image = stringAt(container, "image");
  const policy = stringAt(container, "imagePullPolicy");
  return [
    ...(name === "" ? [required(`${at}.name`)] : labelProblems(name).map((why) => invalid(`${at}.name`, name, why))),
    ...(name !== "" && taken.includes(name) ? [duplicate(`${at}.name`, name)] : []),
    ...(image === "" ? [required(`${at}.image`)] : []),
    ...(image === image.trim() ? [] : [invalid(`${at}.image`, image, "must not have leading or trailing whitespace")]),
    ...portCauses(objectsAt(container, "ports"), `${at}.ports`),
    ...objectsAt(container, "env").flatMap((variable, index) =>
      stringAt(variable, "name") === "" ? [required(`${at}.env[${index}].name`)] : [],
    ),
    ...(pullPolicies.includes(policy) ? [] : [notSupported(`${at}.imagePullPolicy`, policy, pullPolicies)]),
    ...resourceCauses(objectAt(container, "resources"), `${at}.resources`),
  ];
}

function portCauses(ports: readonly JsonObject[], list: string): readonly FieldCause[] {
  const names = ports.map((port) => stringAt(port, "name"));
  return ports.flatMap((port, index) => {
    const at = `${list}[${index}]`;
    const name = names[index] ?? "";
    const number = Number(port["containerPort"] ?? 0);
    const protocol = stringAt(port, "protocol");
    const named =
      name === ""
        ? []
        : [
            ...portNameProblems(name).map((why) => invalid(`${at}.name`, name, why)),
            ...(portNameProblems(name).length === 0 && names.indexOf(name) < index
              ? [duplicate(`${at}.name`, name)]
              : []),
          ];
    return [
      ...named,
      ...(number === 0 ? [required(`${at}.containerPort`)] : portNumberCauses(`${at}.containerPort`, number)),
      ...(port["hostPort"] === undefined ? [] : portNumberCauses(`${at}.hostPort`, Number(port["hostPort"]))),
      ...(protocols.includes(protocol) ? [] : [notSupported(`${at}.protocol`, protocol, protocols)]),
    ];
  });
}

function portNumberCauses(at: string, number: number): readonly FieldCause[] {
  return number >= 1 && number <= 65_535 ? [] : [invalid(at, number, portRange)];
}

function resourceCauses(resources: JsonObject, at: string): readonly FieldCause[] {
  const limits = objectAt(resources, "limits");
  return Object.entries(objectAt(resources, "requests")).flatMap(([name, request]) => {
    const limit = limits[name];
    if (limit === undefined || !exceeds(request, limit)) return [];
    const why = `must be less than or equal to ${name} limit of ${textOf(limit)}`;
    return [invalid(`${at}.requests`, textOf(request ?? ""), why)];
  });
}

function exceeds(request: Json | undefined, limit: Json): boolean {
  const [asked, most] = [parseQuantity(textOf(request ?? "")), parseQuantity(textOf(limit))];
  return asked !== undefined && most !== undefined && asked.nanos > most.nanos;
}
