// What the model's Octavia checks before it changes anything, and what a planner must never ask it for.

import { familyOf, parseCidr } from "../../../src/core/net/ip.ts";
import type { LoadBalancer } from "../../../src/core/openstack/octavia-objects.ts";
import { hasOwnerTag } from "../../../src/jobs/api-endpoint/core/model/ownership.ts";
import { type ProviderRules, providerRules } from "../../../src/sim/fakes/openstack/octavia/provider-rules.ts";
import type { PoolRow } from "./cloud-rows.ts";
import { ownerId } from "./endpoint-builders.ts";
import { missing, must, refuseUnless } from "./model-refusal.ts";

export function rulesOf({ provider }: Pick<LoadBalancer, "provider">): ProviderRules {
  return provider === "ovn" ? providerRules.ovn : providerRules.amphora;
}

export function partOf<Part extends { readonly id: string }>(parts: readonly Part[], id: string): Part {
  return parts.find((part) => part.id === id) ?? missing({ id });
}

/** Members and the monitor are immutable below a pool that is not ACTIVE, although the balancer may be. */
export function checkPoolMutable({ name, status }: PoolRow): void {
  refuseUnless(status === "ACTIVE", "Conflict", `pool ${name} is immutable (${status})`);
}

export function checkAlgorithm(lb: LoadBalancer, algorithm: string): void {
  const { algorithms } = rulesOf(lb);
  refuseUnless(algorithms.includes(algorithm), "Unsupported", `provider ${lb.provider}: ${algorithm}`);
}

/** An access list as it is kept: without host bits, of the VIP's family only. */
export function maskedFor(lb: LoadBalancer, cidrs: readonly string[]): readonly string[] {
  return cidrs.map((cidr) => {
    const parsed = parseCidr(cidr);
    refuseUnless(parsed?.family === familyOf(lb.vipAddress), "BadRequest", `${cidr} before VIP ${lb.vipAddress}`);
    return parsed?.text ?? cidr;
  });
}

export function checkAccessList(lb: LoadBalancer, cidrs: readonly string[]): void {
  refuseUnless(cidrs.length === 0 || rulesOf(lb).accessLists, "Unsupported", `provider ${lb.provider}: access lists`);
}

interface Range {
  readonly least: number;
  readonly most: number;
  /** Octavia itself would take more than its data base can keep, and fails there. */
  readonly kept?: number;
}

const timeout: Range = { least: 0, most: 31_536_000_000 };
const seconds: Range = { least: 0, most: Number.MAX_SAFE_INTEGER, kept: 2_147_483_647 };
const retries: Range = { least: 1, most: 10 };
const ranges = {
  clientTimeoutMs: timeout,
  memberTimeoutMs: timeout,
  connectionLimit: { least: -1, most: 2_147_483_647 },
  delaySeconds: seconds,
  timeoutSeconds: seconds,
  maxRetries: retries,
  maxRetriesDown: retries,
};
type Numbers = { readonly [Field in keyof typeof ranges]?: number };

export function checkRanges(fields: Numbers): void {
  for (const field of Object.keys(ranges) as (keyof Numbers)[]) {
    const { least, most, kept = most }: Range = ranges[field];
    const { [field]: value = least } = fields;
    refuseUnless(value >= least && value <= most, "BadRequest", `${field}: ${value}`);
    refuseUnless(value <= kept, "ServerError", `${field}: ${value}`);
  }
}

export function mustBeOurs({ name, tags }: { readonly name: string; readonly tags: readonly string[] }): void {
  const isNamed = /^k8s-clusterapi-cluster-default-demo-.*kubeapi-\d+$/.test(name);
  must(isNamed || hasOwnerTag(tags, ownerId), `${name}, which is somebody else's, was deleted`);
}
