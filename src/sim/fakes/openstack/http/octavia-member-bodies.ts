// As octavia-bodies.ts, for health monitors and members.

import { z } from "zod";
import { present } from "../../../../core/present.ts";

const text = z.string();
const uuid = z.guid();
const tags = z.array(text).default([]);
const integer = z.int();

export const monitorPost = z
  .strictObject({
    name: text.default(""),
    tags,
    pool_id: uuid,
    type: text,
    delay: integer,
    timeout: integer,
    max_retries: integer,
    max_retries_down: integer.default(3),
    admin_state_up: z.boolean().optional(),
    url_path: text.optional(),
    http_method: text.optional(),
    expected_codes: text.optional(),
  })
  .transform(({ name, tags: marks, type, ...wire }) =>
    present({
      name,
      tags: marks,
      type,
      poolId: wire.pool_id,
      delaySeconds: wire.delay,
      timeoutSeconds: wire.timeout,
      maxRetries: wire.max_retries,
      maxRetriesDown: wire.max_retries_down,
      adminStateUp: wire.admin_state_up,
    }),
  );

export const monitorPut = z
  .strictObject({
    name: text.optional(),
    tags: z.array(text).optional(),
    delay: integer.optional(),
    timeout: integer.optional(),
    max_retries: integer.optional(),
    max_retries_down: integer.optional(),
    admin_state_up: z.boolean().optional(),
  })
  .transform(({ name, tags: marks, ...wire }) =>
    present({
      name,
      tags: marks,
      delaySeconds: wire.delay,
      timeoutSeconds: wire.timeout,
      maxRetries: wire.max_retries,
      maxRetriesDown: wire.max_retries_down,
      adminStateUp: wire.admin_state_up,
    }),
  );

export const memberPost = z
  .strictObject({
    name: text.default(""),
    tags,
    address: text,
    protocol_port: integer,
    subnet_id: uuid.optional(),
    weight: integer.optional(),
    backup: z.boolean().optional(),
    admin_state_up: z.boolean().optional(),
    monitor_port: integer.optional(),
  })
  .transform(({ name, tags: marks, address, weight, backup, ...wire }) =>
    present({
      name,
      tags: marks,
      address,
      weight,
      backup,
      port: wire.protocol_port,
      subnetId: wire.subnet_id,
      adminStateUp: wire.admin_state_up,
      monitorPort: wire.monitor_port,
    }),
  );

export const memberPut = z
  .strictObject({
    name: text.optional(),
    tags: z.array(text).optional(),
    weight: integer.optional(),
    backup: z.boolean().optional(),
    admin_state_up: z.boolean().optional(),
  })
  .transform(({ admin_state_up, ...rest }) => present({ ...rest, adminStateUp: admin_state_up }));
