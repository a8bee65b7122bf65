// Reads the configuration of ch-k8s-lbaas' agent as ours, so that a gateway can be switched without writing a new file. Its own defaults
// count. What it says that means nothing here is named. The secret stands in that file itself, and is handed over beside.

import { z } from "zod";
import { present } from "../../../../core/present.ts";
import { type AgentConfiguration, checkAgentConfiguration } from "./agent-configuration.ts";

const command = z.array(z.string()).optional();
const service = z.looseObject({ "reload-command": command, "status-command": command, "start-command": command });

const file = z.looseObject({
  "shared-secret": z.base64().min(1),
  "bind-address": z.string().min(1),
  "bind-port": z.int().min(1).max(65_535),
  keepalived: z
    .looseObject({
      enabled: z.boolean().default(true),
      "vrrp-password": z.string().default("useless"),
      priority: z.int().min(0).default(0),
      "virtual-router-id-base": z.int().min(1).max(255).optional(),
      interface: z.string().optional(),
      service: service.optional(),
    })
    .prefault({}),
  nftables: z
    .looseObject({
      "filter-table-name": z.string().default("filter"),
      "filter-table-type": z.string().default("inet"),
      "filter-forward-chain": z.string().default("forward"),
      "enable-snat": z.boolean().default(true),
      "fwmark-bits": z.int().default(1),
      "fwmark-mask": z.int().default(1),
      "partial-reload": z.boolean().default(false),
      service: service.optional(),
    })
    .prefault({}),
});

export type ReadLbaasConfiguration =
  | {
      readonly ok: true;
      readonly configuration: AgentConfiguration;
      /** Base64. */
      readonly secret: string;
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly string[] };

/** `secretFile` only stands for the secret: it is not read. */
const secretFile = "/dev/null";

/** `value` is the parsed TOML; the gateway's name is not in it. */
export function readLbaasConfiguration(value: unknown, name: string, where: string): ReadLbaasConfiguration {
  const parsed = file.safeParse(value);
  if (!parsed.success) {
    // Without the value: it may be the secret.
    const problems = parsed.error.issues.map(({ path, message }) => `${where}: ${path.join(".")}: ${message}`);
    return { ok: false, problems };
  }
  const { keepalived, nftables, ...top } = parsed.data;
  const checked = checkAgentConfiguration(ours(parsed.data, name), where);
  if (!checked.ok) return checked;
  const notes = [
    ...(keepalived.service === undefined ? [] : ["keepalived.service: not used, the agent runs keepalived itself"]),
    ...(nftables.service === undefined
      ? []
      : ["nftables.service: not used, rules are loaded into tables of the agent's own"]),
    ...(nftables["partial-reload"]
      ? ["nftables.partial-reload: not used, every change touches only what changes"]
      : []),
  ];
  return { ok: true, configuration: checked.configuration, secret: top["shared-secret"], notes };
}

function ours({ keepalived, nftables, ...top }: z.output<typeof file>, name: string): unknown {
  const { interface: link, priority } = keepalived;
  return {
    name,
    ...present({ externalInterface: link, internalInterface: link }),
    listen: { bind: top["bind-address"], port: top["bind-port"] },
    access: { secretFile },
    connectionMark: { bits: nftables["fwmark-bits"], mask: nftables["fwmark-mask"] },
    // An empty name means that the operator's filter needs nothing.
    ...(nftables["filter-table-name"] === ""
      ? {}
      : {
          acceptIn: {
            family: nftables["filter-table-type"],
            table: nftables["filter-table-name"],
            chain: nftables["filter-forward-chain"],
          },
        }),
    v1: {
      enabled: true,
      announces: keepalived.enabled,
      hidesClients: nftables["enable-snat"],
      password: keepalived["vrrp-password"],
      // keepalived takes 0 for an error and uses 100.
      priority: priority === 0 ? 100 : priority,
      ...present({ virtualRouterId: keepalived["virtual-router-id-base"] }),
    },
  };
}
