// What one process measures about one informer, and how it talks to the process that started it.

import { z } from "zod";

export const measurementSchema = z.object({
  syncMs: z.number(),
  rssMb: z.number(),
  getMs: z.number(),
});

export type Measurement = z.infer<typeof measurementSchema>;

/** From the child: its figures once it is in sync, then one line for each object that appears later, by the machine's clock. */
export const childMessageSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("measured"), measurement: measurementSchema }),
  z.object({ type: z.literal("seen"), name: z.string(), atNs: z.string() }),
]);

export type ChildMessage = z.infer<typeof childMessageSchema>;
