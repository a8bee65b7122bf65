// The configuration file of a gateway's agent: its schema, its defaults, and every problem with it. Secrets are in files that it names.

import { z } from "zod";
import { formatProblem } from "../../../../apis/text/problem.ts";
import { canonicalAddress } from "../../../../core/net/ip.ts";
import { parseYaml } from "../../../../core/yaml-text.ts";

const port = z.int().min(1).max(65_535);
const path = z.string().regex(/^(\/[A-Za-z0-9_.+-]+)+$/, "must be an absolute path without spaces");
const interfaceName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,14}$/, "must be the name of an interface");
const address = z.string().refine((text) => canonicalAddress(text) !== undefined, "must be an IP address");
const nftName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, "must be a name in nftables");
const bits = z.int().min(0).max(0xffff_ffff);

const connectionMark = z
  .strictObject({
    bits: bits.default(1).describe("Bits that connections of ours bear in their mark."),
    mask: bits.default(1).describe("Bits of the mark that belong to us; no other is touched."),
  })
  .refine(({ bits: set, mask }) => (set & ~mask) === 0, "bits must lie within the mask");

const acceptIn = z.strictObject({
  family: z.enum(["ip", "ip6", "inet"]).describe("Family of the table."),
  table: nftName.describe("The operator's table."),
  chain: nftName.describe("Its chain for forwarded packets."),
});

const listen = z.strictObject({
  bind: z.string().min(1).default("127.0.0.1").describe("Address that the agent listens on."),
  port: port.default(15_203).describe("Its port."),
  certificateFile: path.optional().describe("PEM with the agent's certificate: with it, TLS is spoken."),
  keyFile: path.optional().describe("PEM with the certificate's key."),
  clientAuthorityFile: path
    .optional()
    .describe("PEM with the authorities whose clients are let in by their certificates."),
});

const access = z.strictObject({
  secretFile: path.optional().describe("File with the key of tokens, in base64. Absent: tokens are not accepted."),
  certificateNames: z
    .array(z.string().min(1))
    .default([])
    .describe("Common names of clients' certificates that are let in. Empty: all that an authority signed."),
});

const lbaas = z.strictObject({
  enabled: z.boolean().default(false).describe("Serve `/v1/apply` to a controller of ch-k8s-lbaas, with the same key."),
  expiry: z
    .enum(["beyond-loopback", "optional"])
    .default("beyond-loopback")
    .describe("Whether tokens from other machines need an expiry."),
  virtualRouterId: z.int().min(1).max(255).default(51).describe("`virtual-router-id-base` of the reference."),
  password: z
    .string()
    .min(1)
    .default("useless")
    .describe("`vrrp-password` of the reference; VRRP 2 sends it in the clear."),
  priority: z.int().min(1).max(254).optional().describe("This gateway's priority beside one that runs ch-k8s-lbaas."),
  announces: z.boolean().default(true).describe("False: something else announces the addresses."),
  hidesClients: z
    .boolean()
    .default(true)
    .describe("False: gateways are the endpoints' way back, so clients keep their addresses."),
  sourceAddresses: z
    .array(address)
    .default([])
    .describe("Addresses that endpoints see, which move with the others. Empty: the first addresses of Services."),
});

const schema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/, "must be lower-case letters, digits, dots and dashes")
      .describe("Name of this gateway, as its GatewayPool has it."),
    externalInterface: interfaceName.describe("Where clients come from."),
    internalInterface: interfaceName.describe("Where endpoints are; may be the same."),
    ownAddresses: z.array(address).default([]).describe("Addresses that are this gateway's alone and never move."),
    connectionMark: connectionMark.prefault({}),
    acceptIn: acceptIn
      .optional()
      .describe("The operator's chain that drops forwarded packets unless ours are accepted in it."),
    folder: path
      .default("/var/lib/mainstay-agent")
      .describe("Where the agent keeps what it carries, and keepalived's files."),
    listen: listen.prefault({}),
    access: access.prefault({}),
    v1: lbaas.prefault({}),
    maxDocumentBytes: z
      .int()
      .min(1_024)
      .max(1_073_741_824)
      .default(67_108_864)
      .describe("Longest document that is read."),
    logLevel: z.enum(["debug", "info", "warn", "error"]).default("info").describe("The lowest level that is logged."),
  })
  .superRefine(({ listen: { certificateFile, keyFile, clientAuthorityFile }, access: { secretFile }, v1 }, context) => {
    const fail = (message: string): void => context.addIssue({ code: "custom", message });
    if ((certificateFile === undefined) !== (keyFile === undefined))
      fail("listen.certificateFile and listen.keyFile belong together");
    if (clientAuthorityFile !== undefined && certificateFile === undefined)
      fail("listen.clientAuthorityFile needs listen.certificateFile");
    if (clientAuthorityFile === undefined && secretFile === undefined)
      fail("nobody could use this agent: set access.secretFile or listen.clientAuthorityFile");
    if (v1.enabled && secretFile === undefined) fail("v1.enabled needs access.secretFile");
  });

export type AgentConfiguration = z.output<typeof schema>;

export type CheckedAgentConfiguration =
  | { readonly ok: true; readonly configuration: AgentConfiguration }
  | { readonly ok: false; readonly problems: readonly string[] };

export function parseAgentConfiguration(text: string, where: string): CheckedAgentConfiguration {
  const file = parseYaml(text, where, {});
  if (!file.ok) return { ok: false, problems: file.problems.map(formatProblem) };
  return checkAgentConfiguration(file.value, where);
}

export function checkAgentConfiguration(value: unknown, where: string): CheckedAgentConfiguration {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, configuration: parsed.data };
  const problems = parsed.error.issues.map((issue) =>
    [where, issue.path.join("."), issue.message].filter((part) => part !== "").join(": "),
  );
  return { ok: false, problems };
}
