// Decodes what a controller of ch-k8s-lbaas signs, as the reference's agent does: names in any case, null for anything, unknown fields
// ignored; a value of a wrong type is a malformed token, and a wrong value is named in the words of the reference's validator.

import { isRecord } from "../../../../apis/text/problem.ts";
import { familyOf, parseCidr } from "../../../../core/net/ip.ts";
import type {
  LbaasAllowed,
  LbaasConfig,
  LbaasForward,
  LbaasIngress,
  LbaasPolicy,
  LbaasPortFilter,
} from "./lbaas-config.ts";

export type DecodedLbaas =
  | { readonly ok: true; readonly config: LbaasConfig }
  /** Empty: a value has a wrong type, which the reference answers without words. */
  | { readonly ok: false; readonly problems: readonly string[] };

export function decodeLbaas(value: unknown): DecodedLbaas {
  const problems: string[] = [];
  const fail = (path: string, tag: string): void => {
    const field = path.replace(/^.*\./, "");
    problems.push(`Key: '${path}' Error:Field validation for '${field}' failed on the '${tag}' tag`);
  };
  try {
    const config = configOf(new Reader(value, "LoadBalancer", fail));
    return problems.length === 0 ? { ok: true, config } : { ok: false, problems };
  } catch (error) {
    if (error instanceof WrongType) return { ok: false, problems: [] };
    throw error;
  }
}

class WrongType extends Error {}

/** One object of the reference's, whose fields have a name on the wire and one in its messages. */
class Reader {
  readonly #fields: ReadonlyMap<string, unknown>;
  readonly path: string;
  readonly #fail: (path: string, tag: string) => void;

  constructor(value: unknown, path: string, fail: (path: string, tag: string) => void) {
    if (value !== undefined && value !== null && !isRecord(value)) throw new WrongType(path);
    this.#fields = new Map(Object.entries(value ?? {}).map(([name, field]) => [name.toLowerCase(), field]));
    this.path = path;
    this.#fail = fail;
  }

  text(name: string, shown: string, rules: Readonly<Record<string, (text: string) => boolean>> = {}): string {
    const value = this.#fields.get(name) ?? "";
    return checkedText(value, `${this.path}.${shown}`, rules, this.#fail);
  }

  /** Absent and null are 0. */
  port(name: string, shown: string): number {
    return this.optionalPort(name, shown) ?? 0;
  }

  optionalPort(name: string, shown: string): number | undefined {
    const value = this.#fields.get(name) ?? undefined;
    if (value === undefined) return undefined;
    if (typeof value !== "number" || !Number.isInteger(value)) throw new WrongType(this.path);
    if (value < 0) this.#fail(`${this.path}.${shown}`, "min");
    if (value > 65_535) this.#fail(`${this.path}.${shown}`, "max");
    return value;
  }

  objects<T>(name: string, shown: string, read: (reader: Reader) => T): readonly T[] {
    return this.#list(name).map((value, index) =>
      read(new Reader(value, `${this.path}.${shown}[${index}]`, this.#fail)),
    );
  }

  texts(name: string, shown: string, rules: Readonly<Record<string, (text: string) => boolean>>): readonly string[] {
    return this.#list(name).map((value, index) =>
      checkedText(value ?? "", `${this.path}.${shown}[${index}]`, rules, this.#fail),
    );
  }

  fail(shown: string, tag: string): void {
    this.#fail(`${this.path}.${shown}`, tag);
  }

  #list(name: string): readonly unknown[] {
    const value = this.#fields.get(name) ?? [];
    if (!Array.isArray(value)) throw new WrongType(this.path);
    return value;
  }
}

function checkedText(
  value: unknown,
  path: string,
  rules: Readonly<Record<string, (text: string) => boolean>>,
  fail: (path: string, tag: string) => void,
): string {
  if (typeof value !== "string") throw new WrongType(path);
  const broken = Object.entries(rules).find(([, holds]) => !holds(value));
  if (broken !== undefined) fail(path, broken[0]);
  return value;
}

const required = (text: string): boolean => text !== "";
const address = { required, ip: (text: string) => familyOf(text) !== undefined };
const cidr = { required, cidr: (text: string) => text.includes("/") && parseCidr(text) !== undefined };
const isProtocol = (text: string): text is "TCP" | "UDP" => text === "TCP" || text === "UDP";
const protocol = { required, oneof: isProtocol };

function configOf(reader: Reader): LbaasConfig {
  return {
    ingress: reader.objects("ingress", "Ingress", ingressOf),
    policies: reader.objects("network-policies", "NetworkPolicies", policyOf),
    assignments: reader.objects("policy-assignments", "PolicyAssignments", (assignment) => ({
      address: assignment.text("address", "Address", address),
      policies: assignment.texts("network-policies", "PolicyNames", {}),
    })),
  };
}

function ingressOf(reader: Reader): LbaasIngress {
  return { address: reader.text("address", "Address", address), ports: reader.objects("ports", "Ports", forwardOf) };
}

function forwardOf(reader: Reader): LbaasForward {
  return {
    protocol: protocolOf(reader),
    inboundPort: reader.port("inbound-port", "InboundPort"),
    destinationPort: reader.port("destination-port", "DestinationPort"),
    destinations: reader.texts("destination-addresses", "DestinationAddresses", address),
  };
}

function policyOf(reader: Reader): LbaasPolicy {
  return {
    name: reader.text("name", "Name", { required }),
    allowed: reader.objects("allowed-ingresses", "AllowedIngresses", allowedOf),
  };
}

function allowedOf(reader: Reader): LbaasAllowed {
  return {
    blocks: reader.objects("ipblock-filters", "IPBlockFilters", (block) => ({
      allow: block.text("allow", "Allow", cidr),
      except: block.texts("block", "Block", cidr),
    })),
    ports: reader.objects("port-filters", "PortFilters", portFilterOf),
  };
}

function portFilterOf(reader: Reader): LbaasPortFilter {
  const [port, endPort] = [reader.optionalPort("port", "Port"), reader.optionalPort("end-port", "EndPort")];
  if (endPort !== undefined && (port === undefined || endPort <= port)) reader.fail("EndPort", "gtfield");
  return {
    protocol: protocolOf(reader),
    ...(port === undefined ? {} : { port }),
    ...(endPort === undefined ? {} : { endPort }),
  };
}

function protocolOf(reader: Reader): "TCP" | "UDP" {
  const text = reader.text("protocol", "Protocol", protocol);
  // A wrong one has been noted, and the whole will not be used.
  return isProtocol(text) ? text : "TCP";
}
