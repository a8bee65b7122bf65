// The configuration of ch-k8s-lbaas' controller, with its own defaults and its own rules. Secrets of the file get into no message.

import { z } from "zod";

const text = z.string().default("");

const file = z.looseObject({
  "port-manager": z.enum(["openstack", "static"]).default("openstack"),
  "backend-layer": z.enum(["NodePort", "ClusterIP", "Pod"]).default("NodePort"),
  openstack: z
    .looseObject({
      auth: z.looseObject({}).default({}),
      network: z
        .looseObject({
          "use-floating-ips": z.boolean().default(false),
          "floating-ip-network-id": text,
          "subnet-id": text,
        })
        .prefault({}),
    })
    .prefault({}),
  static: z.looseObject({ "ipv4-addresses": z.array(z.ipv4()).default([]) }).prefault({}),
  agents: z.looseObject({
    "shared-secret": z.base64().min(16, "must be base64 of at least 12 bytes"),
    "token-lifetime": z.int().min(0).max(120).default(0),
    "additional-address-pairs": z.array(z.string()).default([]),
    agent: z.array(z.looseObject({ url: z.url({ protocol: /^https?$/ }), "port-id": text })).min(1, "names no agent"),
  }),
});

export type LbaasControllerConfig = z.output<typeof file>;

export type ReadControllerConfig =
  | { readonly ok: true; readonly config: LbaasControllerConfig }
  | { readonly ok: false; readonly problems: readonly { readonly where: string; readonly message: string }[] };

/** `value` is the parsed TOML. */
export function readLbaasControllerConfig(value: unknown): ReadControllerConfig {
  const parsed = file.safeParse(value);
  if (!parsed.success) {
    // Without the value: it may be the secret.
    const problems = parsed.error.issues.map(({ path, message }) => ({ where: path.join("."), message }));
    return { ok: false, problems };
  }
  const config = parsed.data;
  const { network } = config.openstack;
  const problems = [
    ...(config["port-manager"] === "openstack" && network["subnet-id"] === ""
      ? [{ where: "openstack.network.subnet-id", message: "is empty" }]
      : []),
    ...(config["port-manager"] === "openstack" &&
    network["use-floating-ips"] &&
    network["floating-ip-network-id"] === ""
      ? [{ where: "openstack.network.floating-ip-network-id", message: "is empty, and floating IPs are used" }]
      : []),
    ...(config["port-manager"] === "static" && config.static["ipv4-addresses"].length === 0
      ? [{ where: "static.ipv4-addresses", message: "is empty" }]
      : []),
  ];
  return problems.length > 0 ? { ok: false, problems } : { ok: true, config };
}
