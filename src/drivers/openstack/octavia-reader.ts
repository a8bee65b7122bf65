// The reading half of the Octavia port over HTTP: lists of the own project, whole, and one answer for a whole balancer.

import { z } from "zod";
import type { ChildQuery } from "../../core/openstack/octavia-objects.ts";
import type { OctaviaReader } from "../../ports/octavia.ts";
import type { CloudCallOptions } from "../../ports/openstack.ts";
import { listAll } from "./list-all.ts";
import { about, base, keyOf, one } from "./octavia-calls.ts";
import type { Call, ProjectCalls } from "./project-calls.ts";
import {
  flavor,
  healthMonitor,
  listener,
  loadBalancer,
  member,
  pool,
  provider,
  versions,
  zone,
} from "./wire/decode-octavia.ts";
import { statusTree } from "./wire/decode-status-tree.ts";
import { wrapped } from "./wire/wire.ts";

export function octaviaReader(calls: ProjectCalls): OctaviaReader {
  return {
    async version(options) {
      const call: Call = { subject: about("list", "versions"), method: "GET", path: "/" };
      return newest((await calls.read(call, versions, options)).versions.map(({ id }) => id));
    },
    async listProviders(options) {
      const found = await whole(calls, "providers", "providers", provider, options);
      return found.map(({ name }) => name);
    },
    listFlavors: (options) =>
      listAll(calls, { subject: about("list", "flavors"), path: `${base}/flavors`, key: "flavors" }, flavor, options),
    // Its key in the answer is spelt otherwise than its path.
    listAvailabilityZones: (options) => whole(calls, "availability zones", "availability_zones", zone, options),
    listLoadBalancers: (query, options) => tagged(calls, "load balancers", query, loadBalancer, options),
    getLoadBalancer: (id, options) =>
      calls.read(
        { subject: about("get", "load balancer", id), method: "GET", path: one("loadbalancers", id) },
        wrapped("loadbalancer", loadBalancer),
        options,
      ),
    statusTree: (id, options) =>
      calls.read(
        {
          subject: about("get", "status tree", `of load balancer ${id}`),
          method: "GET",
          path: `${one("loadbalancers", id)}/status`,
        },
        statusTree,
        options,
      ),
    listListeners: (query, options) => tagged(calls, "listeners", query, listener, options),
    listPools: (query, options) => tagged(calls, "pools", query, pool, options),
    listHealthMonitors: (query, options) => tagged(calls, "health monitors", query, healthMonitor, options),
    listMembers: (poolId, options) =>
      listAll(
        calls,
        {
          subject: about("list", "members", `of pool ${poolId}`),
          path: `${one("pools", poolId)}/members`,
          key: "members",
        },
        member,
        options,
      ),
  };
}

/** A short list without ids, which has no pages. */
function whole<T>(
  calls: ProjectCalls,
  kinds: string,
  key: string,
  schema: z.ZodType<T>,
  options?: CloudCallOptions,
): Promise<readonly T[]> {
  const call: Call = { subject: about("list", kinds), method: "GET", path: `${base}/${keyOf(kinds)}` };
  return calls.read(call, wrapped(key, z.array(schema)), options);
}

/** Without a project in the query administrators would get those of all projects. */
async function tagged<T extends { readonly id: string; readonly tags: readonly string[] }>(
  calls: ProjectCalls,
  kinds: string,
  { name, tags = [], tagsAny, loadBalancerId }: ChildQuery,
  schema: z.ZodType<T>,
  options?: CloudCallOptions,
): Promise<readonly T[]> {
  const { projectId } = await calls.authentication(options?.signal);
  const query = {
    project_id: projectId,
    name,
    loadbalancer_id: loadBalancerId,
    // A comma separates tags, so that one inside a tag cannot be asked for.
    tags: tags.filter((tag) => !tag.includes(",")).join(",") || undefined,
    "tags-any": tagsAny?.some((tag) => tag.includes(",")) === true ? undefined : tagsAny?.join(","),
  };
  const key = keyOf(kinds);
  const found = await listAll(
    calls,
    { subject: about("list", kinds), path: `${base}/${key}`, key, query },
    schema,
    options,
  );
  // Not every cloud pays heed to the filter.
  return found.filter(
    (item) => tags.every((tag) => item.tags.includes(tag)) && (tagsAny?.some((tag) => item.tags.includes(tag)) ?? true),
  );
}

function newest(ids: readonly string[]): readonly [number, number] {
  const known = ids.flatMap((id) => {
    const [, major, minor] = /^v(\d+)\.(\d+)$/.exec(id) ?? [];
    return major === "2" && minor !== undefined ? [Number(minor)] : [];
  });
  return [2, Math.max(0, ...known)];
}
