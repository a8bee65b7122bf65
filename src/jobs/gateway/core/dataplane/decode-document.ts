// A document as it came over the wire. What is wrong with its frame refuses all of it; a forwarding that cannot be read is told apart, so
// that the others are carried. Whether what was read makes sense is for `checkDocument`.

import { z } from "zod";
import { cutText } from "../../../../core/cut-text.ts";
import { canonicalAddress } from "../../../../core/net/ip.ts";
import type { CarryProblem } from "../model/agent-answers.ts";
import { type Forwarding, forwardingKey, type GatewayDocument, protocols } from "../model/document.ts";

export type DecodedDocument =
  | { readonly kind: "document"; readonly document: GatewayDocument; readonly unreadable: readonly CarryProblem[] }
  | { readonly kind: "malformed"; readonly problems: readonly string[] };

export function decodeDocument(value: unknown): DecodedDocument {
  const frame = frameSchema.safeParse(value);
  if (!frame.success) return { kind: "malformed", problems: problemsOf(frame.error) };
  const forwardings: Forwarding[] = [];
  const unreadable: CarryProblem[] = [];
  for (const [index, item] of frame.data.forwardings.entries()) {
    const forwarding = forwardingSchema.safeParse(item);
    if (forwarding.success) forwardings.push(withoutUndefined(forwarding.data));
    else unreadable.push({ ...whatItIs(item, index), message: cutText(problemsOf(forwarding.error).join("; "), 500) });
  }
  return { kind: "document", document: { ...frame.data, forwardings }, unreadable };
}

const name = z.string().regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/);
const count = z.int().nonnegative();
const address = z.string().refine((text) => canonicalAddress(text) !== undefined, "is no address");

const frameSchema = z.object({
  pool: name,
  version: z.object({ epoch: count, generation: count }),
  vrrp: z.object({
    mode: z.enum(["vrrp3", "compat"]),
    // What VRRP 3 can say: 12 bits of hundredths of a second.
    advertIntervalMs: z.int().min(10).max(40_950),
    unicast: z.record(name, address),
  }),
  groups: z.array(
    z.object({
      name: z.string(),
      virtualRouterId: z.number(),
      order: z.array(z.string()),
      sourceAddresses: z.array(z.string()),
    }),
  ),
  addresses: z.array(z.object({ address: z.string(), group: z.string() })),
  forwardings: z.array(z.unknown()),
});

const keySchema = z.object({ address: z.string(), protocol: z.enum(protocols), port: z.number() });
const serviceSchema = z.object({ service: z.string() });

const forwardingSchema = z.object({
  ...keySchema.shape,
  ...serviceSchema.shape,
  endpoints: z.array(z.object({ address: z.string(), port: z.number() })),
  buckets: z.array(z.number()),
  affinity: z.enum(["none", "client"]),
  source: z.enum(["group", "client"]),
  allowedSources: z.array(z.string()).optional(),
  whenEmpty: z.enum(["reject", "drop"]),
});

/** An absent field and one that is undefined are the same to zod, and not to our types. */
function withoutUndefined({ allowedSources, ...rest }: z.infer<typeof forwardingSchema>): Forwarding {
  return allowedSources === undefined ? rest : { ...rest, allowedSources };
}

/** As much as can be read. */
function whatItIs(item: unknown, index: number): Pick<CarryProblem, "subject" | "service"> {
  const key = keySchema.safeParse(item);
  const named = serviceSchema.safeParse(item);
  return {
    subject: key.success ? cutText(forwardingKey(key.data), 100) : `forwardings[${index}]`,
    ...(named.success ? { service: cutText(named.data.service, 200) } : {}),
  };
}

function problemsOf(error: z.ZodError): readonly string[] {
  return error.issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`));
}
