// The Octavia port over HTTP: which request each change is; reading is in octavia-reader.ts.

import type { Octavia } from "../../ports/octavia.ts";
import { about, base, one } from "./octavia-calls.ts";
import { octaviaReader } from "./octavia-reader.ts";
import type { ProjectCalls } from "./project-calls.ts";
import { healthMonitor, listener, loadBalancer, member, pool } from "./wire/decode-octavia.ts";
import * as encode from "./wire/encode-octavia.ts";
import { wrapped } from "./wire/wire.ts";

export function octaviaClient(calls: ProjectCalls): Octavia {
  return {
    ...octaviaReader(calls),
    ...balancers(calls),
    ...listeners(calls),
    ...pools(calls),
    ...monitors(calls),
    ...members(calls),
  };
}

function balancers(calls: ProjectCalls) {
  const schema = wrapped("loadbalancer", loadBalancer);
  const path = (id: string) => one("loadbalancers", id);
  return {
    createLoadBalancer: (wanted, options) =>
      calls.write(
        {
          subject: about("create", "load balancer", wanted.name),
          method: "POST",
          path: `${base}/loadbalancers`,
          body: encode.loadBalancerBody(wanted),
        },
        schema,
        options,
      ),
    updateLoadBalancer: (id, change, options) =>
      calls.write(
        {
          subject: about("update", "load balancer", id),
          method: "PUT",
          path: path(id),
          body: encode.loadBalancerChange(change),
        },
        schema,
        options,
      ),
    deleteLoadBalancer: (id, options) =>
      calls.remove(
        { subject: about("delete", "load balancer", id), path: path(id), query: { cascade: true } },
        options,
      ),
    failoverLoadBalancer: (id, options) =>
      calls.send(
        { subject: about("fail over", "load balancer", id), method: "PUT", path: `${path(id)}/failover` },
        options,
      ),
  } satisfies Partial<Octavia>;
}

function listeners(calls: ProjectCalls) {
  const schema = wrapped("listener", listener);
  return {
    createListener: (wanted, options) =>
      calls.write(
        {
          subject: about("create", "listener", wanted.name),
          method: "POST",
          path: `${base}/listeners`,
          body: encode.listenerBody(wanted),
        },
        schema,
        options,
      ),
    updateListener: (id, change, options) =>
      calls.write(
        {
          subject: about("update", "listener", id),
          method: "PUT",
          path: one("listeners", id),
          body: encode.listenerChange(change),
        },
        schema,
        options,
      ),
    deleteListener: (id, options) =>
      calls.remove({ subject: about("delete", "listener", id), path: one("listeners", id) }, options),
  } satisfies Partial<Octavia>;
}

function pools(calls: ProjectCalls) {
  const schema = wrapped("pool", pool);
  return {
    createPool: (wanted, options) =>
      calls.write(
        {
          subject: about("create", "pool", wanted.name),
          method: "POST",
          path: `${base}/pools`,
          body: encode.poolBody(wanted),
        },
        schema,
        options,
      ),
    updatePool: (id, change, options) =>
      calls.write(
        {
          subject: about("update", "pool", id),
          method: "PUT",
          path: one("pools", id),
          body: encode.poolChange(change),
        },
        schema,
        options,
      ),
    deletePool: (id, options) =>
      calls.remove({ subject: about("delete", "pool", id), path: one("pools", id) }, options),
  } satisfies Partial<Octavia>;
}

function monitors(calls: ProjectCalls) {
  const schema = wrapped("healthmonitor", healthMonitor);
  const path = (id: string) => one("healthmonitors", id);
  return {
    createHealthMonitor: (wanted, options) =>
      calls.write(
        {
          subject: about("create", "health monitor", wanted.name),
          method: "POST",
          path: `${base}/healthmonitors`,
          body: encode.healthMonitorBody(wanted),
        },
        schema,
        options,
      ),
    updateHealthMonitor: (id, change, options) =>
      calls.write(
        {
          subject: about("update", "health monitor", id),
          method: "PUT",
          path: path(id),
          body: encode.healthMonitorChange(change),
        },
        schema,
        options,
      ),
    deleteHealthMonitor: (id, options) =>
      calls.remove({ subject: about("delete", "health monitor", id), path: path(id) }, options),
  } satisfies Partial<Octavia>;
}

function members(calls: ProjectCalls) {
  const schema = wrapped("member", member);
  const path = (poolId: string) => `${one("pools", poolId)}/members`;
  const child = (poolId: string, id: string) => `${path(poolId)}/${encodeURIComponent(id)}`;
  return {
    createMember: (poolId, wanted, options) =>
      calls.write(
        {
          subject: about("create", "member", wanted.name),
          method: "POST",
          path: path(poolId),
          body: encode.memberBody(wanted),
        },
        schema,
        options,
      ),
    updateMember: (poolId, id, change, options) =>
      calls.write(
        {
          subject: about("update", "member", id),
          method: "PUT",
          path: child(poolId, id),
          body: encode.memberChange(change),
        },
        schema,
        options,
      ),
    deleteMember: (poolId, id, options) =>
      calls.remove({ subject: about("delete", "member", id), path: child(poolId, id) }, options),
    mergeMembers: (poolId, wanted, options) =>
      calls.send(
        {
          subject: about("merge", "members", `of pool ${poolId}`),
          method: "PUT",
          path: path(poolId),
          query: { additive_only: true },
          body: encode.membersBody(wanted),
        },
        options,
      ),
  } satisfies Partial<Octavia>;
}
