// Are the gateways of every pool as they should be? From what their controllers saw, and where it is asked for from the agents themselves:
// versions, clocks, programs, and settings of the kernel.

import { type Finding, fail, ok, warn } from "../../../cli/doctor/finding.ts";
import type { JobCheck } from "../../../cli/job-commands.ts";
import { isKubeError } from "../../../core/kube-error.ts";
import { familyOf } from "../../../core/net/ip.ts";
import type { KubeReader } from "../../../ports/kube.ts";
import type { GatewayPool } from "../apis/gateway-pool.ts";
import { kernelSettings } from "../core/gateways/kernel-settings.ts";
import { type GatewayView, poolView } from "../core/picture/gateway-views.ts";
import { clockLeewaySeconds } from "../core/wire/agent-token.ts";
import { type AgentAnswer, askAgents } from "./ask-agents.ts";
import { readPools } from "./read-services.ts";

export async function checkPools({ kube, configuration, agents }: JobCheck): Promise<readonly Finding[]> {
  if (configuration.controllers["gateway"]?.enabled === false) return [];
  const pools = await poolsIn(kube);
  const gateways = pools.reduce((sum, { spec }) => sum + (spec?.gateways ?? []).length, 0);
  if (gateways === 0) return [];
  const seen = pools.flatMap(seenByController);
  if (agents === undefined)
    return [...seen, ok("gateways", `not asked; --agents asks ${gateways === 1 ? "the agent" : `${gateways} agents`}`)];
  const asked = await Promise.all(
    pools.map(async (pool) => ({ pool, answers: await askAgents(pool, kube, agents, { document: false }) })),
  );
  return [
    ...seen,
    ...asked.flatMap(({ pool, answers }) => [
      ...answers.flatMap((one) => answered(pool, one)),
      ...versions(pool, answers),
    ]),
  ];
}

/** None where they may not be listed or are not defined, which other checks say. */
async function poolsIn(kube: KubeReader): Promise<readonly GatewayPool[]> {
  try {
    return await readPools(kube);
  } catch (error) {
    if (isKubeError(error, "Forbidden", "KindNotServed", "NotFound")) return [];
    throw error;
  }
}

function seenByController(pool: GatewayPool): readonly Finding[] {
  const check = `GatewayPool ${pool.metadata.name}`;
  if (pool.status?.gateways === undefined)
    return [
      warn(
        check,
        "no controller has looked at it yet",
        "Start mainstay controller with the controller gateway enabled.",
      ),
    ];
  const { gateways, groups } = poolView(pool);
  const bad = gateways.flatMap((gateway) => badGateway(gateway, check));
  const unled = [...groups.values()].filter(({ standing }) => standing === "unled" || standing === "split");
  const led = unled.map(({ name, standing, by }) =>
    standing === "unled"
      ? fail(
          check,
          `no gateway leads the group ${name}: nobody reaches its addresses`,
          "Look at keepalived on the gateways: mainstay gateways --agents.",
        )
      : fail(
          check,
          `${by.join(" and ")} lead the group ${name} at once`,
          "They do not hear each other: let VRRP (IP protocol 112) through between them.",
        ),
  );
  return bad.length + led.length > 0
    ? [...bad, ...led]
    : [ok(check, `its controller sees ${pool.status.gatewaysReady ?? "all"} gateways ready`)];
}

function badGateway({ name, state, status }: GatewayView, check: string): readonly Finding[] {
  if (state === "silent")
    return [
      fail(
        check,
        `gateway ${name} does not answer its controller: ${status.message ?? ""}`,
        "mainstay runbook GatewayUnreachable says what to do.",
      ),
    ];
  if (state === "unready")
    return [
      warn(
        check,
        `gateway ${name} is not ready: ${status.message ?? ""}`,
        "mainstay runbook GatewayNotReady says what to do.",
      ),
    ];
  return [];
}

function answered(
  pool: GatewayPool,
  { gateway, problem, capabilities, status, clockAheadMs }: AgentAnswer,
): readonly Finding[] {
  const check = `agent ${gateway}`;
  if (problem !== undefined)
    return [
      fail(
        check,
        `not heard from here: ${problem}`,
        "Check the URL, the way there and the Secret that the pool names.",
      ),
    ];
  if (capabilities === "v1") return [ok(check, "runs ch-k8s-lbaas, which tells no more")];
  if (status === undefined || capabilities === undefined) return [];
  const { agent, nft, keepalived, kernel } = capabilities;
  const found = [
    ...(status.keepalived === "running"
      ? []
      : [
          fail(
            check,
            `keepalived is ${status.keepalived}: it leads nothing`,
            "Look at the agent's log: it starts keepalived again and says why it ends.",
          ),
        ]),
    ...clockFinding(check, clockAheadMs),
    ...settingFindings(check, pool, status.machine?.settings),
    ...connectionFinding(check, status.machine?.connections),
  ];
  return found.length > 0
    ? found
    : [ok(check, `${agent}, nft ${nft}, keepalived ${keepalived}, kernel ${kernel}: all as it should be`)];
}

function clockFinding(check: string, aheadMs: number | undefined): readonly Finding[] {
  if (aheadMs === undefined)
    return [warn(check, "it does not tell its clock and its kernel's settings", "Upgrade the agent.")];
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  if (seconds <= clockLeewaySeconds) return [];
  const says = `its clock is ${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"} ours: it may refuse tokens`;
  return [fail(check, says, "Set the clocks of gateways and controllers by NTP.")];
}

function settingFindings(
  check: string,
  pool: GatewayPool,
  settings: Readonly<Record<string, string>> = {},
): readonly Finding[] {
  const families = familiesOf(pool);
  return kernelSettings.flatMap(({ name, good, otherwise, isNeeded, family }) => {
    const value = settings[name];
    if (value === undefined || good.includes(value) || (family !== undefined && !families.has(family))) return [];
    const fix = `Set ${name}=${good[0]} there, and in /etc/sysctl.d so that it stays.`;
    return [(isNeeded ? fail : warn)(check, `${name} is ${value}: ${otherwise}`, fix)];
  });
}

function familiesOf({ spec = {} }: GatewayPool): ReadonlySet<4 | 6> {
  const { neutron, static: lists } = spec.addresses ?? {};
  const named = [...(lists?.ipv4 ?? []), ...(lists?.ipv6 ?? [])].flatMap(
    (entry) => familyOf(entry.split(/[-/]/)[0] ?? "") ?? [],
  );
  const subnets = [...(neutron?.subnets?.ipv4 ? [4 as const] : []), ...(neutron?.subnets?.ipv6 ? [6 as const] : [])];
  return new Set([...named, ...subnets]);
}

/** Beyond nine tenths new connections are about to fail. */
function connectionFinding(
  check: string,
  connections: { readonly tracked: number; readonly limit?: number } | undefined,
): readonly Finding[] {
  const { tracked = 0, limit = 0 } = connections ?? {};
  if (limit === 0 || tracked <= limit * 0.9) return [];
  return [
    warn(
      check,
      `it tracks ${tracked} of at most ${limit} connections: beyond that new ones are dropped`,
      "Raise net.netfilter.nf_conntrack_max.",
    ),
  ];
}

/** They work together for as long as an upgrade takes. */
function versions(pool: GatewayPool, answers: readonly AgentAnswer[]): readonly Finding[] {
  const known = new Map<string, string[]>();
  for (const { gateway, capabilities } of answers) {
    if (capabilities === undefined) continue;
    const version = capabilities === "v1" ? "ch-k8s-lbaas" : capabilities.agent;
    known.set(version, [...(known.get(version) ?? []), gateway]);
  }
  if (known.size < 2) return [];
  const each = [...known].map(([version, gateways]) => `${version} on ${gateways.join(", ")}`).join("; ");
  return [warn(`GatewayPool ${pool.metadata.name}`, `its agents differ: ${each}`, "Finish the upgrade.")];
}
