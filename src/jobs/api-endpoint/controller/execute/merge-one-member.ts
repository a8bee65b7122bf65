// Members one by one, for providers that do not take them in one call.

import type { CreateMember } from "../../../../core/openstack/octavia-objects.ts";
import type { Octavia } from "../../../../ports/octavia.ts";
import type { CloudWriteOptions } from "../../../../ports/openstack.ts";

/** For providers without the batch: the first that is missing, or has another name, other tags or another weight. It makes the balancer PENDING; the next round does the next. */
export async function mergeOne(
  octavia: Octavia,
  poolId: string,
  members: readonly CreateMember[],
  options: CloudWriteOptions,
): Promise<void> {
  const present = await octavia.listMembers(poolId, options);
  for (const wanted of members) {
    const there = present.find(({ address, port }) => address === wanted.address && port === wanted.port);
    if (there === undefined) return void (await octavia.createMember(poolId, wanted, options));
    const { name, tags, weight = 1 } = wanted;
    const isRight = there.name === name && hasSame(there.tags, tags) && (there.weight !== 0 || weight === 0);
    if (!isRight) return void (await octavia.updateMember(poolId, there.id, { name, tags, weight }, options));
  }
}

/** In any order: Octavia keeps none. */
function hasSame(tags: readonly string[], wanted: readonly string[]): boolean {
  return tags.length === wanted.length && wanted.every((tag) => tags.includes(tag));
}
