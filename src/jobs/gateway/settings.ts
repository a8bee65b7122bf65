// The job's part of the configuration file.

import { z } from "zod";

export const gatewaySettings = z.strictObject({
  observeAgainSeconds: z
    .number()
    .min(1)
    .max(3_600)
    .default(15)
    .describe("How often the agents of a quiet pool's gateways are asked what they carry."),
  neutronSeconds: z
    .number()
    .min(5)
    .max(3_600)
    .default(60)
    .describe("How old the knowledge of a pool's ports and floating IPs in Neutron may become."),
  graceSeconds: z
    .number()
    .min(10)
    .max(86_400)
    .default(600)
    .describe(
      "How long a port or floating IP with the pool's mark stays when nobody uses it and this manager did not release it itself.",
    ),
});
