// What Neutron takes in the bodies of requests: exactly these fields.

import { z } from "zod";
import { present } from "../../../../core/present.ts";

const text = z.string();
const uuid = z.guid();

/** No `tags`: those are set by a call of their own. */
export const floatingIpPost = z
  .strictObject({
    floating_network_id: uuid,
    port_id: uuid.nullish(),
    description: text.default(""),
    floating_ip_address: text.nullish(),
    fixed_ip_address: text.nullish(),
    subnet_id: uuid.nullish(),
    project_id: text.optional(),
    tenant_id: text.optional(),
  })
  .transform((wire) =>
    present({
      floatingNetworkId: wire.floating_network_id,
      portId: wire.port_id ?? undefined,
      description: wire.description,
      address: wire.floating_ip_address ?? undefined,
    }),
  );

export const floatingIpPut = z
  .strictObject({ port_id: uuid.nullish(), description: text.optional(), fixed_ip_address: text.nullish() })
  .transform((wire) => present({ portId: wire.port_id, description: wire.description }));

/** One fixed IP, which is all that is asked for. Tags are taken everywhere, and set only where the extension says so. */
export const portPost = z
  .strictObject({
    network_id: uuid,
    fixed_ips: z.tuple([z.strictObject({ subnet_id: uuid, ip_address: text.optional() })]),
    name: text.default(""),
    description: text.default(""),
    device_id: text.default(""),
    tags: z.array(text).default([]),
    port_security_enabled: z.boolean().optional(),
  })
  .transform((wire) =>
    present({
      networkId: wire.network_id,
      subnetId: wire.fixed_ips[0].subnet_id,
      address: wire.fixed_ips[0].ip_address,
      name: wire.name,
      description: wire.description,
      deviceId: wire.device_id,
      tags: wire.tags,
      hasPortSecurity: wire.port_security_enabled,
    }),
  );

const pair = z
  .strictObject({ ip_address: text, mac_address: text.optional() })
  .transform((wire) => present({ address: wire.ip_address, macAddress: wire.mac_address }));

export const portPut = z
  .strictObject({
    name: text.optional(),
    description: text.optional(),
    allowed_address_pairs: z
      .array(pair)
      .nullish()
      .transform((pairs) => (pairs === null ? [] : pairs)),
  })
  .transform((wire) =>
    present({ name: wire.name, description: wire.description, allowedAddressPairs: wire.allowed_address_pairs }),
  );
