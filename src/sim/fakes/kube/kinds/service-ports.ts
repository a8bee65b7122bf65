// What the API server refuses in the ports of a Service.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { duplicate, forbidden, invalid, notSupported, required } from "../field-cause.ts";
import type { Json, JsonObject } from "../json.ts";
import { objectsAt } from "../json-lists.ts";
import { textOf } from "../json-text.ts";
import { labelProblems, qualifiedNameProblems } from "../rest/name-rules.ts";
import { stringAt } from "../schema/json-value.ts";
import { isHeadless, needsAddress, needsNodePorts } from "./service-allocation.ts";

const portRule = "must be between 1 and 65535, inclusive";

export function portsCauses(spec: JsonObject): readonly FieldCause[] {
  const ports = objectsAt(spec, "ports");
  if (ports.length === 0) return isHeadless(spec) || !needsAddress(spec) ? [] : [required("spec.ports")];
  const causes = ports.flatMap((port, index) => portCauses(port, index, ports, spec));
  const seen = new Set<string>();
  for (const [index, { port, protocol }] of ports.entries()) {
    const key = `${textOf(protocol)}/${textOf(port)}`;
    const shown = {
      Name: "",
      Protocol: protocol ?? "",
      AppProtocol: null,
      Port: port ?? 0,
      TargetPort: 0,
      NodePort: 0,
    };
    if (seen.has(key)) causes.push(duplicate(`spec.ports[${index}]`, shown));
    seen.add(key);
  }
  return causes;
}

function portCauses(port: JsonObject, index: number, ports: readonly JsonObject[], spec: JsonObject): FieldCause[] {
  const at = `spec.ports[${index}]`;
  const name = stringAt(port, "name");
  const causes: FieldCause[] = [];
  if (name === "" && ports.length > 1) causes.push(required(`${at}.name`));
  else if (name !== "") {
    causes.push(...labelProblems(name).map((why) => invalid(`${at}.name`, name, why)));
    if (ports.findIndex((other) => other["name"] === name) < index) causes.push(duplicate(`${at}.name`, name));
  }
  if (!isPort(port["port"])) causes.push(invalid(`${at}.port`, port["port"] ?? 0, portRule));
  if (!["SCTP", "TCP", "UDP"].includes(stringAt(port, "protocol"))) {
    causes.push(notSupported(`${at}.protocol`, port["protocol"], ["SCTP", "TCP", "UDP"]));
  }
  const target = port["targetPort"];
  if (typeof target === "number" && !isPort(target)) causes.push(invalid(`${at}.targetPort`, target, portRule));
  if (typeof target === "string")
    causes.push(...portNameProblems(target).map((why) => invalid(`${at}.targetPort`, target, why)));
  const appProtocol = stringAt(port, "appProtocol");
  if (appProtocol !== "")
    causes.push(...qualifiedNameProblems(appProtocol).map((why) => invalid(`${at}.appProtocol`, appProtocol, why)));
  if (port["nodePort"] !== undefined && port["nodePort"] !== 0 && !needsNodePorts(spec)) {
    causes.push(forbidden(`${at}.nodePort`, `may not be used when \`type\` is '${stringAt(spec, "type")}'`));
  }
  return causes;
}

/** A service name as IANA has them. */
export function portNameProblems(name: string): readonly string[] {
  const problems: string[] = [];
  if (name.length > 15) problems.push("must be no more than 15 characters");
  if (!/^[-a-z0-9]+$/.test(name))
    problems.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  if (!/[a-z]/.test(name)) problems.push("must contain at least one letter (a-z)");
  if (name.includes("--")) problems.push("must not contain consecutive hyphens");
  if (name.startsWith("-") || name.endsWith("-")) problems.push("must not begin or end with a hyphen");
  return problems;
}

function isPort(value: Json | undefined): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 65_535;
}
