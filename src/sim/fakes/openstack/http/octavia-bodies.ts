// What Octavia takes in its bodies, as much of it as this fake has, in our names. Unknown fields are refused, as there.

import { z } from "zod";
import { present } from "../../../../core/present.ts";

const text = z.string();
const uuid = z.guid();
const tags = z.array(text).default([]);
const integer = z.int();
const nullish = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);

export const balancerPost = z
  .strictObject({
    name: text.default(""),
    description: text.default(""),
    tags,
    vip_subnet_id: nullish(uuid),
    vip_network_id: nullish(uuid),
    vip_address: nullish(text),
    provider: text.optional(),
    flavor_id: uuid.optional(),
    availability_zone: text.optional(),
    admin_state_up: z.boolean().optional(),
    project_id: text.optional(),
  })
  .transform(({ name, description, tags: marks, provider, ...wire }) =>
    present({
      name,
      description,
      tags: marks,
      provider,
      vipSubnetId: wire.vip_subnet_id,
      vipNetworkId: wire.vip_network_id,
      vipAddress: wire.vip_address,
      flavorId: wire.flavor_id,
      availabilityZone: wire.availability_zone,
    }),
  );

export const balancerPut = z
  .strictObject({
    name: text.optional(),
    description: text.optional(),
    tags: z.array(text).optional(),
    admin_state_up: z.boolean().optional(),
  })
  .transform(({ admin_state_up, ...rest }) => present({ ...rest, adminStateUp: admin_state_up }));

const listenerOptions = {
  connection_limit: integer.optional(),
  allowed_cidrs: z.array(text).nullish(),
  timeout_client_data: integer.optional(),
  timeout_member_data: integer.optional(),
  admin_state_up: z.boolean().optional(),
};

export const listenerPost = z
  .strictObject({
    ...listenerOptions,
    name: text.default(""),
    description: text.optional(),
    tags,
    loadbalancer_id: uuid,
    protocol: z.enum(["HTTP", "HTTPS", "TERMINATED_HTTPS", "PROXY", "TCP", "UDP", "SCTP"]),
    protocol_port: integer,
  })
  .transform(({ name, tags: marks, protocol, ...wire }) =>
    present({
      name,
      tags: marks,
      protocol,
      loadBalancerId: wire.loadbalancer_id,
      port: wire.protocol_port,
      ...listenerFields(wire),
      allowedCidrs: wire.allowed_cidrs ?? undefined,
    }),
  );

export const listenerPut = z
  .strictObject({
    ...listenerOptions,
    name: text.optional(),
    description: text.optional(),
    tags: z.array(text).optional(),
  })
  .transform(({ name, tags: marks, ...wire }) =>
    present({
      name,
      tags: marks,
      ...listenerFields(wire),
      // Null clears the list, as an empty one does.
      allowedCidrs: wire.allowed_cidrs === null ? [] : wire.allowed_cidrs,
    }),
  );

function listenerFields(wire: {
  readonly connection_limit?: number | undefined;
  readonly timeout_client_data?: number | undefined;
  readonly timeout_member_data?: number | undefined;
  readonly admin_state_up?: boolean | undefined;
}) {
  return {
    connectionLimit: wire.connection_limit,
    clientTimeoutMs: wire.timeout_client_data,
    memberTimeoutMs: wire.timeout_member_data,
    adminStateUp: wire.admin_state_up,
  };
}

export const poolPost = z
  .strictObject({
    name: text.default(""),
    description: text.optional(),
    tags,
    listener_id: uuid.optional(),
    loadbalancer_id: uuid.optional(),
    protocol: z.enum(["HTTP", "HTTPS", "PROXY", "PROXYV2", "TCP", "UDP", "SCTP"]),
    lb_algorithm: text,
    admin_state_up: z.boolean().optional(),
  })
  .transform(({ name, tags: marks, protocol, ...wire }) =>
    present({
      name,
      tags: marks,
      protocol,
      algorithm: wire.lb_algorithm,
      listenerId: wire.listener_id,
      loadBalancerId: wire.loadbalancer_id,
      adminStateUp: wire.admin_state_up,
    }),
  );

export const poolPut = z
  .strictObject({
    name: text.optional(),
    description: text.optional(),
    tags: z.array(text).optional(),
    lb_algorithm: text.optional(),
    admin_state_up: z.boolean().optional(),
  })
  .transform(({ name, tags: marks, ...wire }) =>
    present({ name, tags: marks, algorithm: wire.lb_algorithm, adminStateUp: wire.admin_state_up }),
  );
