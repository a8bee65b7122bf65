// The bastion's machine between v1beta1 and v1beta2: a flavor by name or id became a selector, and port security turned around.
// Mainstay runs no bastion; this only keeps what others wrote.

import type { JsonRecord } from "../../../../apis/text/json-path.ts";
import { isRecord } from "../../../../apis/text/problem.ts";

export function toV1beta2Bastion(bastion: JsonRecord): JsonRecord {
  return withMachine(bastion, ({ flavor, flavorID, ports, ...machine }) => ({
    ...machine,
    ...(typeof flavorID === "string"
      ? { flavor: { id: flavorID } }
      : typeof flavor === "string"
        ? { flavor: { filter: { name: flavor } } }
        : {}),
    ...portsOf(ports, "disablePortSecurity", "enablePortSecurity"),
  }));
}

export function fromV1beta2Bastion(bastion: JsonRecord): JsonRecord {
  return withMachine(bastion, ({ flavor, flavorID: _, ports, ...machine }) => {
    const { id, filter } = isRecord(flavor) ? flavor : {};
    const name = isRecord(filter) ? filter["name"] : undefined;
    return {
      ...machine,
      ...(typeof id === "string" ? { flavorID: id } : typeof name === "string" ? { flavor: name } : {}),
      ...portsOf(ports, "enablePortSecurity", "disablePortSecurity"),
    };
  });
}

function withMachine(bastion: JsonRecord, change: (machine: JsonRecord) => JsonRecord): JsonRecord {
  const { spec } = bastion;
  return isRecord(spec) ? { ...bastion, spec: change(spec) } : bastion;
}

function portsOf(ports: unknown, from: string, to: string): JsonRecord {
  if (ports === undefined) return {};
  if (!Array.isArray(ports)) return { ports };
  const turned = ports.map((port: unknown) => {
    if (!isRecord(port)) return port;
    const { [from]: value, [to]: _, ...rest } = port;
    return typeof value === "boolean" ? { ...rest, [to]: !value } : rest;
  });
  return { ports: turned };
}
