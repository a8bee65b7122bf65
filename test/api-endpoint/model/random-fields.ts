// Random values for everything that a planner can set in Octavia, a few that are refused among them.

import fc from "fast-check";
import type {
  CreatePool,
  MonitorTimings,
  UpdateHealthMonitor,
  UpdateListener,
  UpdateLoadBalancer,
  UpdatePool,
} from "../../../src/core/openstack/octavia-objects.ts";
import { ownerId } from "./endpoint-builders.ts";

export type Algorithm = CreatePool["algorithm"];
export const allAlgorithms: readonly Algorithm[] = ["ROUND_ROBIN", "SOURCE_IP_PORT", "LEAST_CONNECTIONS", "SOURCE_IP"];

/** A member by the last part of its address. */
export interface RandomMember {
  readonly host: number;
  /** It is said which subnet it is in. */
  readonly inSubnet: boolean;
  readonly suffix: string;
  readonly tags: readonly string[];
}

/** Ours in any case: what is not must not be touched. */
export const ownTag = `mainstay-owner=${ownerId}`;

/** Any of the fields, and perhaps none. */
const some = { requiredKeys: [] as [] };
const tags = fc.constantFrom<readonly string[]>([ownTag], [ownTag, "somebody=else"]);
const adminStateUp = fc.boolean();
const timeoutMs = oftenRight([0, 50_000, 60_000], [-1, 31_536_000_001]);
const seconds = oftenRight([3, 5, 10], [-1, 2_147_483_648]);
const retries = oftenRight([1, 3, 5, 10], [0, 11]);

export const balancerFields: fc.Arbitrary<UpdateLoadBalancer> = fc.record(
  { description: fc.constantFrom("", "changed"), adminStateUp, tags },
  some,
);

export const listenerFields: fc.Arbitrary<UpdateListener> = fc.record(
  {
    allowedCidrs: fc.constantFrom<readonly string[]>([], [], ["192.0.2.9/24"], ["2001:db8::/32"]),
    clientTimeoutMs: timeoutMs,
    memberTimeoutMs: timeoutMs,
    connectionLimit: oftenRight([-1, 0, 100], [-2, 2_147_483_648]),
    adminStateUp,
    tags,
  },
  some,
);

export function poolFields(algorithm: fc.Arbitrary<Algorithm>): fc.Arbitrary<UpdatePool> {
  return fc.record({ algorithm, adminStateUp, tags }, some);
}

const timings = { delaySeconds: seconds, timeoutSeconds: seconds, maxRetries: retries, maxRetriesDown: retries };
export const monitorTimings: fc.Arbitrary<MonitorTimings> = fc.record(timings);
export const monitorFields: fc.Arbitrary<UpdateHealthMonitor> = fc.record({ ...timings, adminStateUp, tags }, some);

export const members: fc.Arbitrary<readonly RandomMember[]> = fc.array(
  fc.record({
    host: fc.constantFrom(11, 12, 13),
    inSubnet: fc.boolean(),
    suffix: fc.constantFrom("", "-renamed"),
    tags: fc.constantFrom<readonly string[]>([], [ownTag]),
  }),
  { minLength: 1, maxLength: 2 },
);

/** A call with several fields is to succeed more often than not. */
function oftenRight(right: readonly number[], wrong: readonly number[]): fc.Arbitrary<number> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...right) },
    { weight: 1, arbitrary: fc.constantFrom(...wrong) },
  );
}
